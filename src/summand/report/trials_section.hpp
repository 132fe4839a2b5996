// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/report/data.hpp"

#include <string>

// All trials of a study: as data for the script of the page, which draws them as a table that sorts and filters, and as a
// plain table of the best ones for a reader without it.
namespace summand::report {

std::string trials_table(const ReportData& data);  ///< html; empty when there is no trial

/// An element that holds everything the script says about a trial, as JSON:
///
///     {"source", "goal", "parameters": [{"name", "words"}], "measures": [names of what was measured besides],
///      "order": [parameters, most important first], "trials": [[id, state, value, seconds, reason, [values], [measures]]],
///      "logs": {"id": text}}
///
/// A choice's value is its place among the words. Values beyond `most_cells` of them are left out (null): those of the trials
/// that are not among the best.
std::string trials_data(const ReportData& data, std::size_t most_cells = 150'000);

}  // namespace summand::report
