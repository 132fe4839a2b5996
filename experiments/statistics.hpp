// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

namespace summand::experiments {

struct Summary {
    int count = 0;
    double mean = 0.0;
    double stddev = 0.0;  ///< with n - 1; 0 for a single value
    double standard_error() const;
};
Summary summarize(const std::vector<double>& values);

/// Mean and standard error at each t of runs of equal length; throws InvalidArgument if they differ.
struct Curve {
    std::vector<double> mean = {}, error = {};
};
Curve mean_curve(const std::vector<std::vector<double>>& runs);

/// a - b over the repeats that both have.
std::vector<double> paired_differences(const std::map<int, double>& a, const std::map<int, double>& b);

/// 0 .. count-1 in about `wanted` equal steps, the first and the last among them.
std::vector<std::size_t> thinned_indices(std::size_t count, std::size_t wanted = 60);

/// "12.3 ± 0.81": three and two significant digits.
std::string plus_minus(double mean, double spread);
/// A number for a CSV file: six significant digits.
std::string number(double value);

}  // namespace summand::experiments
