// SPDX-License-Identifier: Apache-2.0
#include "summand/model/gram_cache.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace summand {

GramCache::GramCache(KernelFamily family, const Matrix& X, const Vector& lengthscale,
                     const std::vector<bool>& unordered, Index slots, Index kept)
    : family_(family),
      inputs_(scale_inputs(X, lengthscale, unordered)),
      slots_(static_cast<std::size_t>(slots)),
      kept_(kept),
      sum_(Packed::Zero(X.rows() * (X.rows() + 1) / 2)) {}

// Column c of a group's correlation matrix, from its diagonal down.
void GramCache::correlate(const std::vector<Index>& group, Index c, double* out) const {
    write_kernel(family_, 1.0, inputs_, group, c, size() - c, inputs_.points.col(c).data(), out);
}

const double* GramCache::correlation(const Slot& slot, Index c, Vector& buffer) const {
    if (slot.correlation.size() > 0) return slot.correlation.data() + start_of(c);
    correlate(slot.group, c, buffer.data());
    return buffer.data();
}

void GramCache::add_to_sum(const Slot& slot, double sign) {
    Vector buffer(size());
    for (Index c = 0; c < size(); ++c) {
        const Index length = size() - c;
        sum_.segment(start_of(c), length) += sign * Packed::Map(correlation(slot, c, buffer), length);
    }
}

void GramCache::place(Index slot, const std::vector<Index>& group) {
    Slot& held = slots_[static_cast<std::size_t>(slot)];
    if (held.group == group) return;
    if (!held.group.empty()) add_to_sum(held, -1.0);
    if (held.correlation.size() > 0) --in_use_;
    held.group = group;
    if (group.empty() || in_use_ >= kept_) {
        held.correlation.resize(0);
    } else {
        held.correlation.resize(sum_.size());
        for (Index c = 0; c < size(); ++c) correlate(group, c, held.correlation.data() + start_of(c));
        ++in_use_;
    }
    if (!group.empty()) add_to_sum(held, 1.0);
}

void GramCache::refresh_sum() {
    sum_.setZero();
    for (const Slot& slot : slots_)
        if (!slot.group.empty()) add_to_sum(slot, 1.0);
}

void GramCache::prepare(Index column) {
    column_ = column;
    if (family_ != KernelFamily::squared_exponential) return;
    correction_.resize(sum_.size());
    for (Index c = 0; c < size(); ++c) correlate({column}, c, correction_.data() + start_of(c));
    correction_ -= 1.0;
}

void GramCache::assemble(double diagonal, Matrix& out) const {
    out.resize(size(), size());
    for (Index c = 0; c < size(); ++c) out.col(c).tail(size() - c).array() = sum_.segment(start_of(c), size() - c);
    out.diagonal().array() += diagonal;
}

void GramCache::assemble_with(Index slot, double diagonal, Matrix& out) const {
    assert(column_ >= 0);
    const Slot& held = slots_[static_cast<std::size_t>(slot)];
    const bool joins = !held.group.empty(), product = family_ == KernelFamily::squared_exponential;
    std::vector<Index> joined = held.group;
    joined.insert(std::upper_bound(joined.begin(), joined.end(), column_), column_);
    Vector buffer(size());
    out.resize(size(), size());
    for (Index c = 0; c < size(); ++c) {
        const Index length = size() - c;
        auto target = out.col(c).tail(length).array();
        const auto sum = sum_.segment(start_of(c), length);
        if (product) {  // C_{B ∪ j} = C_B ∘ E_j: the sum changes by C_B ∘ (E_j - 1); by E_j for a group of its own
            const auto correction = correction_.segment(start_of(c), length);
            if (joins)
                target = sum + Packed::Map(correlation(held, c, buffer), length) * correction;
            else
                target = sum + (correction + 1.0);
        } else {
            if (joins)
                target = sum - Packed::Map(correlation(held, c, buffer), length);
            else
                target = sum;
            add_kernel(family_, 1.0, inputs_, joined, c, length, inputs_.points.col(c).data(), target.data());
        }
    }
    out.diagonal().array() += diagonal;
}

}  // namespace summand
