// SPDX-License-Identifier: Apache-2.0
#include "study_argument.hpp"

#include "summand/base/error.hpp"
#include "summand/storage/open_storage.hpp"

#ifdef SUMMAND_WITH_SERVER
#include "remote_study.hpp"
#include "token_argument.hpp"
#endif

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>

namespace summand::cli {

void refuse_password(const std::string& address) {
    if (!storage::is_postgres(address)) return;
    const std::string authority = address.substr(0, address.find('/', address.find("//") + 2));
    const auto at = authority.rfind('@');
    const bool given = (at != std::string::npos && authority.find(':', authority.find("//")) < at) ||
                       address.find("password=") != std::string::npos;
    if (given)
        throw InvalidArgument(
            "the address of the database has a password, which everybody on this machine can read in the list of "
            "processes; leave it out, and put it into ~/.pgpass (or PGPASSFILE), or into PGPASSWORD");
}

void print_trouble(const std::string& sentence) {
    if (!sentence.empty()) std::cerr << "summand: " << sentence << std::endl;
}

std::string StudyArgument::database() const {
    return storage::is_database(path) ? path : read_study_file(path).database;
}

Study StudyArgument::open() const {
    refuse_password(path);
    Study study = Study::open_path(path, name, trouble ? trouble : print_trouble);
    if (accept_new_strategy) study.accept_new_strategy();
    return study;
}

Study StudyArgument::open_existing() const {
    refuse_password(path);
    if (storage::is_database(path)) return Study::open(path, name, print_trouble);
    const StudyDefinition definition = read_study_file(path);
    return Study::open(definition.database, name.empty() ? definition.name : name, print_trouble);
}

#ifdef SUMMAND_WITH_SERVER
namespace {

std::unique_ptr<AnyStudy> on_server(const StudyArgument& study) {
    constexpr double patience_seconds = 20.0;
    return std::make_unique<server::RemoteStudy>(
        server::ServerAddress{study.server, token_from(study.token_file, "SUMMAND_TOKEN")}, study.path,
        patience_seconds);
}

}  // namespace
#endif

std::unique_ptr<AnyStudy> StudyArgument::any() const {
#ifdef SUMMAND_WITH_SERVER
    if (!server.empty()) return on_server(*this);
#endif
    return std::make_unique<Study>(open());
}

std::unique_ptr<AnyStudy> StudyArgument::any_existing() const {
#ifdef SUMMAND_WITH_SERVER
    if (!server.empty()) return on_server(*this);
#endif
    return std::make_unique<Study>(open_existing());
}

void add_study_argument(CLI::App& command, StudyArgument& study, [[maybe_unused]] Where where) {
    command.add_option("STUDY", study.path, "The study file (study.toml) or the database (study.db, postgresql://...)")
        ->required();
    command.add_option("--study", study.name, "Which study, if the database holds several")->type_name("NAME");
#ifdef SUMMAND_WITH_SERVER
    if (where == Where::here) return;
    command.add_option("--server", study.server, "A server (summand serve): STUDY is then the study's name")
        ->type_name("URL");
    command.add_option("--token-file", study.token_file, "A file with the server's token (or SUMMAND_TOKEN)")
        ->type_name("FILE");
#endif
}

void add_strategy_flag(CLI::App& command, StudyArgument& study) {
    command.add_flag("--accept-new-strategy", study.accept_new_strategy,
                     "Go on with this program's default strategy in a study that an older one began");
}

CLI::App* add_command(CLI::App& parent, const std::string& name, const std::string& description,
                      const std::string& example) {
    CLI::App* command = parent.add_subcommand(name, description);
    command->footer("Example:\n  " + example);
    return command;
}

std::string point_text(const SearchSpace& space, const Point& point, bool rounded) {
    std::string text;
    for (std::size_t j = 0; j < space.size(); ++j) {
        const auto* real = std::get_if<double>(&point[j]);
        text += (j == 0 ? "" : ", ") + name_of(space[j]) + " = " +
                (rounded && real != nullptr ? short_number(*real) : to_text(point[j]));
    }
    return text;
}

std::string structure_text(const StructureView& structure) {
    std::string text;
    for (const std::string& sentence : in_sentences(structure)) text += sentence + '\n';
    return text;
}

void check_written() {
    if (!std::cout.flush()) throw InvalidArgument("standard output could not be written; is the disk full?");
}

std::string short_number(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.6g", value);
    return buffer;
}

}  // namespace summand::cli
