// SPDX-License-Identifier: Apache-2.0
#include "study_argument.hpp"

#include "summand/storage/sqlite.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>

namespace summand::cli {

Study StudyArgument::open() const {
    return Study::open_path(path, name);
}

Study StudyArgument::open_existing() const {
    const bool database = storage::looks_like_sqlite(path) || std::filesystem::path(path).extension() == ".db";
    if (database) return Study::open(path, name);
    const StudyDefinition definition = read_study_file(path);
    return Study::open(definition.database, name.empty() ? definition.name : name);
}

void add_study_argument(CLI::App& command, StudyArgument& study) {
    command.add_option("STUDY", study.path, "The study file (study.toml) or the database (study.db)")->required();
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
