// SPDX-License-Identifier: Apache-2.0
#include "problems/additive.hpp"

#include "problems/parameters.hpp"
#include "summand/base/error.hpp"

#include <cmath>
#include <utility>

namespace summand::problems {
namespace {

Vector part_of(const Vector& x, const std::vector<Index>& group) {
    return x(group);
}

void check_prior(const std::string& name, const Options& options) {
    const auto fail = [&](const std::string& what) { throw InvalidArgument("problem \"" + name + "\": " + what); };
    if (options.dimension.value() < 2) fail("it has at least two groups, so give dimension 2 or more");
    if (!(options.lengthscale >= 0.03 && options.lengthscale <= 10.0))
        fail("lengthscale " + to_text(options.lengthscale) +
             " was given; it must be from 0.03 to 10 (the number of terms grows with its inverse cubed)");
    if (!(options.variance > 0.0) || !std::isfinite(options.variance))
        fail("variance " + to_text(options.variance) + " was given; it must be above 0");
    if (options.largest_group < 1 || options.largest_group > 4)
        fail("largest group " + std::to_string(options.largest_group) + " was given; it must be from 1 to 4");
}

}  // namespace

Partition random_partition(Index dimension, int largest_group, Rng rng) {
    if (dimension < 2) throw InvalidArgument("random_partition: two groups need at least two parameters");
    const double log_weight[] = {0.0, std::log(3.0), std::log(2.0), std::log(2.0)};
    std::vector<std::vector<Index>> groups;
    while (groups.size() < 2) {
        groups.clear();
        const auto order = rng.permutation(dimension);
        for (auto next = order.begin(); next != order.end();) {
            const auto size = 1 + rng.categorical_log({log_weight, log_weight + largest_group});
            const auto end = next + std::min<std::ptrdiff_t>(size, order.end() - next);
            groups.emplace_back(next, end);
            next = end;
        }
    }
    return Partition::from_groups(groups, dimension);
}

AdditiveFunction::AdditiveFunction(Index dimension, const Options& options) {
    const Rng rng = Rng::from_seed(options.seed).stream("problem/additive");
    partition_ = random_partition(dimension, options.largest_group, rng.stream("groups"));
    const auto basis = std::make_shared<const SeBasis>(options.lengthscale);
    for (Index m = 0; m < partition_.group_count(); ++m)
        components_.emplace_back(basis, static_cast<Index>(partition_.group(m).size()), options.variance,
                                 rng.stream("component", {m}));
}

double AdditiveFunction::value(const Vector& x) const {
    double sum = 0.0;
    for (std::size_t m = 0; m < components_.size(); ++m)
        sum += components_[m].value(part_of(x, partition_.groups()[m]));
    return sum;
}

double AdditiveFunction::covariance(const Vector& x, const Vector& y) const {
    double sum = 0.0;
    for (std::size_t m = 0; m < components_.size(); ++m) {
        const auto& group = partition_.groups()[m];
        sum += components_[m].covariance(part_of(x, group), part_of(y, group));
    }
    return sum;
}

Best AdditiveFunction::maximum() const {
    Best best{0.0, Best::Kind::optimum, Vector(partition_.dimension())};
    for (std::size_t m = 0; m < components_.size(); ++m) {
        const auto found = components_[m].maximum();
        best.value += found.value;
        (*best.at)(partition_.groups()[m]) = found.at;
    }
    return best;
}

Problem make_additive(const std::string& name, const Options& options) {
    check_prior(name, options);
    const Index D = options.dimension.value();
    const auto function = std::make_shared<const AdditiveFunction>(D, options);
    Problem problem(name, make_space(numbered(D, 0.0, 1.0), options), options,
                    with_value_noise([function](const Vector& x) { return function->value(x); }, options),
                    [function] { return function->maximum(); });
    problem.true_partition = function->partition();
    return problem;
}

}  // namespace summand::problems
