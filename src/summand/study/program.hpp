// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/executor.hpp"
#include "summand/optimizer/history.hpp"
#include "summand/study/definition.hpp"

#include <filesystem>
#include <string>
#include <vector>

// The user's program: how a trial becomes a command, and how its end becomes a result.
namespace summand::study {

/// An argument cut into literal text and placeholders: "--x={x}" gives {"--x=", false}, {"x", true}. "{{" and "}}" are braces.
struct Piece {
    std::string text = {};
    bool placeholder = false;
};
std::vector<Piece> pieces_of(const std::string& argument);  ///< throws InvalidArgument for a brace that is not closed

/// Placeholders that are not parameters: "trial", "attempt", "file", "result".
const std::vector<std::string>& reserved_placeholders();

/// Every mistake in a command, one sentence each: unknown placeholders, parameters the program would never see.
std::vector<std::string> problems_with_command(const StudySettings& settings, const SearchSpace& space);
/// Parameters whose names stand for something else already: a placeholder in use, or another variable of the environment.
std::vector<std::string> problems_with_names(const StudySettings& settings, const SearchSpace& space);
/// The mistake in `directory` or `file`, which take {trial} and {attempt} only; empty if there is none.
std::string problem_with_path(const std::string& key, const std::string& path);
/// The text as an argument without placeholders.
std::string with_braces_doubled(const std::string& text);

/// Whether all trials write their results to one file of the same name.
bool shares_result_file(const StudySettings& settings);

/// What makes the values of one trial known to the program.
struct Launch {
    std::string study = {};
    std::int64_t trial = 0;
    int attempt = 1;
    Point values = {};
    std::filesystem::path scratch = {};  ///< a folder for the parameter and result files of this trial
};
/// The program and its arguments. An argument in which a choice has the value "" is left out: that is how a choice says
/// "without this option".
std::vector<std::string> arguments_of(const StudySettings& settings, const SearchSpace& space, const Launch& launch);
std::filesystem::path directory_of(const StudySettings& settings, const Launch& launch);  ///< where it runs
std::filesystem::path parameter_file(const Launch& launch);                               ///< {file}
/// A name as part of a shell variable: SUMMAND_ and the name, anything but letters and digits as '_'.
std::string variable_name(const std::string& name);

executor::Job job_for(const StudySettings& settings, const SearchSpace& space, const Launch& launch);

/// The value, or why there is none: exit status, signal, time limit, unreadable result, NaN.
Outcome outcome_of(const StudySettings& settings, const Launch& launch, const executor::Finished& finished);
/// The further values of [result] also, as far as they can be read.
NamedValues also_of(const StudySettings& settings, const Launch& launch, const executor::Finished& finished);

}  // namespace summand::study
