// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/plot/axis.hpp"
#include "summand/report/data.hpp"

#include <string>
#include <vector>

namespace summand::report {

/// The axis of a parameter: numbers on its scale, or places 0, 1, ... of words.
struct ParameterAxis {
    plot::Axis axis = {};  ///< its label is the parameter's name
    std::size_t parameter = 0;
    bool words = false;

    double place(const Value& value) const;  ///< not a number for a word that is not on the axis
    double place(const Trial& trial) const;  ///< of the trial's value
    std::vector<double> places(const std::vector<Value>& values) const;
};

/// Over the parameter's whole range.
ParameterAxis parameter_axis(const SearchSpace& space, std::size_t parameter);

/// Where a value lies in its parameter's range, from 0 to 1; choices are spread evenly.
double share_of_range(const Parameter& parameter, const Value& value);

/// The parameters from the most to the least important one; in the order of the space if importance is not known.
std::vector<std::size_t> by_importance(const ReportData& data);

/// The completed trials, best first.
std::vector<const Trial*> best_first(const ReportData& data);

/// At most `limit` of them: the best half, and of the others an even choice; the order is kept.
std::vector<const Trial*> some_of(const std::vector<const Trial*>& best_first, std::size_t limit);

}  // namespace summand::report
