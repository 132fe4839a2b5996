// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/model/kernel.hpp"

#include <vector>

namespace summand {

/// Correlation matrices C_A (the kernel with variance 1) of groups of columns on fixed points, one in each of a number
/// of slots, and their sum, kept up to date while single groups change: what learning the groups asks for again and again.
///
/// Memory: lower triangles, packed column by column, of the sum, the prepared column and at most `kept` groups:
/// (kept + 2) N (N + 1) / 2 numbers, whatever the number of parameters (24 kept: 13 N²). Groups beyond that are computed
/// anew when they are asked for, to the same bits.
/// assemble() and assemble_with() are const and may run in several threads at once.
class GramCache {
  public:
    /// lengthscale: one for each column of X. unordered: which columns are choices; empty: none.
    GramCache(KernelFamily family, const Matrix& X, const Vector& lengthscale, const std::vector<bool>& unordered,
              Index slots, Index kept = 24);

    Index size() const { return inputs_.U.rows(); }

    /// Makes a slot hold this group (increasing; empty: nothing). Costs nothing if it does already, else O(N²).
    void place(Index slot, const std::vector<Index>& group);
    /// Adds the slots up afresh. place() adds differences, whose rounding errors grow slowly: call it now and then.
    void refresh_sum();
    /// Prepares assemble_with(., j): O(N²).
    void prepare(Index column);

    /// Lower triangle of Σ_slots C + diagonal I.
    void assemble(double diagonal, Matrix& out) const;
    /// The same with the prepared column joined to the group of a slot (an empty slot: a group of its own). O(N²): for the
    /// squared exponential two operations an entry, for Matérn one evaluation of the kernel.
    void assemble_with(Index slot, double diagonal, Matrix& out) const;

  private:
    using Packed = Eigen::ArrayXd;
    struct Slot {
        std::vector<Index> group = {};
        Packed correlation = {};  // empty if not kept
    };
    Index start_of(Index c) const { return c * size() - c * (c - 1) / 2; }
    void correlate(const std::vector<Index>& group, Index c, double* out) const;
    const double* correlation(const Slot& slot, Index c, Vector& buffer) const;
    void add_to_sum(const Slot& slot, double sign);

    KernelFamily family_;
    ScaledInputs inputs_;
    std::vector<Slot> slots_;
    Index kept_ = 0;
    Index in_use_ = 0;  // slots whose matrix is kept
    Packed sum_;
    Index column_ = -1;  // the prepared one
    Packed correction_;  // squared exponential: exp(-d²/2) - 1 of the prepared column
};

}  // namespace summand
