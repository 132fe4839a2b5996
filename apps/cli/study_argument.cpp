// SPDX-License-Identifier: Apache-2.0
#include "study_argument.hpp"

#include "summand/base/error.hpp"
#include "summand/storage/open_storage.hpp"

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
    return Study::open_path(path, name, trouble ? trouble : print_trouble);
}

Study StudyArgument::open_existing() const {
    refuse_password(path);
    if (storage::is_database(path)) return Study::open(path, name, print_trouble);
    const StudyDefinition definition = read_study_file(path);
    return Study::open(definition.database, name.empty() ? definition.name : name, print_trouble);
}

void add_study_argument(CLI::App& command, StudyArgument& study) {
    command.add_option("STUDY", study.path, "The study file (study.toml) or the database (study.db, postgresql://...)")
        ->required();
    command.add_option("--study", study.name, "Which study, if the database holds several")->type_name("NAME");
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

std::string short_number(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.6g", value);
    return buffer;
}

}  // namespace summand::cli
