// SPDX-License-Identifier: Apache-2.0
#include "summand/space/search_space.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace summand {
namespace {

void add_line(std::string& text, const std::string& line) {
    if (line.empty()) return;
    if (!text.empty()) text += '\n';
    text += line;
}

// Levenshtein distance by the usual two-row recurrence.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
        }
    }
    return row[b.size()];
}

}  // namespace

SearchSpace::SearchSpace(std::vector<Parameter> parameters) : parameters_(std::move(parameters)) {
    std::string problems;
    if (parameters_.empty()) add_line(problems, "SearchSpace: there are no parameters; give at least one");
    std::set<std::string> seen;
    for (const auto& parameter : parameters_) {
        const std::string problem = problem_with(parameter);
        if (!problem.empty()) add_line(problems, "SearchSpace: " + problem);
        if (!name_of(parameter).empty() && !seen.insert(name_of(parameter)).second)
            add_line(problems,
                     "SearchSpace: two parameters are named \"" + name_of(parameter) + "\"; rename one of them");
    }
    if (!problems.empty()) throw InvalidArgument(problems);
}

std::optional<std::size_t> SearchSpace::find(std::string_view name) const {
    for (std::size_t j = 0; j < parameters_.size(); ++j)
        if (name_of(parameters_[j]) == name) return j;
    return {};
}

std::vector<std::string> SearchSpace::names() const {
    std::vector<std::string> result;
    for (const auto& parameter : parameters_) result.push_back(name_of(parameter));
    return result;
}

std::string SearchSpace::problem_with_point(const Point& point) const {
    if (point.size() != size())
        return "a point has " + std::to_string(point.size()) + " values, but the search space has " +
               std::to_string(size()) + " parameters; give one value for each, in order";
    std::string problems;
    for (std::size_t j = 0; j < size(); ++j) add_line(problems, problem_with(parameters_[j], point[j]));
    return problems;
}

Point SearchSpace::checked(const Point& point) const {
    const std::string problems = problem_with_point(point);
    if (!problems.empty()) throw InvalidArgument(problems);
    Point result;
    result.reserve(size());
    for (std::size_t j = 0; j < size(); ++j) result.push_back(canonical(parameters_[j], point[j]));
    return result;
}

std::optional<std::string> nearest_name(std::string_view given, const std::vector<std::string>& known) {
    std::optional<std::string> nearest;
    // A third of the letters may be wrong, at least one: "sede" finds "seed", "foo" finds nothing.
    std::size_t least = std::max<std::size_t>(2, given.size() / 3) + 1;
    for (const auto& name : known) {
        const std::size_t distance = edit_distance(given, name);
        if (distance < least && distance < std::max(given.size(), name.size())) {
            least = distance;
            nearest = name;
        }
    }
    return nearest;
}

}  // namespace summand
