// SPDX-License-Identifier: Apache-2.0
#include "summand/report/parameter_axis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace summand::report {
namespace {

double number(const Value& value) {
    if (const double* real = std::get_if<double>(&value)) return *real;
    if (const std::int64_t* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
    return std::nan("");
}

double share(double value, double low, double high, Scale scale) {
    if (!(high > low)) return 0.5;
    if (scale == Scale::log) return std::log(value / low) / std::log(high / low);
    return (value - low) / (high - low);
}

struct Ends {
    double low = 0, high = 1;
    Scale scale = Scale::linear;
};
Ends ends_of(const Parameter& parameter) {
    if (const Real* p = std::get_if<Real>(&parameter)) return {p->low, p->high, p->scale};
    if (const Integer* p = std::get_if<Integer>(&parameter))
        return {static_cast<double>(p->low), static_cast<double>(p->high), p->scale};
    if (const Levels* p = std::get_if<Levels>(&parameter); p && !p->values.empty())
        return {p->values.front(), p->values.back(), p->scale};
    return {};
}

}  // namespace

double ParameterAxis::place(const Value& value) const {
    if (!words) return number(value);
    const std::string* word = std::get_if<std::string>(&value);
    const auto found = word ? std::find(axis.categories.begin(), axis.categories.end(), *word) : axis.categories.end();
    return found == axis.categories.end() ? std::nan("") : static_cast<double>(found - axis.categories.begin());
}

double ParameterAxis::place(const Trial& trial) const {
    return parameter < trial.values.size() ? place(trial.values[parameter]) : std::nan("");
}

std::vector<double> ParameterAxis::places(const std::vector<Value>& values) const {
    std::vector<double> places;
    for (const Value& value : values) places.push_back(place(value));
    return places;
}

ParameterAxis parameter_axis(const SearchSpace& space, std::size_t parameter) {
    ParameterAxis result{.axis = {.label = name_of(space[parameter])}, .parameter = parameter};
    if (const Choice* choice = std::get_if<Choice>(&space[parameter])) {
        result.words = true;
        result.axis.categories = choice->values;
        return result;
    }
    const Ends ends = ends_of(space[parameter]);
    if (ends.high > ends.low) result.axis.low = ends.low, result.axis.high = ends.high;
    if (ends.scale == Scale::log) result.axis.scale = plot::Axis::Scale::log;
    return result;
}

double share_of_range(const Parameter& parameter, const Value& value) {
    if (const Choice* choice = std::get_if<Choice>(&parameter)) {
        const std::string* word = std::get_if<std::string>(&value);
        const auto found = word ? std::find(choice->values.begin(), choice->values.end(), *word) : choice->values.end();
        if (found == choice->values.end()) return std::nan("");
        return share(static_cast<double>(found - choice->values.begin()), 0,
                     static_cast<double>(choice->values.size() - 1), Scale::linear);
    }
    const Ends ends = ends_of(parameter);
    return share(number(value), ends.low, ends.high, ends.scale);
}

std::vector<std::size_t> by_importance(const ReportData& data) {
    std::vector<std::size_t> order(data.space.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (data.importance.size() == order.size())
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return data.importance[a].share > data.importance[b].share;
        });
    return order;
}

std::vector<const Trial*> best_first(const ReportData& data) {
    std::vector<const Trial*> trials;
    for (const Trial& trial : data.trials)
        if (trial.value) trials.push_back(&trial);
    std::stable_sort(trials.begin(), trials.end(),
                     [&](const Trial* a, const Trial* b) { return better(data.options.goal, *a->value, *b->value); });
    return trials;
}

std::vector<const Trial*> some_of(const std::vector<const Trial*>& best_first, std::size_t limit) {
    if (best_first.size() <= limit) return best_first;
    const std::size_t best = limit / 2, others = limit - best, rest = best_first.size() - best;
    std::vector<const Trial*> kept(best_first.begin(), best_first.begin() + static_cast<std::ptrdiff_t>(best));
    for (std::size_t k = 0; k < others; ++k) kept.push_back(best_first[best + k * rest / others]);
    return kept;
}

}  // namespace summand::report
