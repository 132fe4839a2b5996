// SPDX-License-Identifier: Apache-2.0
// How well structures are recovered: the table of docs/structure.md.
//
//   summand_structure_recovery [CELL ..] [--functions N] [--first F] [--threads T]
//
// A cell is D,N,POINTS[,NOISE][,learned|given], for instance 20,70,two-level or 20,450,uniform,0.01,given; without one, all
// cells of the table are run. Functions are exact draws from an additive GP: lengthscale 0.1, variance 5 a component,
// groups of at most 3, noise sd 0.01 (or NOISE). One line a function, then one a cell.
// With a problem's name for D (ackley-20,100,uniform), the verdict on that problem, a line for each design.
#include "problems/additive.hpp"
#include "problems/problem.hpp"
#include "summand/base/error.hpp"
#include "summand/numeric/cholesky.hpp"
#include "summand/structure/learner.hpp"
#include "summand/structure/two_level.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace summand;
using namespace summand::structure;

constexpr double lengthscale = 0.1, variance = 5.0;

struct Cell {
    Index dimension = 0, points = 0;
    bool two_level = true, given = false;
    double noise_stddev = 0.01;
};

Cell parse_cell(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> parts;
    for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
    if (parts.size() < 3)
        throw InvalidArgument("cell \"" + text +
                              "\": D,N,uniform or D,N,two-level is needed, for example 20,70,two-level");
    Cell cell{std::stol(parts[0]), std::stol(parts[1]), parts[2] == "two-level"};
    for (std::size_t i = 3; i < parts.size(); ++i) {
        if (parts[i] == "given" || parts[i] == "learned")
            cell.given = parts[i] == "given";
        else
            cell.noise_stddev = std::stod(parts[i]);
    }
    return cell;
}

Matrix uniform_points(Rng rng, Index points, Index dimension) {
    Matrix X(points, dimension);
    for (double& value : X.reshaped()) value = rng.uniform();
    return X;
}

Vector exact_draw(Rng rng, const Matrix& X, const Partition& partition, double noise_stddev) {
    const Vector scales = Vector::Constant(X.cols(), lengthscale);
    Matrix K = Matrix::Zero(X.rows(), X.rows());
    for (const auto& group : partition.groups())
        K += group_gram(KernelFamily::squared_exponential, group, variance, scales, {}, X, X);
    K.diagonal().array() += noise_stddev * noise_stddev;
    Vector white(X.rows());
    for (double& value : white) value = rng.normal();
    return Cholesky::try_factor(std::move(K)).value().times_lower(white);
}

struct Score {
    double together = 0.0, separated = 0.0, cpu_seconds = 0.0;
    double gap = 0.0;          // log likelihood of the best minus the truth's
    double sampled_gap = 0.0;  // the same for the most likely of all samples
    bool exact = false;
};

double mean_score(const std::vector<Partition>& samples, const Partition& truth, double PairScores::*score) {
    double sum = 0;
    for (const Partition& sample : samples) sum += compare(sample, truth).*score;
    return sum / static_cast<double>(samples.size());
}

Score run_function(const Cell& cell, int function, int threads) {
    const Rng rng =
        Rng::from_seed(static_cast<std::uint64_t>(function)).stream("recovery", {cell.dimension, cell.points});
    const Partition truth = problems::random_partition(cell.dimension, 3, rng.stream("groups"));
    const Matrix X = cell.two_level ? two_level_design(rng.stream("points"), cell.dimension, cell.points)
                                    : uniform_points(rng.stream("points"), cell.points, cell.dimension);
    const Vector y = exact_draw(rng.stream("values"), X, truth, cell.noise_stddev);
    LearnOptions exact_model, options;
    exact_model.hyperparameters = GivenHyperparameters{.lengthscale = Vector::Constant(1, lengthscale),
                                                       .variance = variance,
                                                       .noise_variance = cell.noise_stddev * cell.noise_stddev};
    if (cell.given) options.hyperparameters = exact_model.hyperparameters;
    options.threads = threads;
    const std::clock_t start = std::clock();
    const StructurePosterior found = learn_structure(X, y, AnnealedChains{}, rng.stream("learn"), options);
    Score score;
    score.cpu_seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    score.exact = found.best == truth;
    score.together = mean_score(found.samples, truth, &PairScores::together);
    score.separated = mean_score(found.samples, truth, &PairScores::separated);
    // Both likelihoods at the hyperparameters the function was drawn with.
    const auto likelihood = [&](const Partition& partition) {
        return learn_structure(X, y, Known{partition}, rng, exact_model).log_likelihood;
    };
    const double at_truth = likelihood(truth);
    score.sampled_gap = score.gap = likelihood(found.best) - at_truth;
    for (const WeightedPartition& entry : found.partitions)
        score.sampled_gap = std::max(score.sampled_gap, likelihood(entry.partition) - at_truth);
    std::printf(
        "  function %d: exact %d, together %.3f, separated %.4f, likelihood - truth's %.2f (samples %.2f), %s "
        "(unexplained %.3g, agreement %.2f), %d sweeps, %.1f s\n",
        function, score.exact, score.together, score.separated, score.gap, score.sampled_gap,
        name_of(found.verdict).c_str(), found.noise_share, found.chain_agreement, found.sweeps, score.cpu_seconds);
    std::fflush(stdout);
    return score;
}

