// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/two_level.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <cmath>
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
    const double low = rng.uniform(options.low_from, options.low_to),
                 high = rng.uniform(options.high_from, options.high_to);
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

Matrix one_block(Rng rng, Index dimension, Index points, const TwoLevelOptions& options) {
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

// Rows gathered so far, and the at most two values of each column on them.
struct Gathering {
    std::vector<Index> rows = {};
    std::vector<std::vector<double>> values = {};

    bool takes(const Eigen::RowVectorXd& x) const {
        Index shared = 0;
        for (Index j = 0; j < x.size(); ++j) {
            const auto& known = values[static_cast<std::size_t>(j)];
            const bool equal = std::find(known.begin(), known.end(), x(j)) != known.end();
            if (!equal && known.size() == 2) return false;
            shared += equal;
        }
        // Two points of a block share half of their coordinates on average, unrelated points none.
        return shared >= std::max<Index>(1, x.size() / 8);
    }
    void add(Index row, const Eigen::RowVectorXd& x) {
        rows.push_back(row);
        values.resize(static_cast<std::size_t>(x.size()));
        for (Index j = 0; j < x.size(); ++j) {
            auto& known = values[static_cast<std::size_t>(j)];
            if (std::find(known.begin(), known.end(), x(j)) == known.end()) known.push_back(x(j));
        }
    }
};

TwoLevelBlock block_of(const Matrix& X, const Gathering& gathered) {
    TwoLevelBlock block{gathered.rows, Matrix(static_cast<Index>(gathered.rows.size()), X.cols())};
    for (Index j = 0; j < X.cols(); ++j) {
        const auto& values = gathered.values[static_cast<std::size_t>(j)];
        const double low = *std::min_element(values.begin(), values.end());
        for (Index r = 0; r < block.sign.rows(); ++r)
            block.sign(r, j) = X(block.rows[static_cast<std::size_t>(r)], j) == low ? -1.0 : 1.0;
    }
    return block;
}

}  // namespace

Matrix two_level_design(Rng rng, Index dimension, Index points, const TwoLevelOptions& options) {
    if (dimension < 1 || points < 1)
        throw InvalidArgument("two_level_design: " + std::to_string(points) + " points of dimension " +
                              std::to_string(dimension) + " were asked for; both must be at least 1");
    const Index wanted = options.blocks > 0 ? options.blocks : 2 * points / (7 * dimension);
    const Index blocks = std::clamp<Index>(wanted, 1, points);
    Matrix X(points, dimension);
    for (Index b = 0, row = 0; b < blocks; ++b) {
        const Index count = (points - row) / (blocks - b);
        TwoLevelOptions levels = options;
        if (b > 0) {
            levels.low_to = std::max(options.low_to, 0.4);
            levels.high_from = std::min(options.high_from, 0.6);
        }
        X.middleRows(row, count) =
            one_block(b == 0 ? rng : rng.stream("two-level/block", {b}), dimension, count, levels);
        row += count;
    }
    return X;
}

Index two_level_points(Index dimension) {
    const auto D = static_cast<double>(dimension);
    const double each = std::clamp(3.5 + 0.43 * std::log2(D / 20.0), 3.5, 4.5);
    return std::max<Index>(24, static_cast<Index>(std::ceil(each * D)));
}

Index TwoLevelData::points() const {
    Index sum = 0;
    for (const TwoLevelBlock& block : blocks) sum += static_cast<Index>(block.rows.size());
    return sum;
}

std::vector<Index> TwoLevelData::rows() const {
    std::vector<Index> all;
    for (const TwoLevelBlock& block : blocks) all.insert(all.end(), block.rows.begin(), block.rows.end());
    std::sort(all.begin(), all.end());
    return all;
}

TwoLevelData find_two_level_rows(const Matrix& X) {
    std::vector<Gathering> gatherings;
    for (Index i = 0; i < X.rows(); ++i) {
        const Eigen::RowVectorXd x = X.row(i);
        auto place = std::find_if(gatherings.begin(), gatherings.end(), [&](const Gathering& g) { return g.takes(x); });
        if (place == gatherings.end()) place = gatherings.insert(gatherings.end(), Gathering{});
        place->add(i, x);
    }
    const Index least = std::max<Index>(8, X.cols() / 2);
    TwoLevelData data;
    for (const Gathering& gathered : gatherings)
        if (static_cast<Index>(gathered.rows.size()) >= least) data.blocks.push_back(block_of(X, gathered));
    return data;
}

}  // namespace summand::structure
