// SPDX-License-Identifier: Apache-2.0
#include "experiments/search.hpp"

#include "problems/problem.hpp"
#include "summand/structure/two_level.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace summand::experiments {
namespace {

using namespace summand::structure;
using nlohmann::json;

constexpr double noise_stddev = 0.01;

/// Of the paper's functions: bandwidth 0.1, scale 5.
GivenHyperparameters true_hyperparameters() {
    return {.lengthscale = Vector::Constant(1, 0.1), .variance = 5.0, .noise_variance = noise_stddev * noise_stddev};
}

Matrix uniform_points(Rng rng, Index points, Index dimension) {
    Matrix X(points, dimension);
    for (Index i = 0; i < points; ++i)  // by rows: fewer points are the first of more
        for (Index j = 0; j < dimension; ++j) X(i, j) = rng.uniform();
    return X;
}

Vector values_at(const problems::Problem& problem, const Matrix& X) {
    Vector y(X.rows());
    // Repeats of a point differ in their noise.
    for (Index i = 0; i < X.rows(); ++i)
        y(i) = problem.evaluate_unit(X.row(i).transpose(), static_cast<std::uint64_t>(i));
    return y;
}

LearnOptions options_of(const Searcher& searcher) {
    LearnOptions options;
    options.prior.alpha = {searcher.alpha};
    if (searcher.given) options.hyperparameters = true_hyperparameters();
    return options;
}

json to_json(const Learner& learner) {
    if (const auto* gibbs = std::get_if<Gibbs>(&learner))
        return {{"name", "gibbs"}, {"sweeps", gibbs->sweeps}, {"burn_in", gibbs->burn_in}};
    const auto& chains = std::get<AnnealedChains>(learner);
    return {{"name", "annealed"},
            {"chains", chains.chains},
            {"max_sweeps", chains.max_sweeps},
            {"samples", chains.samples}};
}

std::string definition_of_search(int dimension, int points, const Searcher& searcher, std::uint64_t seed) {
    return json{{"dimension", dimension},
                {"points", points},
                {"design", searcher.two_level ? "structure-finding" : "uniform"},
                {"noise_stddev", noise_stddev},
                {"learner", to_json(searcher.learner)},
                {"hyperparameters", searcher.given ? "given" : "learned"},
                {"alpha", searcher.alpha},
                {"seed", seed}}
        .dump();
}

/// The scores of the samples, averaged; of the best sample its likelihood against the truth's, both at the true kernel.
std::map<std::string, double> scores_of(const StructurePosterior& found, const Partition& truth, const Matrix& X,
                                        const Vector& y) {
    std::map<std::string, double> scores;
    const auto n = static_cast<double>(found.samples.size());
    for (const Partition& sample : found.samples) {
        const PairScores s = compare(sample, truth);
        scores["together"] += s.together / n;
        scores["separated"] += s.separated / n;
        scores["rand_index"] += s.rand_index / n;
        scores["precision"] += s.precision / n;
        scores["f1"] += s.f1 / n;
    }
    LearnOptions exact;
    exact.hyperparameters = true_hyperparameters();
    const auto likelihood = [&](const Partition& partition) {
        return learn_structure(X, y, Known{partition}, Rng::from_seed(0), exact).log_likelihood;
    };
    scores["likelihood_gap"] = likelihood(found.best) - likelihood(truth);
    scores["exact"] = found.best == truth ? 1.0 : 0.0;
    return scores;
}

}  // namespace

std::string search_panel(int dimension, int points) {
    return "D=" + std::to_string(dimension) + " N=" + std::to_string(points);
}

Result run_search(int dimension, int points, const Searcher& searcher, std::uint64_t seed) {
    const problems::Problem problem =
        problems::make("additive-" + std::to_string(dimension), {.seed = seed, .noise_stddev = noise_stddev});
    const Rng rng = Rng::from_seed(seed).stream("experiment/search", {dimension});
    const Matrix X = searcher.two_level ? two_level_design(rng.stream("two-level"), dimension, points)
                                        : uniform_points(rng.stream("uniform"), points, dimension);
    const Vector y = values_at(problem, X);
    const StructurePosterior found = learn_structure(X, y, searcher.learner, rng.stream("learn"), options_of(searcher));
    return {.definition = definition_of_search(dimension, points, searcher, seed),
            .numbers = scores_of(found, problem.true_partition.value(), X, y)};
}

Experiment search_experiment(Search search, const Size& size) {
    if (size.quick) search.name += "-quick";
    Experiment experiment{
        .name = search.name, .source = search.source, .summary = search.summary, .cells_from = search.name};
    struct Place {
        int dimension = 0, points = 0;
    };
    std::map<std::string, Place> places;
    for (const int D : search.dimensions)
        for (const int N : search.points) places[search_panel(D, N)] = {D, N};

    const int repeats = size.repeats.value_or(size.quick ? 2 : search.repeats);
    for (int repeat = 0; repeat < repeats; ++repeat)
        for (auto D = search.dimensions.rbegin(); D != search.dimensions.rend(); ++D)
            for (auto N = search.points.rbegin(); N != search.points.rend(); ++N)
                for (const Searcher& searcher : search.searchers)
                    if (!searcher.most_functions || repeat < searcher.most_functions(*D))
                        experiment.cells.push_back(
                            {.panel = search_panel(*D, *N), .method = searcher.name, .repeat = repeat});

    const auto with_cell = [=](const Cell& cell, const auto& act) {
        const Place place = places.at(cell.panel);
        const auto searcher = std::ranges::find(search.searchers, cell.method, &Searcher::name);
        return act(place.dimension, place.points, *searcher,
                   1000 * size.seed + static_cast<std::uint64_t>(cell.repeat));
    };
    experiment.definition = [=](const Cell& cell) { return with_cell(cell, definition_of_search); };
    experiment.run = [=](const Cell& cell) {
        Result result = with_cell(cell, run_search);
        result.cell = cell;
        return result;
    };
    experiment.report = [=](const std::vector<Result>& results) { return search_report(search, results); };
    return experiment;
}

}  // namespace summand::experiments
