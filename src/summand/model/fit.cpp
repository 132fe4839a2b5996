// SPDX-License-Identifier: Apache-2.0
#include "summand/model/fit.hpp"

#include "summand/base/error.hpp"
#include "summand/base/parallel.hpp"
#include "summand/model/likelihood.hpp"
#include "summand/model/value_limits.hpp"
#include "summand/numeric/bounded_minimize.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace summand {
namespace {

// Bounds on standardised y and the unit cube. The noise floor keeps every covariance well inside double precision.
struct Range {
    double low, high;
};
constexpr Range lengthscale_range{0.01, 30.0}, variance_range{1e-6, 100.0}, noise_range{1e-8, 1.0};

// What is searched: logarithms of (lengthscales, variances, noise variance). Isotropic: one lengthscale a group.
class Search {
  public:
    Search(const LikelihoodData& data, const FitOptions& options) : data_(data), options_(options) {}

    Index lengthscales() const { return options_.isotropic ? groups() : dimension(); }
    Index size() const { return lengthscales() + groups() + 1; }
    Vector low() const { return bound(&Range::low); }
    Vector high() const { return bound(&Range::high); }

    Hyperparameters at(const Vector& theta) const {
        Hyperparameters h{.lengthscale = Vector(dimension()),
                          .variance = theta.segment(lengthscales(), groups()).array().exp(),
                          .noise_variance = std::exp(theta[size() - 1])};
        for (Index j = 0; j < dimension(); ++j) h.lengthscale[j] = std::exp(theta[slot_of(j)]);
        return h;
    }
    Vector from(const Hyperparameters& h) const {
        Vector theta(size());
        for (Index j = dimension() - 1; j >= 0; --j) theta[slot_of(j)] = std::log(h.lengthscale[j]);
        theta.segment(lengthscales(), groups()) = h.variance.array().log();
        theta[size() - 1] = std::log(std::max(h.noise_variance, noise_range.low));
        return theta.cwiseMax(low()).cwiseMin(high());
    }

    // - log posterior and its gradient; infinite where the covariance cannot be factored.
    double operator()(const Vector& theta, Vector& gradient) const {
        const auto terms = likelihood_terms(data_, at(theta), true);
        if (!terms) return std::numeric_limits<double>::infinity();
        const double prior = log_prior(theta, gradient);
        for (Index j = 0; j < dimension(); ++j) gradient[slot_of(j)] += terms->lengthscale[j];
        gradient.segment(lengthscales(), groups()) += terms->variance;
        gradient[size() - 1] += terms->noise;
        gradient = -gradient;
        return -(terms->log_likelihood + prior);
    }

    // The middle of the prior, and random points around it.
    Vector default_start() const {
        Vector theta(size());
        for (Index i = 0; i < lengthscales(); ++i) theta[i] = typical_log_lengthscale(group_of_slot(i));
        theta.segment(lengthscales(), groups()).setConstant(typical_log_variance());
        theta[size() - 1] = options_.noise_log_location;
        return theta.cwiseMax(low()).cwiseMin(high());
    }
    Vector random_start(Rng rng) const {
        Vector theta = default_start();
        for (Index i = 0; i < size() - 1; ++i) theta[i] += 0.7 * rng.normal();
        theta[size() - 1] += options_.noise_log_scale * rng.normal();
        return theta.cwiseMax(low()).cwiseMin(high());
    }

  private:
    Index dimension() const { return data_.partition.dimension(); }
    Index groups() const { return data_.partition.group_count(); }
    Index slot_of(Index j) const { return options_.isotropic ? data_.partition.group_of(j) : j; }
    Index group_of_slot(Index slot) const { return options_.isotropic ? slot : data_.partition.group_of(slot); }
    double typical_log_variance() const { return -std::log(static_cast<double>(groups())); }

    Vector bound(double Range::*end) const {
        Vector result(size());
        result.head(lengthscales()).setConstant(std::log(lengthscale_range.*end));
        result.segment(lengthscales(), groups()).setConstant(std::log(variance_range.*end));
        result[size() - 1] = std::log(noise_range.*end);
        return result;
    }

