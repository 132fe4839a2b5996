// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace summand::optimizer {

/// A planner's state after some ask, and the history it belongs to.
struct Snapshot {
    std::uint64_t inputs = 0;   ///< fingerprint of space and options
    std::uint64_t history = 0;  ///< fingerprint of the first `events` events
    std::int64_t events = 0;
    std::int64_t asks = 0;   ///< asks among them
    std::string state = {};  ///< Planner::save()
};

std::string to_text(const Snapshot& snapshot);
/// Empty if the text is not a whole snapshot of this version.
std::optional<Snapshot> snapshot_from_text(const std::string& text);

}  // namespace summand::optimizer