void run_cell(const Cell& cell, int first, int functions, int threads) {
    double together = 0, separated = 0, seconds = 0;
    int exact = 0, close = 0, sampled_close = 0, hopeful = 0;
    for (int f = first; f < first + functions; ++f) {
        const Score score = run_function(cell, f, threads);
        together += score.together / functions;
        separated += score.separated / functions;
        seconds += score.cpu_seconds / functions;
        exact += score.exact;
        // Where something else explains the data better than the truth, the truth is not what a search can find.
        const bool truth_is_best = score.sampled_gap <= 0;
        hopeful += truth_is_best;
        close += truth_is_best && score.gap >= -1.0;
        sampled_close += truth_is_best && score.sampled_gap >= -1.0;
    }
    std::printf(
        "| %ld, %ld, %s, noise %g, %s | %d functions | together %.3f | separated %.4f | exact %d | within 1 nat %d, a "
        "sample %d, of %d | %.1f s |\n",
        static_cast<long>(cell.dimension), static_cast<long>(cell.points), cell.two_level ? "two-level" : "uniform",
        cell.noise_stddev, cell.given ? "given" : "nothing given", functions, together, separated, exact, close,
        sampled_close, hopeful, seconds);
    std::fflush(stdout);
}

void run_problem(const std::string& text, int first, int functions, int threads) {
    const std::size_t comma = text.find(',');
    const problems::Problem problem = problems::make(text.substr(0, comma));
    const Cell cell = parse_cell(std::to_string(problem.dimension()) + text.substr(std::min(comma, text.size())));
    for (int f = first; f < first + functions; ++f) {
        const Rng rng = Rng::from_seed(static_cast<std::uint64_t>(f)).stream("verdict");
        const Matrix X = cell.two_level ? two_level_design(rng.stream("points"), cell.dimension, cell.points)
                                        : uniform_points(rng.stream("points"), cell.points, cell.dimension);
        Vector y(cell.points);
        for (Index i = 0; i < cell.points; ++i) y(i) = problem.evaluate_unit(X.row(i).transpose());
        LearnOptions options;
        options.threads = threads;
        const std::clock_t start = std::clock();
        const StructurePosterior found = learn_structure(X, y, AnnealedChains{}, rng.stream("learn"), options);
        std::printf("  %s, design %d: %s (unexplained %.3g, agreement %.2f), %d sweeps, %.1f s\n    %s\n    %s\n",
                    text.c_str(), f, name_of(found.verdict).c_str(), found.noise_share, found.chain_agreement,
                    found.sweeps, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC,
                    found.verdict_text.c_str(), to_text(found.best).c_str());
        std::fflush(stdout);
    }
}

int run(const std::vector<std::string>& arguments) {
    std::vector<std::string> cells;
    int functions = 10, first = 0, threads = 1;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto number = [&] { return std::stoi(arguments.at(++i)); };
        if (arguments[i] == "--functions")
            functions = number();
        else if (arguments[i] == "--first")
            first = number();
        else if (arguments[i] == "--threads")
            threads = number();
        else
            cells.push_back(arguments[i]);
    }
    if (cells.empty())
        cells = {"10,450,uniform,given", "10,450,uniform",      "20,450,uniform,given", "20,450,uniform",
                 "20,70,two-level",      "50,200,two-level",    "100,450,two-level",    "200,900,two-level",
                 "20,250,two-level,0.7", "50,400,two-level,0.7"};
    for (const std::string& cell : cells) {
        if (cell.front() >= '0' && cell.front() <= '9')
            run_cell(parse_cell(cell), first, functions, threads);
        else
            run_problem(cell, first, functions, threads);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "summand_structure_recovery: %s\n", error.what());
        return 2;
    }
}
