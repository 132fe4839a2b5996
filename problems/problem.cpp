// SPDX-License-Identifier: Apache-2.0
#include "problems/problem.hpp"

#include "summand/base/error.hpp"
#include "summand/space/encoding.hpp"

#include <bit>
#include <mutex>
#include <utility>

namespace summand::problems {
namespace {

Vector numbers(const Point& point) {
    Vector values(static_cast<Index>(point.size()));
    for (std::size_t j = 0; j < point.size(); ++j) values[static_cast<Index>(j)] = std::get<double>(point[j]);
    return values;
}

/// The stream of one evaluation: keyed by the point itself, so order and threads do not matter. -0 and 0 are one point.
Rng noise_stream(const Options& options, const Vector& values, std::uint64_t repeat) {
    Rng rng = Rng::from_seed(options.seed).stream("problem/noise", {static_cast<std::int64_t>(repeat)});
    for (const double value : values) rng = rng.stream("value", {std::bit_cast<std::int64_t>(value + 0.0)});
    return rng;
}

}  // namespace

struct Problem::State {
    SearchSpace space;
    Encoding encoding;
    Options options;
    Function function;
    std::function<std::optional<Best>()> find_best;
    mutable std::once_flag found = {};
    mutable std::optional<Best> best = {};

    double call(const Vector& values, std::uint64_t repeat) const {
        Rng rng = options.noise_stddev > 0.0 ? noise_stream(options, values, repeat) : Rng::from_seed(0);
        return function(values, rng);
    }
};

Problem::Problem(std::string name_, SearchSpace space, const Options& options, Function function,
                 std::function<std::optional<Best>()> best)
    : name(std::move(name_)),
      state_(new State{space, Encoding(space), options, std::move(function), std::move(best)}) {}

const SearchSpace& Problem::space() const {
    return state_->space;
}
const Options& Problem::options() const {
    return state_->options;
}

double Problem::evaluate(const Point& point, std::uint64_t repeat) const {
    return state_->call(numbers(state_->space.checked(point)), repeat);
}

double Problem::evaluate(const Vector& values, std::uint64_t repeat) const {
    return evaluate(Point(values.begin(), values.end()), repeat);
}

double Problem::evaluate_unit(const Vector& unit, std::uint64_t repeat) const {
    if (unit.size() != dimension())
        throw InvalidArgument("Problem::evaluate_unit: \"" + name + "\" has " + std::to_string(dimension()) +
                              " parameters, but the point has " + std::to_string(unit.size()) + " coordinates");
    return state_->call(numbers(state_->encoding.decode(unit.cwiseMax(0.0).cwiseMin(1.0))), repeat);
}

std::optional<Best> Problem::best() const {
    std::call_once(state_->found, [this] {
        if (state_->find_best) state_->best = state_->find_best();
        // The optimum over the whole box bounds the one over its levels.
        if (state_->best && state_->options.levels) state_->best = Best{state_->best->value, Best::Kind::bound, {}};
    });
    return state_->best;
}

std::optional<double> Problem::best_known() const {
    const auto known = best();
    return known ? std::optional(known->value) : std::nullopt;
}

}  // namespace summand::problems
