// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/study/study.hpp"

#include <memory>
#include <string>

namespace CLI {
class App;
}

namespace summand::cli {

/// STUDY, which every study command takes: the study file, or the database itself.
struct StudyArgument {
    std::string path = {};
    std::string name = {};  ///< --study: which one, if the database holds several
    bool accept_new_strategy = false;
    Trouble trouble = {};  ///< when a server cannot be reached; empty: prints it

    std::string server = {};      ///< --server: where it is; `path` is then its name
    std::string token_file = {};  ///< for the server; else SUMMAND_TOKEN

    std::unique_ptr<AnyStudy> any() const;           ///< on a server, or here as open()
    std::unique_ptr<AnyStudy> any_existing() const;  ///< likewise as open_existing()
    Study open() const;                              ///< made if it is new
    std::string database() const;                    ///< its address
    Study open_existing() const;                     ///< never makes or changes anything
};

/// Throws InvalidArgument if an address has a password: everybody on a machine can read the command lines of all processes.
void refuse_password(const std::string& address);
/// Says on standard error that a server cannot be reached, or can again.
void print_trouble(const std::string& sentence);

enum class Where { here, anywhere };  ///< anywhere: also on a server
void add_study_argument(CLI::App& command, StudyArgument& study, Where where = Where::here);
/// --accept-new-strategy: for commands that ask for suggestions.
void add_strategy_flag(CLI::App& command, StudyArgument& study);

/// A command with its help text and an example that --help, the manual page and the tests show.
CLI::App* add_command(CLI::App& parent, const std::string& name, const std::string& description,
                      const std::string& example);

/// "x = 1.5, angle = 0.2"; rounded: six significant digits, otherwise all of them.
std::string point_text(const SearchSpace& space, const Point& point, bool rounded = false);
/// What is known about the groups, a sentence on each line.
std::string structure_text(const StructureView& structure);
/// Throws InvalidArgument if anything that was printed could not be written.
void check_written();
/// For people: six significant digits.
std::string short_number(double value);

}  // namespace summand::cli
