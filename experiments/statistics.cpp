// SPDX-License-Identifier: Apache-2.0
#include "experiments/statistics.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace summand::experiments {

double Summary::standard_error() const {
    return count == 0 ? 0.0 : stddev / std::sqrt(static_cast<double>(count));
}

Summary summarize(const std::vector<double>& values) {
    Summary summary{.count = static_cast<int>(values.size())};
    if (values.empty()) return summary;
    const auto n = static_cast<double>(values.size());
    for (const double value : values) summary.mean += value / n;
    double squares = 0.0;
    for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
    if (values.size() > 1) summary.stddev = std::sqrt(squares / (n - 1));
    return summary;
}

Curve mean_curve(const std::vector<std::vector<double>>& runs) {
    Curve curve;
    if (runs.empty()) return curve;
    for (const auto& run : runs)
        if (run.size() != runs.front().size())
            throw InvalidArgument("mean_curve: runs of " + std::to_string(runs.front().size()) + " and of " +
                                  std::to_string(run.size()) + " steps were given; all must be equally long");
    std::vector<double> at_t(runs.size());
    for (std::size_t t = 0; t < runs.front().size(); ++t) {
        for (std::size_t r = 0; r < runs.size(); ++r) at_t[r] = runs[r][t];
        const Summary summary = summarize(at_t);
        curve.mean.push_back(summary.mean);
        curve.error.push_back(summary.standard_error());
    }
    return curve;
}

std::vector<double> paired_differences(const std::map<int, double>& a, const std::map<int, double>& b) {
    std::vector<double> differences;
    for (const auto& [repeat, value] : a)
        if (const auto other = b.find(repeat); other != b.end()) differences.push_back(value - other->second);
    return differences;
}

std::vector<std::size_t> thinned_indices(std::size_t count, std::size_t wanted) {
    std::vector<std::size_t> indices;
    if (count == 0) return indices;
    const std::size_t step = std::max<std::size_t>(1, count / std::max<std::size_t>(1, wanted));
    for (std::size_t i = 0; i < count; i += step) indices.push_back(i);
    if (indices.back() != count - 1) indices.push_back(count - 1);
    return indices;
}

namespace {
std::string printed(const char* format, double value) {
    char text[32];
    std::snprintf(text, sizeof text, format, value);
    return text;
}
}  // namespace

std::string plus_minus(double mean, double spread) {
    return printed("%.3g", mean) + " ± " + printed("%.2g", spread);
}

std::string number(double value) {
    return printed("%.6g", value);
}

}  // namespace summand::experiments
