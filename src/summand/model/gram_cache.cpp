// SPDX-License-Identifier: Apache-2.0
#include "summand/model/gram_cache.hpp"

#include <cmath>
#include <utility>

namespace summand {
namespace {

// Where column c of the lower triangle starts in packed storage.
Index packed_start(Index N, Index c) {
    return c * N - c * (c - 1) / 2;
}

}  // namespace

GramCache::GramCache(KernelFamily family, const Matrix& X, Vector lengthscale, std::vector<bool> unordered, Index slots)
    : family_(family),
      scaled_(X),
      lengthscale_(std::move(lengthscale)),
      unordered_(std::move(unordered)),
      slots_(static_cast<std::size_t>(slots)) {
    unordered_.resize(static_cast<std::size_t>(X.cols()), false);
    for (Index j = 0; j < X.cols(); ++j)
        if (!unordered_[static_cast<std::size_t>(j)]) scaled_.col(j) /= lengthscale_(j);
    sum_ = Packed::Zero(size() * (size() + 1) / 2);
}

void GramCache::squared_distance(Index column, Packed& out) const {
    const Index N = size();
    const auto x = scaled_.col(column).array();
    const bool choice = unordered_[static_cast<std::size_t>(column)];
    const double unequal = 1.0 / (lengthscale_(column) * lengthscale_(column));
    for (Index c = 0; c < N; ++c) {
        auto target = out.segment(packed_start(N, c), N - c);
        if (choice)
            target += (x.tail(N - c) != x(c)).template cast<double>() * unequal;
        else
            target += (x.tail(N - c) - x(c)).square();
    }
}

void GramCache::correlate(const Packed& distance, Packed& out) const {
    if (family_ == KernelFamily::squared_exponential) {
        out = (-0.5 * distance).exp();
        return;
    }
    // (1 + √5 r + 5 r²/3) exp(-√5 r)
    const double root5 = std::sqrt(5.0);
    out = root5 * distance.sqrt();
    out = (1.0 + out + (5.0 / 3.0) * distance) * (-out).exp();
}

void GramCache::place(Index slot, const std::vector<Index>& group) {
    Slot& kept = slots_[static_cast<std::size_t>(slot)];
    if (kept.group == group) return;
    if (!kept.group.empty()) sum_ -= kept.correlation;
    kept.group = group;
    if (group.empty()) {
        kept = {};
        return;
    }
    Packed distance = Packed::Zero(sum_.size());
    for (const Index j : group) squared_distance(j, distance);
    correlate(distance, kept.correlation);
    if (family_ == KernelFamily::matern52) kept.distance = std::move(distance);
    sum_ += kept.correlation;
}

void GramCache::refresh_sum() {
    sum_.setZero();
    for (const Slot& slot : slots_)
        if (!slot.group.empty()) sum_ += slot.correlation;
}

void GramCache::prepare(Index column) {
    column_ = Packed::Zero(sum_.size());
    squared_distance(column, column_);
    if (family_ == KernelFamily::squared_exponential) column_ = (-0.5 * column_).exp() - 1.0;
}

void GramCache::assemble(double diagonal, Matrix& out) const {
    const Index N = size();
    out.resize(N, N);
    for (Index c = 0; c < N; ++c) out.col(c).tail(N - c).array() = sum_.segment(packed_start(N, c), N - c);
    out.diagonal().array() += diagonal;
}

void GramCache::assemble_with(Index slot, double diagonal, Matrix& out) const {
    const Index N = size();
    out.resize(N, N);
    const Slot& kept = slots_[static_cast<std::size_t>(slot)];
    const bool product = family_ == KernelFamily::squared_exponential, joins = !kept.group.empty();
    Packed distance, correlation;
    for (Index c = 0; c < N; ++c) {
        const Index start = packed_start(N, c), length = N - c;
        auto target = out.col(c).tail(length).array();
        const auto sum = sum_.segment(start, length);
        const auto column = column_.segment(start, length);
        if (product && joins) {  // C_{B ∪ j} = C_B ∘ E_j: the sum changes by C_B ∘ (E_j - 1)
            target = sum + kept.correlation.segment(start, length) * column;
        } else if (product) {
            target = sum + column + 1.0;
        } else {
            distance = column;
            if (joins) distance += kept.distance.segment(start, length);
            correlate(distance, correlation);
            target = sum + correlation;
            if (joins) target -= kept.correlation.segment(start, length);
        }
    }
    out.diagonal().array() += diagonal;
}

}  // namespace summand
