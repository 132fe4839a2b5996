// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/report/data.hpp"

#include <string>

namespace summand::report {

/// The report of a study as one HTML page that needs nothing else: styles, script and pictures are part of it, and it
/// opens from a file. Follows the reader's light or dark theme. Below 4 MB for 10,000 trials of 14 parameters (docs/report.md).
std::string render_page(const ReportData& data);

}  // namespace summand::report
