// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/walsh_block.hpp"

#include "summand/numeric/cholesky.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

namespace summand::structure {

/// A = ΦᵀΦ + v W⁻¹ factored, u = L⁻¹b, and the likelihood they give.
struct WalshBlock::Factor {
    Cholesky cholesky = {};
    Vector b = {}, u = {};
    double log_likelihood = -std::numeric_limits<double>::infinity();
};

WalshBlock::WalshBlock(const Matrix& sign, const Vector& y)
    : y_(y), points_(sign.rows()), dimension_(sign.cols()), words_(static_cast<std::size_t>((sign.rows() + 63) / 64)) {
    functions_.push_back(function_of(Bits(words_, 0)));
    for (Index j = 0; j < dimension_; ++j) {
        Bits bits(words_, 0);
        for (Index i = 0; i < points_; ++i)
            if (sign(i, j) < 0) bits[static_cast<std::size_t>(i / 64)] |= std::uint64_t{1} << (i % 64);
        functions_.push_back(function_of(std::move(bits)));
    }
    const auto size = static_cast<Index>(functions_.size());
    gram_.resize(size, size);
    for (Index a = 0; a < size; ++a)
        for (Index b = 0; b <= a; ++b)
            gram_(a, b) = gram_(b, a) =
                inner(functions_[static_cast<std::size_t>(a)].bits, functions_[static_cast<std::size_t>(b)].bits);
}

WalshBlock::Function WalshBlock::function_of(Bits bits) const {
    Function result;
    result.value.resize(points_);
    for (Index i = 0; i < points_; ++i)
        result.value(i) = (bits[static_cast<std::size_t>(i / 64)] >> (i % 64)) & 1U ? -1.0 : 1.0;
    result.with_y = result.value.dot(y_);
    result.bits = std::move(bits);
    return result;
}

double WalshBlock::inner(const Bits& a, const Bits& b) const {
    Index unequal = 0;
    for (std::size_t w = 0; w < words_; ++w) unequal += std::popcount(a[w] ^ b[w]);
    return static_cast<double>(points_ - 2 * unequal);
}

// χ_a χ_b: signs multiply where bits add without carry.
WalshBlock::Bits WalshBlock::product(Bits a, const Bits& b) {
    for (std::size_t w = 0; w < a.size(); ++w) a[w] ^= b[w];
    return a;
}

void WalshBlock::drop_group(Index label) {
    // The last function takes the place of a dropped one.
    for (std::size_t f = functions_.size(); f-- > static_cast<std::size_t>(1 + dimension_);) {
        if (functions_[f].label != label) continue;
        const auto last = static_cast<Index>(functions_.size()) - 1, here = static_cast<Index>(f);
        if (here != last) {
            gram_.col(here).head(last + 1) = gram_.col(last).head(last + 1).eval();
            gram_.row(here).head(last + 1) = gram_.row(last).head(last + 1).eval();
            gram_(here, here) = static_cast<double>(points_);
            functions_[f] = std::move(functions_.back());
        }
        functions_.pop_back();
    }
}

void WalshBlock::add_group(Index label, const std::vector<Index>& members) {
    for (std::uint32_t subset = 1; subset < (1U << members.size()); ++subset) {
        if (std::popcount(subset) < 2) continue;
        Bits bits(words_, 0);
        for (std::size_t k = 0; k < members.size(); ++k)
            if (subset >> k & 1U) bits = product(bits, functions_[static_cast<std::size_t>(1 + members[k])].bits);
        Function function = function_of(std::move(bits));
        function.label = label;
        function.subset = subset;
        const auto size = static_cast<Index>(functions_.size());
        if (size >= gram_.rows()) gram_.conservativeResize(size + size / 4 + 8, size + size / 4 + 8);
        for (Index f = 0; f < size; ++f)
            gram_(f, size) = gram_(size, f) = inner(functions_[static_cast<std::size_t>(f)].bits, function.bits);
        gram_(size, size) = static_cast<double>(points_);
        functions_.push_back(std::move(function));
    }
}

void WalshBlock::sync(const Assignment& assignment) {
    placed_.resize(static_cast<std::size_t>(assignment.labels()));
    std::vector<Index> changed;
    for (Index m = 0; m < assignment.labels(); ++m)
        if (placed_[static_cast<std::size_t>(m)] != assignment.members(m)) changed.push_back(m);
    for (const Index m : changed) drop_group(m);
    for (const Index m : changed) {
        add_group(m, assignment.members(m));
        placed_[static_cast<std::size_t>(m)] = assignment.members(m);
    }
}

namespace {

double weight_of(Index f, const Setting& setting) {
    return f == 0 ? WalshBlock::constant_weight : setting.variance;
}

}  // namespace

WalshBlock::Factor WalshBlock::factor(const Setting& setting) const {
    const auto R = static_cast<Index>(functions_.size());
    const double v = setting.noise_variance;
    Factor result;
    result.b.resize(R);
    Matrix A = gram_.topLeftCorner(R, R);
    double log_weights = 0;
    for (Index f = 0; f < R; ++f) {
        const auto k = static_cast<std::size_t>(f);
        result.b(f) = functions_[k].with_y;
        A(f, f) += v / weight_of(f, setting);
        log_weights += std::log(weight_of(f, setting));
    }
    auto cholesky = Cholesky::try_factor(std::move(A));
    if (!cholesky) return result;
    result.cholesky = std::move(*cholesky);
    result.u = result.cholesky.forward(result.b);
    const auto N = static_cast<double>(points_);
    result.log_likelihood =
        -0.5 * ((y_.squaredNorm() - result.u.squaredNorm()) / v + (N - static_cast<double>(R)) * std::log(v) +
                log_weights + result.cholesky.log_determinant() + N * std::log(2 * std::numbers::pi));
    return result;
}

double WalshBlock::log_likelihood(const Assignment& assignment, const Setting& setting) {
    sync(assignment);
    return factor(setting).log_likelihood;
}

// The functions each candidate adds are χ_{S ∪ j} for S a non-empty subset of its group; `partner` holds the S.
WalshBlock::Additions WalshBlock::additions(const Assignment& without_j, const std::vector<Index>& labels) const {
    Additions result;
    for (const Index label : labels) {
        for (const Index k : without_j.members(label)) result.partner.push_back(1 + k);
        if (without_j.counts()[static_cast<std::size_t>(label)] > 1)
            for (std::size_t f = static_cast<std::size_t>(1 + dimension_); f < functions_.size(); ++f)
                if (functions_[f].label == label) result.partner.push_back(static_cast<Index>(f));
        result.first.push_back(static_cast<Index>(result.partner.size()));
    }
    return result;
}

// χ_f·χ_{S ∪ j} for all f and all partners S. It is χ_S·χ_{f ∪ j} too, so pairs of partners are counted once.
Matrix WalshBlock::cross_products(const Additions& added, const Bits& bits_j) const {
    const auto R = static_cast<Index>(functions_.size()), F = static_cast<Index>(added.partner.size());
    std::vector<Index> column(static_cast<std::size_t>(R), F);  // where f is a partner itself
    Matrix V(R, F);
    for (Index c = 0; c < F; ++c) {
        const Index partner = added.partner[static_cast<std::size_t>(c)];
        const Bits joined = product(functions_[static_cast<std::size_t>(partner)].bits, bits_j);
        for (Index f = 0; f < R; ++f) {
            const Index done = column[static_cast<std::size_t>(f)];
            V(f, c) = done < c ? V(partner, done) : inner(functions_[static_cast<std::size_t>(f)].bits, joined);
        }
        column[static_cast<std::size_t>(partner)] = c;
    }
    return V;
}

// What adding functions to the model does to log p: qᵀ(W⁻¹ + M)⁻¹q/2 - log|I + W M|/2 with q = Φ_newᵀ K⁻¹ y and, by Woodbury,
// M = Φ_newᵀ K⁻¹ Φ_new = (Φ_newᵀΦ_new - VᵀV) / v. Φ_newᵀΦ_new is that of the partners, as χ_j² = 1.
double WalshBlock::gain(const Index* partner, const Eigen::Ref<const Matrix>& V, Vector q,
                        const Setting& setting) const {
    const Index n = q.size();
    Matrix M(n, n);
    for (Index a = 0; a < n; ++a)
        for (Index b = 0; b <= a; ++b)
            M(a, b) = (gram_(partner[a], partner[b]) - V.col(a).dot(V.col(b))) / setting.noise_variance;
    M.diagonal().array() += 1.0 / setting.variance;
    const auto small = factor_and_solve_in_place(M, q);
    if (!small) return -std::numeric_limits<double>::infinity();
    return 0.5 * (small->quadratic - small->log_determinant - static_cast<double>(n) * std::log(setting.variance));
}

std::vector<double> WalshBlock::log_likelihoods_with(const Assignment& without_j, Index j,
                                                     const std::vector<Index>& labels, const Setting& setting) {
    sync(without_j);
    const Factor base = factor(setting);
    std::vector<double> result(labels.size(), base.log_likelihood);
    if (!std::isfinite(base.log_likelihood)) return result;

    const Function& single = functions_[static_cast<std::size_t>(1 + j)];
    const Additions added = additions(without_j, labels);
    Matrix V = cross_products(added, single.bits);
    base.cholesky.forward_in_place(V);
    const Vector signed_y = single.value.cwiseProduct(y_);
    Vector q(V.cols());
    for (Index c = 0; c < q.size(); ++c)
        q(c) = functions_[static_cast<std::size_t>(added.partner[static_cast<std::size_t>(c)])].value.dot(signed_y);
    q = (q - V.transpose() * base.u) / setting.noise_variance;

    for (std::size_t i = 0; i < labels.size(); ++i) {
        const Index start = added.first[i], n = added.first[i + 1] - start;
        if (n > 0)
            result[i] += gain(added.partner.data() + start, V.middleCols(start, n), q.segment(start, n), setting);
    }
    return result;
}

WalshBlock::Moments WalshBlock::moments(const Assignment& assignment, const Setting& setting) {
    sync(assignment);
    const Factor now = factor(setting);
    const auto R = static_cast<Index>(functions_.size());
    const double v = setting.noise_variance;
    Moments result{v * static_cast<double>(points_), setting.variance * static_cast<double>(R - 1), R - 1};
    if (!std::isfinite(now.log_likelihood)) return result;  // nothing learned
    const Vector mean = now.cholesky.backward(now.u);       // of the coefficients; their covariance is v A⁻¹
    const Vector variance = v * now.cholesky.inverse().diagonal();
    // E|y - Φc|² = |y - Φm|² + v tr(A⁻¹ΦᵀΦ), and tr(A⁻¹ΦᵀΦ) = R - tr(A⁻¹ v W⁻¹).
    const double square = y_.squaredNorm() - 2 * mean.dot(now.b) + mean.dot(gram_.topLeftCorner(R, R) * mean);
    result.residual = std::max(square, 0.0);
    for (Index f = 0; f < R; ++f) result.residual += v * (1.0 - variance(f) / weight_of(f, setting));
    result.squares = mean.tail(R - 1).squaredNorm() + variance.tail(R - 1).sum();
    return result;
}

}  // namespace summand::structure
