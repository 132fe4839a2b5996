// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/executor/slurm_options.hpp"
#include "summand/optimizer/options.hpp"
#include "summand/space/trial.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace summand {

/// How a program gets its parameters ("arguments", "stdin", "file", "environment").
enum class InputMode {
    arguments,   ///< only through placeholders: {name} in the command
    stdin_json,  ///< a JSON object on standard input
    file_json,   ///< a JSON object in a file, whose path replaces {file}
    environment  ///< variables SUMMAND_name
};

/// Where its result is read ("stdout", "json", "file").
enum class ResultMode {
    stdout_number,  ///< the last line of standard output that is a number
    stdout_json,    ///< a field of a JSON object: all of standard output, or its last line
    file            ///< a file, whose path replaces {result}: a number, or a field of a JSON object
};

/// Who runs the programs ("local", "slurm").
enum class ExecutorKind { local, slurm };

/// What a study does apart from its space and its optimiser: may change while it goes on.
struct StudySettings {
    std::vector<std::string> command = {};  ///< program and arguments; no shell; empty: only ask and tell
    std::string directory = {};             ///< where it runs: absolute; {trial} and {attempt} are placeholders
    InputMode input = InputMode::arguments;
    ResultMode result = ResultMode::stdout_number;
    std::string result_field = {};   ///< of JSON: "a.b" is field b of a
    std::string result_prefix = {};  ///< the number after this, in the last line that begins with it
    std::string result_pattern =
        {};  ///< the number this regular expression captures, in the last line where it is found
    std::vector<std::pair<std::string, std::string>> result_also =
        {};                        ///< further values: name, and field, prefix or pattern
    std::string result_file = {};  ///< seen from the directory, placeholders likewise; empty: a temporary one, {result}

    /// Values of choices that are numbers or truth values, by parameter: JSON for programs has them without quotes.
    std::map<std::string, std::vector<std::string>> literals = {};
    std::optional<int> batch_size = {};       ///< points of an ask from now on; the options keep that of the beginning
    std::vector<std::string> start = {};      ///< points to evaluate first, each as a JSON object
    std::optional<double> optimum = {};       ///< the best value there is, if known: reports then show regret
    std::optional<std::int64_t> budget = {};  ///< the most trials ask() may hand out
    std::optional<double> stop_after_seconds = {};  ///< of wall time, for each run
    std::optional<double> target = {};              ///< stop when a value is at least as good

    ExecutorKind executor = ExecutorKind::local;
    executor::SlurmOptions slurm = {};
    std::optional<int> workers = {};  ///< programs at a time; empty: the batch size, and here at most one a core
    bool asynchronous = false;        ///< true: ask as soon as a worker is free; false: batch by batch
    std::optional<double> time_limit_seconds = {};  ///< of one attempt
    std::optional<std::int64_t> memory_limit_bytes = {};
    int retries = 0;                 ///< further attempts after a failure
    int give_up_after = 10;          ///< failed attempts at the start of a run, without a success; 0: never
    double lease_seconds = 86400.0;  ///< for `summand ask`: after that a trial is issued again
    std::int64_t log_bytes = 65536;  ///< kept of standard output and of standard error, each

    bool paused = false;     ///< ask gives no trials; answers are taken as ever. Not in the study file
    bool from_http = false;  ///< made over HTTP: its command is for `summand work`, and run() refuses it
    bool operator==(const StudySettings&) const = default;
};

/// Everything a study file says.
struct StudyDefinition {
    std::string name = {};
    SearchSpace space;
    Options options = {};
    StudySettings settings = {};
    /// postgresql://... or the path of a file: what the study file says, else the environment variable SUMMAND_DATABASE,
    /// else a file beside it.
    std::string database = {};
};

/// Reads a study file (docs/studies.md). Throws InvalidArgument with every mistake, one a line: file, line, what was found,
/// what is allowed, and the nearest valid name.
StudyDefinition read_study_file(const std::filesystem::path& path);
/// The same for a text; `path` is where it would lie.
StudyDefinition parse_study(const std::string& text, const std::filesystem::path& path);

/// The same for a study that comes over HTTP, as TOML or as JSON with the same keys. Refuses what names a place on this
/// machine (database, directory, executor, [run.slurm]) and what is too large for a stranger to ask for.
enum class StudyFormat { toml, json };
StudyDefinition parse_http_study(const std::string& text, StudyFormat format);

/// A study file to start from, with every key explained.
std::string example_study_file(const std::string& name);

}  // namespace summand
