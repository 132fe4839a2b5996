// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/two_level.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

namespace summand::structure {
namespace {

double nearest(const std::vector<double>& allowed, double value) {
    return *std::min_element(allowed.begin(), allowed.end(),
                             [&](double a, double b) { return std::abs(a - value) < std::abs(b - value); });
}

// The two values of one parameter, in the order drawn.
std::pair<double, double> draw_levels(const TwoLevelOptions& options, std::size_t j, Rng rng) {
    const double low = rng.uniform(0.0, options.low_to), high = rng.uniform(options.high_from, 1.0);
    const std::vector<double> allowed = j < options.allowed.size() ? options.allowed[j] : std::vector<double>{};
    if (allowed.empty()) return {low, high};
    if (j < options.unordered.size() && options.unordered[j] && allowed.size() > 1) {
        const auto order = rng.permutation(static_cast<std::int64_t>(allowed.size()));
        return {allowed[static_cast<std::size_t>(order[0])], allowed[static_cast<std::size_t>(order[1])]};
    }
    const double first = nearest(allowed, low), second = nearest(allowed, high);
    if (first == second) return {allowed.front(), allowed.back()};
    return {first, second};
}

// The values of one column with how often each occurs, the two most frequent (ties: the smaller value).
std::pair<double, double> two_most_frequent(const Eigen::Ref<const Vector>& column) {
    std::map<double, Index> count;
    for (const double value : column) ++count[value];
    std::vector<std::pair<double, Index>> ranked(count.begin(), count.end());
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    const double first = ranked[0].first, second = ranked.size() > 1 ? ranked[1].first : first;
    return {std::min(first, second), std::max(first, second)};
}

}  // namespace

Matrix two_level_design(Rng rng, Index dimension, Index points, const TwoLevelOptions& options) {
    if (dimension < 1 || points < 1)
        throw InvalidArgument("two_level_design: " + std::to_string(points) + " points of dimension " +
                              std::to_string(dimension) + " were asked for; both must be at least 1");
    Matrix low_high(2, dimension);
    for (Index j = 0; j < dimension; ++j) {
        const auto [a, b] = draw_levels(options, static_cast<std::size_t>(j), rng.stream("two-level/levels", {j}));
        low_high(0, j) = a;
        low_high(1, j) = b;
    }
    Matrix X(points, dimension);
    std::set<std::vector<bool>> seen;
    for (Index i = 0; i < points; ++i) {
        Rng coins = rng.stream("two-level/point", {i});
        std::vector<bool> bits(static_cast<std::size_t>(dimension));
        // In few dimensions a coin repeats points soon; 100 tries find an unused one unless hardly any is left.
        for (int attempt = 0; attempt < 100; ++attempt) {
            for (std::size_t j = 0; j < bits.size(); ++j) bits[j] = coins.coin();
            if (seen.insert(bits).second) break;
        }
        for (Index j = 0; j < dimension; ++j) X(i, j) = low_high(bits[static_cast<std::size_t>(j)] ? 1 : 0, j);
    }
    return X;
}

Index two_level_points(Index dimension) {
    const auto D = static_cast<double>(dimension);
    const double each = std::clamp(3.5 + 0.43 * std::log2(D / 20.0), 3.5, 4.5);
    return std::max<Index>(24, static_cast<Index>(std::ceil(each * D)));
}

std::optional<TwoLevelData> find_two_level_rows(const Matrix& X, double share) {
    const Index N = X.rows(), D = X.cols();
    TwoLevelData data;
    data.low.resize(D);
    data.high.resize(D);
    for (Index j = 0; j < D; ++j) {
        const auto [low, high] = two_most_frequent(X.col(j));
        data.low(j) = low;
        data.high(j) = high;
    }
    for (Index i = 0; i < N; ++i) {
        bool all = true;
        for (Index j = 0; all && j < D; ++j) all = X(i, j) == data.low(j) || X(i, j) == data.high(j);
        if (all) data.rows.push_back(i);
    }
    const auto found = static_cast<Index>(data.rows.size());
    if (found < 8 || static_cast<double>(found) < share * static_cast<double>(N)) return std::nullopt;
    data.sign.resize(found, D);
    for (Index r = 0; r < found; ++r)
        for (Index j = 0; j < D; ++j)
            data.sign(r, j) = X(data.rows[static_cast<std::size_t>(r)], j) == data.low(j) ? -1.0 : 1.0;
    return data;
}

}  // namespace summand::structure
