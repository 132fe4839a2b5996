// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <string>

// The numbers of the paper's tables [Wang2017, sec. 5.1 and appendix].
namespace summand::experiments {

/// The columns of every table.
inline constexpr std::array<int, 5> paper_points = {50, 150, 250, 350, 450};

struct PaperValue {
    double mean = 0.0;
    double stddev = 0.0;
};
using PaperRow = std::array<PaperValue, 5>;

/// quantity: "together", "separated" or "rand_index"; empty where the paper has no row. Its sampler had alpha = 1.
std::optional<PaperRow> paper_recovery(const std::string& quantity, int dimension);
/// Rand index for another alpha. The table does not state D; its column N = 50 fits D = 20 only.
std::optional<PaperRow> paper_alpha(double alpha);

}  // namespace summand::experiments
