// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/report/data.hpp"

#include <string>

// The tables of a report, as HTML; empty when there is nothing to show.
namespace summand::report {

std::string best_parameters(
    const ReportData&
        data);  ///< each parameter's best value, the recommended one if another, where it lies in its range
std::string failures_by_cause(const ReportData& data);         ///< how many of each cause, and an example
std::string time_table(const ReportData& data);                ///< totals, medians and longest
std::string options_tables(const ReportData& data);            ///< parameters, options with the seed, settings
std::string other_structures(const StructureView& structure);  ///< the most probable structures and their weights
std::string models_in_use(const StructureView& structure);

/// A value as HTML: a number with so many digits, or a word that may wrap.
std::string value_html(const Value& value, int digits = 6);
/// Where a value lies in its parameter's range, from 0 to 1; empty for choices.
std::optional<double> position_in_range(const Parameter& parameter, const Value& value);
/// "0.001 to 10, log scale", "2, 4, 8", "sgd, adam".
std::string range_text(const Parameter& parameter);

}  // namespace summand::report
