// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace summand::study {

/// An option that a program's --help describes, as far as a study can vary it: it has a number as its default, or a list of
/// values to choose from.
struct HelpOption {
    std::string flag = {};  ///< as it is given to the program: "--learning-rate"
    std::optional<double> number = {};
    bool whole = false;  ///< the number is written as an integer
    std::vector<std::string> values = {};

    std::string name() const;  ///< "learning_rate"
};

/// What the help says, as the usual libraries write it (argparse, click, CLI11, clap, getopt by hand):
///     --rate RATE      learning rate (default: 0.1)      --rate FLOAT [0.1]      --rate <RATE>  [default: 0.1]
///     --solver {sgd,adam}      --solver [sgd|adam]      --solver TEXT:{sgd,adam}      [possible values: sgd, adam]
std::vector<HelpOption> options_in_help(const std::string& text);

/// A study file that varies these options of a program; ranges are a guess around the defaults, and say so.
std::string study_from_help(const std::string& name, const std::string& program,
                            const std::vector<HelpOption>& options);

}  // namespace summand::study
