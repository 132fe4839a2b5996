// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "slurm_status.hpp"
#include "study_argument.hpp"
#include "summand/base/error.hpp"
#include "summand/plot/text.hpp"
#include "summand/study/json.hpp"
#include "summand/study/json_text.hpp"
#include "summand/study/shell_command.hpp"
#include "summand/study/view_json.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

// summand status | best | structure show
namespace summand::cli {

using Json = nlohmann::ordered_json;
using study::dumped;

namespace {

struct ShowArguments {
    StudyArgument study = {};
    bool json = false;
    bool recommended = false;
    bool command = false;  ///< of best
};

/// waiting, running, finished and lost, with Slurm's numbers.
void print_slurm(const executor::SlurmOverview& slurm) {
    const std::vector<std::pair<std::string, std::string>> states = {
        {"waiting", ""},
        {"running", ""},
        {"finished", ", to be taken by the next summand run"},
        {"lost", ", to be issued again"}};
    for (const auto& [state, remark] : states) {
        std::vector<std::string> names;
        std::set<std::string> details;
        for (const executor::SlurmTask& task : slurm.tasks) {
            if (task.state != state) continue;
            names.push_back(task.name);
            if (!task.detail.empty()) details.insert(task.detail);
        }
        if (names.empty()) continue;
        std::cout << "  in Slurm " << state << ' ' << names.size() << ": " << job_list(names);
        std::string list;
        for (const std::string& detail : details) list += (list.empty() ? "" : ", ") + detail;
        if (!list.empty()) std::cout << " (" << list << ')';
        std::cout << remark << '\n';
    }
    if (!slurm.trouble.empty())
        std::cout << "  Slurm did not answer, so this is what the files tell: " << slurm.trouble << '\n';
}

void show_status(const ShowArguments& given) {
    const auto opened = given.study.any_existing();
    const AnyStudy& study = *opened;
    storage::Counts counts = study.counts();
    const auto* here = dynamic_cast<const Study*>(&study);
    const executor::SlurmOverview slurm = here != nullptr ? open_slurm_tasks(*here) : executor::SlurmOverview();
    // A trial whose driver is gone is not lost while Slurm has its job.
    const auto kept = std::count_if(slurm.tasks.begin(), slurm.tasks.end(), [&](const executor::SlurmTask& task) {
        return task.state != "lost" && study.trial(task.id)->state == TrialState::lost;
    });
    counts.running += kept;
    counts.lost -= kept;
    const auto best = study.best();
    const auto budget = study.settings().budget;
    if (given.json) {
        Json json = {{"name", study.name()},          {"goal", to_string(study.options().goal)},
                     {"database", study.database()},  {"budget", budget ? Json(*budget) : Json(nullptr)},
                     {"issued", counts.issued()},     {"running", counts.running},
                     {"waiting", counts.waiting},     {"lost", counts.lost},
                     {"completed", counts.completed}, {"failed", counts.failed},
                     {"abandoned", counts.abandoned}, {"added", counts.added}};
        if (!slurm.trouble.empty()) json["slurm_trouble"] = slurm.trouble;
        for (const executor::SlurmTask& task : slurm.tasks)
            json["slurm"].push_back(
                {{"id", task.id}, {"job", task.name}, {"state", task.state}, {"detail", task.detail}});
        json["best"] = best ? Json{{"id", best->id}, {"value", *best->value}} : Json(nullptr);
        std::cout << dumped(json) << '\n';
        return;
    }
    std::cout << study.name() << " (" << to_string(study.options().goal) << ", " << study.space().size()
              << " parameters, seed " << study.options().seed << ") in " << study.database() << '\n';
    std::cout << "issued     " << counts.issued() << (budget ? " of " + std::to_string(*budget) : "") << '\n'
              << "completed  " << counts.completed << '\n'
              << "failed     " << counts.failed << '\n'
              << "running    " << counts.running << '\n';
    print_slurm(slurm);
    if (counts.added > 0) std::cout << "added      " << counts.added << " of these, outside the budget\n";
    if (counts.waiting > 0) std::cout << "waiting    " << counts.waiting << " (they come with the next ask)\n";
    if (counts.lost > 0)
        std::cout << "lost       " << counts.lost << " (their leases have ended; they will be issued again)\n";
    if (counts.abandoned > 0) std::cout << "abandoned  " << counts.abandoned << '\n';
    std::cout << "best       "
              << (best ? short_number(*best->value) + " (trial " + std::to_string(best->id) + ")" : "none yet") << '\n';
}

void print_point(const SearchSpace& space, const Point& values) {
    for (std::size_t j = 0; j < space.size(); ++j)
        std::cout << "  " << name_of(space[j]) << " = " << to_text(values[j]) << '\n';
}

// Nobody asked for it: what the model thinks is worth a line only if another trial may have the best value by chance or mistake.
std::optional<Recommended> where_best_misleads(const AnyStudy& study, std::int64_t best) {
    try {
        const auto found = study.recommended();
        return found && found->best_misleads() && found->id != best ? found : std::nullopt;
    } catch (const Error&) {
        return {};  // the best value can be shown without a model
    }
}

void print_recommended(const SearchSpace& space, const Recommended& recommended, std::int64_t best) {
    const std::string expected = plot::with_uncertainty(recommended.mean, recommended.stddev);
    if (recommended.best_doubted)
        std::cout << "The best value is far from what the others foretell: it is taken for an error of its evaluation "
                     "and has no say.\n";
    if (recommended.noisy)
        std::cout << "Values are noisy: the model sees ± " << plot::short_number(recommended.noise_stddev, 2)
                  << " in each, so the best one is mostly the luckiest.\n";
    if (recommended.id == best) {
        std::cout << "The model expects " << expected << " there without noise, and more of no other trial.\n";
        return;
    }
    std::cout << "recommended  trial " << recommended.id << ": the model expects most of it, " << expected
              << " without noise (told " << short_number(recommended.value) << ")\n";
    print_point(space, recommended.values);
}

void show_best(const ShowArguments& given) {
    const auto opened = given.study.any_existing();
    const AnyStudy& study = *opened;
    const auto best = study.best();
    if (!best) throw InvalidArgument("study \"" + study.name() + "\" has no completed trial yet");
    if (given.command) {
        if (study.settings().command.empty())
            throw InvalidArgument("study \"" + study.name() + "\" has no command; it is asked and told by hand");
        const study::Launch launch{study.name(), best->id, best->attempt, best->values, "."};
        std::cout << study::shell_command(study.settings(), study.space(), launch) << '\n';
        return;
    }
    const auto recommended = given.recommended ? study.recommended()
                             : given.json      ? std::nullopt
                                               : where_best_misleads(study, best->id);
    if (given.json) {
        Json json = {
            {"id", best->id},
            {"value", *best->value},
            {"parameters", Json::parse(study::point_to_json(study.space(), best->values, study.settings().literals))}};
        if (recommended)
            json["recommended"] =
                Json::parse(study::recommended_to_json(study.space(), study.settings().literals, *recommended));
        std::cout << dumped(json) << '\n';
        return;
    }
    std::cout << "value  " << to_text(*best->value) << "\ntrial  " << best->id << '\n';
    for (const auto& [name, value] : best->also) std::cout << name << ": " << to_text(value) << '\n';
    print_point(study.space(), best->values);
    if (recommended)
        print_recommended(study.space(), *recommended, best->id);
    else if (given.recommended)
        std::cout << "There is no model yet that could recommend a trial.\n";
}

void show_structure(const ShowArguments& given) {
    const auto opened = given.study.any_existing();
    const AnyStudy& study = *opened;
    const StructureView structure = study.structure();
    if (given.json) {
        std::cout << study::structure_to_json(structure) << '\n';
        return;
    }
    std::cout << structure_text(structure);
    if (structure.pair_probability.empty()) return;
    std::vector<std::pair<double, std::string>> pairs;
    for (std::size_t i = 0; i < structure.names.size(); ++i)
        for (std::size_t j = i + 1; j < structure.names.size(); ++j)
            pairs.emplace_back(structure.pair_probability[i][j], structure.names[i] + ", " + structure.names[j]);
    std::stable_sort(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::cout << "Pairs, by the probability that they belong together:\n";
    for (std::size_t k = 0; k < pairs.size() && k < 20; ++k)
        std::cout << "  " << std::fixed << std::setprecision(3) << pairs[k].first << "  " << pairs[k].second << '\n';
    if (pairs.size() > 20) std::cout << "  ... and " << pairs.size() - 20 << " more (--json shows all)\n";
}

std::shared_ptr<ShowArguments> add_view(CLI::App& parent, const std::string& name, const std::string& description,
                                        const std::string& example, void (*show)(const ShowArguments&)) {
    CLI::App* command = add_command(parent, name, description, example);
    auto given = std::make_shared<ShowArguments>();
    add_study_argument(*command, given->study, Where::anywhere);
    command->add_flag("--json", given->json, "As a JSON object");
    if (name == "best")
        command->add_flag(
            "--recommended", given->recommended,
            "Also the trial that the model expects most of: with noise the best value is mostly the luckiest");
    command->callback([given, show] { show(*given); });
    return given;
}

}  // namespace

void add_structure_show(CLI::App& structure) {
    add_view(structure, "show", "Show the groups a study has learned and the probability of each pair",
             "summand structure show study.toml", show_structure);
}

void add_show(CLI::App& app) {
    add_view(app, "status", "Show how far a study is", "summand status study.toml", show_status);
    const auto given =
        add_view(app, "best", "Show the best trial",
                 "summand best study.toml --json\n  sh -c \"$(summand best study.toml --command)\"", show_best);
    app.get_subcommand("best")->add_flag("--command", given->command, "The command that runs its program, for a shell");
}

}  // namespace summand::cli