    double log_normal_location(const LogNormalLengthscale& prior, Index m) const {
        return prior.location + 0.5 * std::log(static_cast<double>(data_.partition.group(m).size()));
    }
    double typical_log_lengthscale(Index m) const {
        if (const auto* gamma = std::get_if<GammaLengthscale>(&options_.lengthscale))
            return std::log(gamma->shape / gamma->rate);  // its mean
        if (const auto* pooled = std::get_if<PooledLengthscale>(&options_.lengthscale))
            return std::log(pooled->shape / pooled->rate);
        return log_normal_location(std::get<LogNormalLengthscale>(options_.lengthscale), m);
    }

    // docs/math.md, eq. M8 to M10. Writes the gradient.
    double log_prior(const Vector& theta, Vector& gradient) const {
        gradient.setZero(size());
        double total = 0;
        const auto normal = [&](Index i, double location, double scale) {
            const double z = (theta[i] - location) / scale;
            gradient[i] -= z / scale;
            total -= 0.5 * z * z;
        };
        const Index count = lengthscales();
        if (const auto* pooled = std::get_if<PooledLengthscale>(&options_.lengthscale)) {
            // Deviations from the mean sum to zero, so the mean's own part of their gradient vanishes.
            const double centre = theta.head(count).mean(), scale = std::exp(centre);
            total += (pooled->shape - 1) * centre - pooled->rate * scale;
            gradient.head(count).array() += (pooled->shape - 1 - pooled->rate * scale) / static_cast<double>(count);
            for (Index i = 0; i < count; ++i) normal(i, centre, pooled->spread);
        } else if (const auto* gamma = std::get_if<GammaLengthscale>(&options_.lengthscale)) {
            for (Index i = 0; i < count; ++i) {
                total += (gamma->shape - 1) * theta[i] - gamma->rate * std::exp(theta[i]);
                gradient[i] += gamma->shape - 1 - gamma->rate * std::exp(theta[i]);
            }
        } else {
            const auto& prior = std::get<LogNormalLengthscale>(options_.lengthscale);
            for (Index i = 0; i < count; ++i) normal(i, log_normal_location(prior, group_of_slot(i)), prior.scale);
        }
        for (Index m = 0; m < groups(); ++m)
            normal(lengthscales() + m, typical_log_variance(), options_.variance_log_scale);
        normal(size() - 1, options_.noise_log_location, options_.noise_log_scale);
        return total;
    }

    const LikelihoodData& data_;
    const FitOptions& options_;
};

struct Standardised {
    Vector y = {};
    double center = 0.0, unit = 1.0;
};

Standardised standardise(const Vector& y) {
    Standardised result{y};
    if (y.size() == 0) return result;
    result.center = y.mean();
    const double deviation = std::sqrt((y.array() - result.center).square().mean());
    if (deviation > smallest_deviation) result.unit = deviation;
    result.y = (y.array() - result.center) / result.unit;
    return result;
}

void check(const Partition& partition, const Matrix& X, const Vector& y, const std::vector<bool>& unordered,
           const FitOptions& options) {
    if (X.rows() != y.size() || X.cols() != partition.dimension() ||
        (!unordered.empty() && static_cast<Index>(unordered.size()) != X.cols()))
        throw InvalidArgument("fit_hyperparameters: X is " + std::to_string(X.rows()) + " x " +
                              std::to_string(X.cols()) + " with " + std::to_string(y.size()) +
                              " values, a partition of " + std::to_string(partition.dimension()) + " parameters and " +
                              std::to_string(unordered.size()) +
                              " marks of choices; X needs one row a value and one column a parameter");
    if (X.cols() < 1)
        throw InvalidArgument("fit_hyperparameters: " + std::to_string(X.rows()) +
                              " points of 0 parameters were given; at least 1 parameter is needed");
    if (!X.allFinite() || !y.allFinite())
        throw InvalidArgument("fit_hyperparameters: X or y holds NaN or infinity; leave failed evaluations out");
    if (y.size() > 0 && y.cwiseAbs().maxCoeff() > largest_value)
        throw InvalidArgument(
            "fit_hyperparameters: a value is beyond 1e150; variances are in squared units of the "
            "values, so divide the values by a constant, or leave out the one that is wrong");
    if (options.starts < 1 || options.max_evaluations < 1)
        throw InvalidArgument("fit_hyperparameters: " + std::to_string(options.starts) + " starts with " +
                              std::to_string(options.max_evaluations) + " evaluations each; both must be at least 1");
}

// The first start is the warm one, if there is one; then the middle of the prior, then random points.
std::vector<Vector> starting_points(const Search& search, const FitOptions& options, const Rng& rng,
                                    const std::optional<Hyperparameters>& warm) {
    std::vector<Vector> starts;
    if (warm) starts.push_back(search.from(*warm));
    if (static_cast<int>(starts.size()) < options.starts) starts.push_back(search.default_start());
    while (static_cast<int>(starts.size()) < options.starts)
        starts.push_back(search.random_start(rng.stream("fit/start", {static_cast<std::int64_t>(starts.size())})));
    return starts;
}

}  // namespace

