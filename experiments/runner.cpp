// SPDX-License-Identifier: Apache-2.0
#include "experiments/runner.hpp"

#include "experiments/store.hpp"
#include "summand/base/error.hpp"
#include "summand/base/parallel.hpp"
#include "summand/space/search_space.hpp"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <mutex>

namespace summand::experiments {
namespace {

using Clock = std::chrono::steady_clock;

/// Of this thread: what the cell took, however busy the machine is.
double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// "D=20" means "D=20" and also "D=20 N=50", "D=20 N=150" and so on.
bool means(const std::string& word, const std::string& name) {
    return name == word || name.starts_with(word + " ");
}

void check_words(const Experiment& experiment, const std::vector<std::string>& given, std::string Cell::*field,
                 const std::string& what) {
    std::vector<std::string> known;
    for (const Cell& cell : experiment.cells)
        if (std::ranges::find(known, cell.*field) == known.end()) known.push_back(cell.*field);
    for (const std::string& word : given) {
        if (std::ranges::any_of(known, [&](const std::string& name) { return means(word, name); })) continue;
        std::string all;
        for (const std::string& one : known) all += (all.empty() ? "" : ", ") + one;
        const auto near = nearest_name(word, known);
        throw InvalidArgument("experiment " + experiment.name + ": there is no " + what + " \"" + word + "\"" +
                              (near ? "; did you mean \"" + *near + "\"?" : "") + " (it has: " + all + ")");
    }
}

bool chosen(const std::vector<std::string>& words, const std::string& name) {
    return words.empty() || std::ranges::any_of(words, [&](const std::string& word) { return means(word, name); });
}

std::vector<Cell> chosen_cells(const Experiment& experiment, const RunOptions& options) {
    if (options.parts < 1 || options.part < 1 || options.part > options.parts)
        throw InvalidArgument("experiment: part " + std::to_string(options.part) + "/" + std::to_string(options.parts) +
                              " was given; the first number must be from 1 to the second");
    check_words(experiment, options.panels, &Cell::panel, "panel");
    check_words(experiment, options.methods, &Cell::method, "method");
    std::vector<Cell> cells;
    int index = 0;
    for (const Cell& cell : experiment.cells)
        if (chosen(options.panels, cell.panel) && chosen(options.methods, cell.method) &&
            index++ % options.parts == options.part - 1)
            cells.push_back(cell);
    return cells;
}

}  // namespace

Outcome run_cells(const Experiment& experiment, const RunOptions& options,
                  const std::function<void(const Progress&)>& progress) {
    const Store store(options.folder / experiment.cells_from);
    const std::vector<Cell> cells = chosen_cells(experiment, options);
    std::vector<Cell> missing;
    for (const Cell& cell : cells)
        if (!store.load(cell, experiment.definition(cell))) missing.push_back(cell);

    Outcome outcome{.found = static_cast<int>(cells.size() - missing.size())};
    std::mutex mutex;
    const auto start = Clock::now();
    parallel_for(static_cast<std::int64_t>(missing.size()), resolve_threads(options.threads), [&](std::int64_t i) {
        const Cell& cell = missing[static_cast<std::size_t>(i)];
        if (options.minutes && Clock::now() - start > std::chrono::duration<double>(60.0 * *options.minutes)) return;
        // Another process may have been faster.
        auto result = store.load(cell, experiment.definition(cell));
        const bool fresh = !result;
        if (fresh) {
            const double before = processor_seconds();
            result = experiment.run(cell);
            result->numbers["seconds"] = processor_seconds() - before;
            store.save(*result);
        }
        const std::lock_guard lock(mutex);
        fresh ? ++outcome.computed : ++outcome.found;
        if (fresh) outcome.core_seconds += result->numbers["seconds"];
        if (progress)
            progress({.done = outcome.found + outcome.computed,
                      .total = static_cast<int>(cells.size()),
                      .latest = &*result});
    });
    outcome.left = static_cast<int>(cells.size()) - outcome.found - outcome.computed;
    return outcome;
}

Report write_report(const Experiment& experiment, const std::filesystem::path& folder) {
    const std::vector<Result> results = Store(folder / experiment.cells_from).load_all(experiment);
    if (results.empty())
        throw InvalidArgument("experiment " + experiment.name + ": " + (folder / experiment.cells_from).string() +
                              " holds no results of this size and seed; `summand experiment run` makes them");
    Report report = experiment.report(results);
    for (const auto& [name, contents] : report.files) write_whole(folder / name, contents);
    return report;
}

}  // namespace summand::experiments
