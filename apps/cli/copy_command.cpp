// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "study_argument.hpp"
#include "summand/storage/copy_study.hpp"
#include "summand/storage/open_storage.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

// summand copy STUDY DATABASE
namespace summand::cli {

namespace {

struct CopyArguments {
    StudyArgument study = {};
    std::string target = {};
};

void copy(const CopyArguments& given) {
    refuse_password(given.target);
    const std::string name = given.study.open_existing().name();
    const std::int64_t rows = storage::copy_study(given.study.database(), given.target, name, print_trouble);
    std::cout << "Copied study \"" << name << "\" (" << rows << " rows) to " << storage::shown_address(given.target)
              << ". To go on there, write database = \"" << storage::shown_address(given.target)
              << "\" in its study file.\n";
}

}  // namespace

void add_copy(CLI::App& app) {
    CLI::App* command = add_command(app, "copy",
                                    "Copy a study with all that belongs to it into another database: from a file to a "
                                    "PostgreSQL server, or back",
                                    "summand copy study.db postgresql://me@server/studies");
    auto given = std::make_shared<CopyArguments>();
    add_study_argument(*command, given->study);
    command->add_option("DATABASE", given->target, "Where to: study.db or postgresql://...; made if need be")
        ->required();
    command->callback([given] { copy(*given); });
}

}  // namespace summand::cli
