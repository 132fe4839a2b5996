// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "data_table.hpp"
#include "display.hpp"
#include "option_checks.hpp"
#include "summand/base/error.hpp"
#include "summand/space/parameter.hpp"
#include "summand/structure/learner.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace summand::cli {
namespace {

struct LearnArguments {
    std::string data = {}, value = {}, bounds = {}, hyperparameters = "learn", learner = "annealed";
    std::optional<int> sweeps = {}, chains = {}, threads = {};
    std::optional<long> max_group_size = {};
    double alpha = 1.0;
    std::uint64_t seed = 0;
    bool json = false;
};

std::atomic<bool> interrupted{false};

double positive(const std::string& text) {
    std::size_t used = 0;
    double value = 0;
    try {
        value = std::stod(text, &used);
    } catch (const std::exception&) {
        used = 0;
    }
    if (used != text.size() || !(value > 0) || !std::isfinite(value))
        throw InvalidArgument("--hyperparameters: \"" + text + "\" is not a number above 0");
    return value;
}

// "lengthscale=0.1,variance=5,noise_variance=1e-4"
structure::GivenHyperparameters parse_hyperparameters(const std::string& text) {
    structure::GivenHyperparameters given;
    std::vector<std::string> missing{"lengthscale", "variance", "noise_variance"};
    for (const std::string& part : CLI::detail::split(text, ',')) {
        const auto equals = part.find('=');
        const std::string name = part.substr(0, equals);
        const auto found = std::find(missing.begin(), missing.end(), name);
        if (equals == std::string::npos || found == missing.end())
            throw InvalidArgument(
                "--hyperparameters: \"" + part +
                "\" is not understood; write learn, or lengthscale=0.1,variance=5,noise_variance=1e-4 with each once");
        missing.erase(found);
        const double value = positive(part.substr(equals + 1));
        if (name == "lengthscale") given.lengthscale = Vector::Constant(1, value);
        if (name == "variance") given.variance = value;
        if (name == "noise_variance") given.noise_variance = value;
    }
    if (!missing.empty())
        throw InvalidArgument("--hyperparameters: " + missing.front() +
                              " is missing; give lengthscale, variance and noise_variance");
    return given;
}

// Given hyperparameters speak of parameters already in [0,1].
void check_unit_cube(const DataTable& table) {
    for (Index j = 0; j < table.X.cols(); ++j)
        if (table.X.col(j).minCoeff() < 0 || table.X.col(j).maxCoeff() > 1)
            throw InvalidArgument("--hyperparameters: a lengthscale is given, so parameters must lie in [0,1], but " +
                                  table.names[static_cast<std::size_t>(j)] + " goes from " +
                                  to_text(table.X.col(j).minCoeff()) + " to " + to_text(table.X.col(j).maxCoeff()) +
                                  "; scale it, or use --hyperparameters learn");
}

// One line on a terminal, drawn over itself.
void draw_progress(const structure::Progress& progress) {
    const int width = 30, filled = width * progress.sweep / std::max(1, progress.sweeps);
    std::fprintf(stderr, "\r[%s%s] chain %d, sweep %d, unexplained %.2g of var y   ",
                 std::string(static_cast<std::size_t>(filled), '#').c_str(),
                 std::string(static_cast<std::size_t>(width - filled), '.').c_str(), progress.chain + 1, progress.sweep,
                 progress.noise_share);
}

structure::Learner learner_of(const LearnArguments& arguments) {
    if (arguments.learner == "gibbs") {
        const int sweeps = arguments.sweeps.value_or(100);
        return structure::Gibbs{.sweeps = sweeps, .burn_in = sweeps / 2};
    }
    structure::AnnealedChains annealed;
    annealed.max_sweeps = arguments.sweeps.value_or(annealed.max_sweeps);
    annealed.chains = arguments.chains.value_or(annealed.chains);
    return annealed;
}

nlohmann::json named_groups(const Partition& partition, const std::vector<std::string>& names) {
    nlohmann::json groups = nlohmann::json::array();
    for (const auto& group : partition.groups()) {
        nlohmann::json members = nlohmann::json::array();
        for (const Index j : group) members.push_back(names[static_cast<std::size_t>(j)]);
        groups.push_back(members);
    }
    return groups;
}

void print_json(const structure::StructurePosterior& posterior, const std::vector<std::string>& names, double seconds) {
    nlohmann::json matrix = nlohmann::json::array();
    for (const auto& row : posterior.pair_probability.rowwise())
        matrix.push_back(std::vector<double>(row.begin(), row.end()));
    const nlohmann::ordered_json result{{"groups", named_groups(posterior.best, names)},
                                        {"log_likelihood", posterior.log_likelihood},
                                        {"pair_probability", {{"names", names}, {"matrix", matrix}}},
                                        {"sweeps", posterior.sweeps},
                                        {"seconds", seconds},
                                        {"verdict", name_of(posterior.verdict)}};
    std::cout << result.dump() << '\n';
}

void print_text(const structure::StructurePosterior& posterior, const std::vector<std::string>& names, double seconds) {
    const bool found = posterior.verdict == structure::Verdict::structure_found;
    std::printf("%s%s\n", found ? "groups          " : "best guess      ", to_text(posterior.best, names).c_str());
    std::printf("verdict         %s: %s\n", name_of(posterior.verdict).c_str(), posterior.verdict_text.c_str());
    std::printf("log likelihood  %.6g\n", posterior.log_likelihood);
    std::printf("unexplained     %.3g of the variance of y\n", posterior.noise_share);
    std::printf("sweeps          %d in %.2f s, agreement of chains %.2f\n", posterior.sweeps, seconds,
                posterior.chain_agreement);
    std::printf("pairs with probability 0.05 or more\n");
    bool any = false;
    for (Index i = 0; i < posterior.pair_probability.rows(); ++i)
        for (Index j = i + 1; j < posterior.pair_probability.cols(); ++j)
            if (posterior.pair_probability(i, j) >= 0.05) {
                any = true;
                std::printf("  %.2f  %s %s\n", posterior.pair_probability(i, j),
                            names[static_cast<std::size_t>(i)].c_str(), names[static_cast<std::size_t>(j)].c_str());
            }
    if (!any) std::printf("  none: every parameter stands alone\n");
}

void learn(const LearnArguments& arguments) {
    const DataTable table = read_data_table(arguments.data, arguments.value);
    if (table.left_out > 0) std::cerr << "summand: " << table.left_out << " lines without a value were left out\n";
    structure::LearnOptions options;
    options.prior.alpha = {arguments.alpha};
    options.threads = arguments.threads;
    if (arguments.max_group_size) options.max_group_size = *arguments.max_group_size;
    Matrix X = table.X;
    std::vector<std::string> names = table.names;
    if (arguments.hyperparameters == "learn") {
        X = scaled_to_unit_cube(table, arguments.bounds);
    } else {
        options.hyperparameters = parse_hyperparameters(arguments.hyperparameters);
        check_unit_cube(table);
    }
    for (const std::string& sentence : leave_out_silent(names, X)) std::cerr << "summand: " << sentence << '\n';
    std::stop_source stop;
    options.stop = stop.get_token();
    const bool terminal = can_redraw();
    std::signal(SIGINT, [](int) { interrupted = true; });
    options.progress = [&](const structure::Progress& progress) {
        if (interrupted) stop.request_stop();
        if (terminal) draw_progress(progress);
    };
    const auto start = std::chrono::steady_clock::now();
    const auto posterior = learn_structure(X, table.y, learner_of(arguments), Rng::from_seed(arguments.seed), options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (terminal) std::fprintf(stderr, "\r%80s\r", "");
    (arguments.json ? print_json : print_text)(posterior, names, seconds);
}

}  // namespace

void add_structure(CLI::App& app) {
    CLI::App* group = app.add_subcommand("structure", "Which parameters belong together");
    group->require_subcommand(1);
    CLI::App* command = group->add_subcommand("learn", "Learns the groups of parameters from a file of your own data");
    command->footer("Example:\n  summand structure learn data.csv --learner annealed");
    auto arguments = std::make_shared<LearnArguments>();
    command
        ->add_option(
            "data", arguments->data,
            "CSV file with a header: a column for each parameter, and value or y; also what `summand export` writes")
        ->required();
    command->add_option("--value", arguments->value, "The column of the values (default: value, or else y)")
        ->type_name("COLUMN");
    command
        ->add_option("--hyperparameters", arguments->hyperparameters,
                     "learn, or lengthscale=0.1,variance=5,noise_variance=1e-4 for parameters already in [0,1]")
        ->capture_default_str();
    command->add_option("--bounds", arguments->bounds,
                        "CSV file name,low,high of the parameters' ranges (default: the data's)");
    command
        ->add_option("--learner", arguments->learner, "annealed (several heated chains) or gibbs (the paper's sampler)")
        ->check(CLI::IsMember({"annealed", "gibbs"}))
        ->capture_default_str();
    add_renamed(*command, "--method", "--learner");
    command
        ->add_option("--sweeps", arguments->sweeps,
                     "most sweeps of the hot phase of a chain (200), or sweeps of gibbs (100, half of them burn-in)")
        ->check(at_least_one);
    command->add_option("--chains", arguments->chains, "most chains; fewer are run once two agree (4)")
        ->check(at_least_one);
    command->add_option("--max-group-size", arguments->max_group_size, "largest group (annealed: 5, gibbs: no limit)")
        ->check(at_least_one);
    command->add_option("--alpha", arguments->alpha, "Dirichlet parameter: small favours few, large groups")
        ->check(above_zero)
        ->capture_default_str();
    command->add_option("--seed", arguments->seed, "same seed, same result")
        ->check(not_negative)
        ->capture_default_str();
    command->add_option("--threads", arguments->threads, "at most so many; never changes a result (default: all cores)")
        ->check(at_least_one);
    command->add_flag("--json", arguments->json, "one JSON object on standard output");
    command->callback([arguments] { learn(*arguments); });
}

}  // namespace summand::cli
