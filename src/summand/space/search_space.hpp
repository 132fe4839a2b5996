// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/space/parameter.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace summand {

/// One value for each parameter, in the order of the search space.
using Point = std::vector<Value>;

/// The parameters of a function and what they may take. Immutable; names are unique.
class SearchSpace {
  public:
    /// Throws InvalidArgument with every mistake found, one sentence a line.
    explicit SearchSpace(std::vector<Parameter> parameters);

    std::size_t size() const { return parameters_.size(); }
    const std::vector<Parameter>& parameters() const { return parameters_; }
    const Parameter& operator[](std::size_t j) const { return parameters_[j]; }
    std::optional<std::size_t> find(std::string_view name) const;  ///< its position, if there is such a parameter
    std::vector<std::string> names() const;

    /// Every mistake in a point, one sentence a line; empty if the point is allowed.
    std::string problem_with_point(const Point& point) const;

    /// The point with each value in its parameter's own type. Throws InvalidArgument if it is not allowed.
    Point checked(const Point& point) const;

    bool operator==(const SearchSpace&) const = default;

  private:
    std::vector<Parameter> parameters_;
};

/// The name among `known` that is nearest to `given` by edit distance, if one is near enough to be a slip of the pen.
std::optional<std::string> nearest_name(std::string_view given, const std::vector<std::string>& known);

}  // namespace summand
