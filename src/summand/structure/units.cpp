// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/units.hpp"

#include "summand/base/error.hpp"
#include "summand/numeric/working_units.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace summand::structure {
namespace {

// Ratios and squares of these are still finite.
constexpr double smallest_variance = 1e-100, largest_variance = 1e100;
constexpr double shortest = 1e-50, longest = 1e50;

bool within(double value, double low, double high) {
    return value >= low && value <= high;
}

void check(const GivenHyperparameters& given, Index dimension) {
    const bool sizes = given.lengthscale.size() == 1 || given.lengthscale.size() == dimension;
    if (!sizes || !within(given.lengthscale.minCoeff(), shortest, longest) ||
        !within(given.lengthscale.maxCoeff(), shortest, longest) ||
        !within(given.variance, smallest_variance, largest_variance) ||
        !within(given.noise_variance, smallest_variance, largest_variance) || !std::isfinite(given.mean))
        throw InvalidArgument("learn_structure: given hyperparameters need one lengthscale, or one for each of the " +
                              std::to_string(dimension) +
                              " parameters, all above 0 (1e-50 to 1e50), variance and noise variance above 0 (1e-100 "
                              "to 1e100), and a finite mean");
}

GivenHyperparameters in_units(GivenHyperparameters given, double unit) {
    const auto squared = [&](double variance) {
        return std::clamp(variance / unit / unit, smallest_variance, largest_variance);
    };
    given.variance = squared(given.variance);
    given.noise_variance = squared(given.noise_variance);
    given.mean = std::clamp(given.mean / unit, -largest_working_value, largest_working_value);
    return given;
}

}  // namespace

void check_hyperparameters(const LearnOptions& options, Index dimension) {
    if (const auto* given = std::get_if<GivenHyperparameters>(&options.hyperparameters)) check(*given, dimension);
    const auto* learned = std::get_if<LearnedHyperparameters>(&options.hyperparameters);
    if (learned && learned->start && learned->start->lengthscale.size() > 0) check(*learned->start, dimension);
}

LearnOptions in_units(LearnOptions options, double unit) {
    if (auto* given = std::get_if<GivenHyperparameters>(&options.hyperparameters)) *given = in_units(*given, unit);
    auto* learned = std::get_if<LearnedHyperparameters>(&options.hyperparameters);
    if (learned && learned->start) learned->start = in_units(*learned->start, unit);
    return options;
}

StructurePosterior in_users_units(StructurePosterior posterior, double unit) {
    const double nats = static_cast<double>(posterior.points_used) * std::log(unit);
    posterior.log_likelihood -= nats;
    for (WeightedPartition& entry : posterior.partitions) entry.log_likelihood -= nats;
    const auto convert = [&](auto& hyperparameters) {
        hyperparameters.noise_variance = summand::in_users_units(hyperparameters.noise_variance, unit, 2);
        hyperparameters.mean = summand::in_users_units(hyperparameters.mean, unit, 1);
    };
    convert(posterior.hyperparameters);
    posterior.hyperparameters.variance = summand::in_users_units(posterior.hyperparameters.variance, unit, 2);
    if (posterior.fitted) {
        convert(*posterior.fitted);
        for (double& variance : posterior.fitted->variance) variance = summand::in_users_units(variance, unit, 2);
    }
    return posterior;
}

}  // namespace summand::structure
