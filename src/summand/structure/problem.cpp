// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/problem.hpp"

#include "summand/base/error.hpp"
#include "summand/structure/summary.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace summand::structure {
namespace {

constexpr double largest_coordinate = 1e100;  // its square, and that of D of them, is finite

void check_data(const Matrix& X, const Vector& y, const LearnOptions& options) {
    const std::string where = "learn_structure: ";
    if (X.rows() != y.size())
        throw InvalidArgument(where + "X has " + std::to_string(X.rows()) + " rows and y has " +
                              std::to_string(y.size()) + " values; each point needs one value");
    if (X.rows() < 2 || X.cols() < 1)
        throw InvalidArgument(where + std::to_string(X.rows()) + " points of " + std::to_string(X.cols()) +
                              " parameters were given; at least 2 points and 1 parameter are needed");
    if (!X.allFinite() || !y.allFinite())
        throw InvalidArgument(where + "X or y holds NaN or an infinite value; leave such points out");
    if (X.cwiseAbs().maxCoeff() > largest_coordinate)
        throw InvalidArgument(where +
                              "X holds a coordinate beyond 1e100; points lie in the unit cube, so scale every "
                              "parameter to [0, 1]");
    if (y.maxCoeff() == y.minCoeff())
        throw InvalidArgument(where + "all values of y are equal; nothing can be learned from a constant");
    if (!options.unordered.empty() && static_cast<Index>(options.unordered.size()) != X.cols())
        throw InvalidArgument(where + "`unordered` has " + std::to_string(options.unordered.size()) + " entries for " +
                              std::to_string(X.cols()) + " parameters; give one for each, or none");
    for (const Partition& partition : options.warm_start)
        if (partition.dimension() != X.cols())
            throw InvalidArgument(where + "a warm start has " + std::to_string(partition.dimension()) +
                                  " parameters, the data " + std::to_string(X.cols()) + "; they must agree");
}

Vector expanded(const Vector& lengthscale, Index dimension) {
    return lengthscale.size() == dimension ? lengthscale : Vector::Constant(dimension, lengthscale(0)).eval();
}

}  // namespace

Problem::Problem(const Matrix& X_, const Vector& y_, const LearnOptions& options_, Index default_group_size)
    : X((check_data(X_, y_, options_), X_)), told(y_), y(y_), options(options_), prior(options_.prior, X_.cols()) {
    max_group_size = std::clamp<Index>(options.max_group_size.value_or(default_group_size), 0, X.cols());
    if (max_group_size < 1 || max_group_size * prior.labels() < X.cols())
        throw InvalidArgument("learn_structure: groups of at most " + std::to_string(max_group_size) +
                              " parameters under " + std::to_string(prior.labels()) + " labels cannot hold " +
                              std::to_string(X.cols()) + " parameters; raise max_group_size or the number of labels");
    for (const Partition& partition : options.warm_start) check_labels(partition, "a warm start");
    mean = y.mean();
    if (const auto* given = std::get_if<GivenHyperparameters>(&options.hyperparameters)) mean = given->mean;
    scale = std::sqrt((y.array() - y.mean()).square().mean());
    y = (y.array() - mean) / scale;
}

void Problem::check_labels(const Partition& partition, const std::string& what) const {
    if (partition.group_count() > prior.labels())
        throw InvalidArgument("learn_structure: " + what + " has " + std::to_string(partition.group_count()) +
                              " groups, the prior has " + std::to_string(prior.labels()) +
                              " labels; give it a label for each group, or leave their number out");
}

Problem Problem::with_rows(const std::vector<Index>& rows) const {
    return Problem(X(rows, Eigen::all), told(rows), options, max_group_size);
}

Improvement Problem::limits() const {
    if (learned()) return {};
    const auto& given = std::get<GivenHyperparameters>(options.hyperparameters);
    return {.noise_only = true, .noise_floor = given.noise_variance / (scale * scale)};
}

Setting Problem::start() const {
    const GivenHyperparameters* known = std::get_if<GivenHyperparameters>(&options.hyperparameters);
    const auto* learn = std::get_if<LearnedHyperparameters>(&options.hyperparameters);
    if (learn && learn->start && learn->start->lengthscale.size() > 0) known = &*learn->start;
    if (known)
        return {expanded(known->lengthscale, dimension()), known->variance / (scale * scale),
                known->noise_variance / (scale * scale)};
    return {Vector::Constant(dimension(), 0.2), 4.0 / static_cast<double>(dimension()), 0.1};
}

std::unique_ptr<GramEvidence> Problem::gram_evidence(int threads) const {
    const auto family = std::visit([](const auto& h) { return h.family; }, options.hyperparameters);
    return std::make_unique<GramEvidence>(family, X, y, options.unordered, prior.labels(), start(), threads);
}

std::unique_ptr<GramEvidence> Problem::gram_evidence(const std::vector<Index>& rows, const Setting& setting,
                                                     int threads) const {
    const auto family = std::visit([](const auto& h) { return h.family; }, options.hyperparameters);
    return std::make_unique<GramEvidence>(family, X(rows, Eigen::all), y(rows), options.unordered, prior.labels(),
                                          setting, threads);
}

double Problem::log_likelihood_of_told(double log_likelihood) const {
    return log_likelihood - static_cast<double>(X.rows()) * std::log(scale);
}

void Problem::check_stop() const {
    if (options.stop.stop_requested()) throw Interrupted();
}

AfterSweep Problem::reporter(int chain, int before, int sweeps) const {
    return [=, this](int done, double noise_variance, double log_likelihood) {
        check_stop();
        if (!options.progress) return;
        const std::lock_guard lock(reporting_);
        options.progress({chain, before + done, sweeps, noise_variance, log_likelihood});
    };
}

StructurePosterior Problem::summarise(const std::vector<ChainSamples>& chains, BestBy best_by) const {
    StructurePosterior posterior;
    posterior.points_used = X.rows();
    posterior.partitions = distinct(chains);
    for (WeightedPartition& entry : posterior.partitions)
        entry.log_likelihood = log_likelihood_of_told(entry.log_likelihood);
    const auto score = [&](const WeightedPartition& entry) {
        if (best_by == BestBy::likelihood) return entry.log_likelihood;
        return entry.log_likelihood + prior.log_mass(Assignment(entry.partition, prior.labels()).counts());
    };
    const auto best = std::max_element(posterior.partitions.begin(), posterior.partitions.end(),
                                       [&](const auto& a, const auto& b) { return score(a) < score(b); });
    posterior.best = best->partition;
    posterior.log_likelihood = best->log_likelihood;
    for (const ChainSamples& chain : chains)
        posterior.samples.insert(posterior.samples.end(), chain.partitions.begin(), chain.partitions.end());
    posterior.pair_probability = pair_probability(posterior.partitions);
    posterior.consensus = consensus_of(posterior.pair_probability, max_group_size);
    posterior.effective_samples = effective_samples(chains);
    return posterior;
}

void Problem::describe(StructurePosterior& posterior, const Evidence& evidence) const {
    const Setting& setting = evidence.setting();
    posterior.hyperparameters.family = std::visit([](const auto& h) { return h.family; }, options.hyperparameters);
    posterior.hyperparameters.lengthscale = setting.lengthscale;
    posterior.hyperparameters.variance = setting.variance * scale * scale;
    posterior.hyperparameters.noise_variance = setting.noise_variance * scale * scale;
    posterior.hyperparameters.mean = mean;
    posterior.noise_share = setting.noise_variance;
}

}  // namespace summand::structure
