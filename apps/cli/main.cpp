// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "study_argument.hpp"
#include "summand/base/error.hpp"
#include "summand/space/search_space.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>

#include <fcntl.h>

namespace {

int report(const std::exception& error, int exit_code) {
    std::cerr << "summand: " << error.what() << '\n';
    return exit_code;
}

/// A word that is no command, with the nearest one: CLI11 would only say that it was not expected.
void refuse_unknown_command(const CLI::App& app, int argc, char** argv) {
    const CLI::App* level = &app;
    std::string path = "summand";
    for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
        const std::string word = argv[i];
        std::vector<std::string> known;
        for (const CLI::App* command : level->get_subcommands([](const CLI::App*) { return true; }))
            known.push_back(command->get_name());
        if (known.empty()) return;
        if (std::find(known.begin(), known.end(), word) == known.end()) {
            const auto near = summand::nearest_name(word, known);
            throw summand::InvalidArgument("there is no command `" + path + " " + word + "`" +
                                           (near ? "; did you mean `" + path + " " + *near + "`?" : "") + " `" + path +
                                           " --help` lists all");
        }
        level = level->get_subcommand(word);
        path += " " + word;
    }
}

/// A file that is opened in place of a closed standard output would be written into: what is written there fails instead.
void occupy_closed_streams() {
    for (int stream = 0; stream <= 2; ++stream)
        if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", O_RDONLY) == -1) return;
}

int run(int argc, char** argv) {
    using namespace summand;
    CLI::App app{"Finds good settings for expensive functions of many parameters, several evaluations at a time."};
    app.name("summand");
    app.set_version_flag("--version", std::string("summand ") + SUMMAND_VERSION, "Print the version and exit");
    app.require_subcommand(1);
    cli::add_run(app);
    cli::add_ask(app);
    cli::add_add(app);
    cli::add_change(app);
    cli::add_show(app);
    cli::add_trials(app);
    cli::add_report(app);
    cli::add_copy(app);
    cli::add_structure(app);
    cli::add_problem(app);
    cli::add_experiment(app);
    cli::add_structure_show(*app.get_subcommand("structure"));
#ifdef SUMMAND_WITH_SERVER
    cli::add_serve(app);
    cli::add_work(app);
#endif
    cli::add_manual(app);
    // Last, because commands inherit it.
    app.footer(
        "Start with:\n  summand init study.toml\n  summand run study.toml\nMore: summand COMMAND --help, summand man");
    try {
        refuse_unknown_command(app, argc, argv);
        app.parse(argc, argv);
    } catch (const CLI::RuntimeError& error) {  // how a command asks for an exit code without a message
        return error.get_exit_code();
    } catch (const CLI::ParseError& error) {
        return error.get_exit_code() == 0 ? app.exit(error) : (app.exit(error), cli::exit_usage);
    } catch (const InvalidArgument& error) {
        return report(error, cli::exit_usage);
    } catch (const StorageError& error) {
        return report(error, cli::exit_storage);
    } catch (const ExecutorError& error) {
        return report(error, cli::exit_executor);
    } catch (const NumericalError& error) {
        return report(error, cli::exit_numerical);
    } catch (const Interrupted& error) {
        return report(error, cli::exit_interrupted);
    } catch (const std::exception& error) {
        return report(error, cli::exit_failure);
    }
    return cli::exit_success;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace summand;
    occupy_closed_streams();
    const int code = run(argc, argv);
    try {
        cli::check_written();
    } catch (const InvalidArgument& error) {
        return code == cli::exit_success ? report(error, cli::exit_usage) : code;
    }
    return code;
}
