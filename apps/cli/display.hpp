// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/study/run.hpp"

#include <iosfwd>
#include <memory>

// What `summand run` shows while it works.
namespace summand::cli {

/// Columns of the terminal that a descriptor is; 80 where it is none or has fewer than `least`.
int terminal_width(int descriptor, int least = 1);

/// Whether standard error is a terminal on which lines can be drawn over.
bool can_redraw();

/// A few lines at the bottom of a terminal, drawn again and again: progress, running and failed trials, the best, the time
/// per suggestion, the groups.
std::unique_ptr<RunObserver> live_display(Study& study, std::ostream& out);
/// A line for each trial: for logs and pipes.
std::unique_ptr<RunObserver> plain_lines(Study& study, std::ostream& out);
/// A JSON object on a line of its own for each event: for programs.
std::unique_ptr<RunObserver> json_lines(Study& study, std::ostream& out);

}  // namespace summand::cli
