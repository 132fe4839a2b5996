// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace CLI {
class App;
}

// The commands of `summand`, one file each: it adds its options to the application and, as the callback, does the work.
// A command reports a mistake by throwing summand::Error; main turns it into one line on stderr and an exit code.
namespace summand::cli {

/// Documented in docs/cli.md; the same everywhere.
enum ExitCode {
    exit_success = 0,
    exit_failure = 1,    ///< anything unforeseen
    exit_usage = 2,      ///< the caller's mistake: arguments, files, values (InvalidArgument)
    exit_storage = 3,    ///< the study's file (StorageError)
    exit_executor = 4,   ///< a program could not be run (ExecutorError)
    exit_numerical = 5,  ///< a computation broke down (NumericalError)
    exit_interrupted = 130
};

void add_report(CLI::App& app);
void add_copy(CLI::App& app);
void add_structure(CLI::App& app);
void add_problem(CLI::App& app);
void add_experiment(CLI::App& app);
void add_run(CLI::App& app);     ///< init, run
void add_ask(CLI::App& app);     ///< ask, tell, abandon
void add_change(CLI::App& app);  ///< enqueue, correct, rerun, fork
void add_add(CLI::App& app);
void add_show(CLI::App& app);                  ///< status, best
void add_trials(CLI::App& app);                ///< trials, export
void add_structure_show(CLI::App& structure);  ///< structure show
void add_work(CLI::App& app);
void add_serve(CLI::App& app);   ///< if built with it
void add_manual(CLI::App& app);  ///< man, completion

}  // namespace summand::cli