FitResult fit_hyperparameters(const Partition& partition, const Matrix& X, const Vector& y,
                              const std::vector<bool>& unordered, const FitOptions& options, Rng rng,
                              const std::optional<Hyperparameters>& warm, std::stop_token stop) {
    check(partition, X, y, unordered, options);
    const Standardised data = standardise(y);
    const double unit = data.unit;
    std::optional<Hyperparameters> inner_warm = warm;
    if (inner_warm) {
        check_hyperparameters(*warm, partition, "fit_hyperparameters, warm start");
        inner_warm->variance /= unit * unit;
        inner_warm->noise_variance /= unit * unit;
    }
    const LikelihoodData likelihood{options.family, partition, X, data.y, unordered};
    const Search search(likelihood, options);
    const std::vector<Vector> starts = starting_points(search, options, rng, inner_warm);

    std::vector<MinimizeResult> found(starts.size());
    parallel_for(static_cast<std::int64_t>(starts.size()), options.threads, [&](std::int64_t i) {
        const auto objective = [&](const Vector& theta, Vector& gradient) {
            if (stop.stop_requested()) throw Interrupted();
            return search(theta, gradient);
        };
        // In logarithms a step of 1e-3 in every parameter changes nothing a user could see.
        const MinimizeOptions minimize{.max_evaluations = options.max_evaluations,
                                       .gradient_tolerance = 1e-3,
                                       .value_tolerance = 1e-8,
                                       .first_step = 0.1};
        found[static_cast<std::size_t>(i)] =
            minimize_bounded(objective, starts[static_cast<std::size_t>(i)], search.low(), search.high(), minimize);
    });
    const auto best =
        std::min_element(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
    // What suited other data may not suit these.
    if (!std::isfinite(best->value) && warm)
        return fit_hyperparameters(partition, X, y, unordered, options, rng, {}, std::move(stop));
    if (!std::isfinite(best->value))
        throw NumericalError("fit_hyperparameters: no starting point has a positive definite covariance of " +
                             std::to_string(y.size()) + " points; likely cause: values of very different size");

    FitResult result{.hyperparameters = search.at(best->x), .log_posterior = -best->value};
    for (const auto& run : found) result.evaluations += run.evaluations;
    const auto terms = likelihood_terms(likelihood, result.hyperparameters, true);
    result.log_likelihood = terms->log_likelihood - static_cast<double>(y.size()) * std::log(unit);
    result.hyperparameters.mean = data.center + unit * terms->mean;
    result.hyperparameters.variance *= unit * unit;
    result.hyperparameters.noise_variance *= unit * unit;
    return result;
}

LikelihoodGradient log_likelihood_gradient(KernelFamily family, const Partition& partition,
                                           const Hyperparameters& hyperparameters, const Matrix& X, const Vector& y,
                                           const std::vector<bool>& unordered) {
    check(partition, X, y, unordered, {});
    check_hyperparameters(hyperparameters, partition, "log_likelihood_gradient");
    const auto terms = likelihood_terms({family, partition, X, y, unordered}, hyperparameters, false);
    if (!terms)
        throw NumericalError("log_likelihood_gradient: the covariance of " + std::to_string(y.size()) +
                             " points is not positive definite; likely cause: duplicates without noise, or a noise "
                             "variance below 1e-12 of the signal's");
    const Index D = partition.dimension(), M = partition.group_count();
    LikelihoodGradient result{terms->log_likelihood, Vector(D + M + 2)};
    result.gradient << terms->lengthscale, terms->variance, terms->noise, terms->mean_slope;
    return result;
}

}  // namespace summand
