// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/model/kernel.hpp"

#include <vector>

namespace summand {

/// Correlation matrices C_A (the kernel with variance 1) of groups of columns on fixed points, one in each of a number
/// of slots, and their sum, kept up to date while single groups change: what learning the groups asks for again and again.
///
/// Only lower triangles are kept, packed column by column: (slots in use + 2) N (N + 1) / 2 numbers, twice that for
/// the Matérn kernel (whose correlation of a joined group is not a product, so distances are kept too).
/// assemble_* are const and may run in several threads at once.
class GramCache {
  public:
    /// lengthscale: one for each column of X. unordered: which columns are choices; empty: none.
    GramCache(KernelFamily family, const Matrix& X, Vector lengthscale, std::vector<bool> unordered, Index slots);

    Index size() const { return scaled_.rows(); }

    /// Makes a slot hold this group (empty: nothing). Costs nothing if it does already.
    void place(Index slot, const std::vector<Index>& group);
    /// Adds the slots up afresh. place() adds differences, whose rounding errors grow slowly: call it now and then.
    void refresh_sum();
    /// Prepares assemble_with(., j): O(N²) exponentials.
    void prepare(Index column);

    /// Lower triangle of Σ_slots C + diagonal I.
    void assemble(double diagonal, Matrix& out) const;
    /// The same with the prepared column joined to the group of a slot (an empty slot: a group of its own).
    void assemble_with(Index slot, double diagonal, Matrix& out) const;

  private:
    using Packed = Eigen::ArrayXd;
    struct Slot {
        std::vector<Index> group = {};
        Packed distance = {};  // Σ_j δ_j²/l_j²; Matérn only
        Packed correlation = {};
    };
    void squared_distance(Index column, Packed& out) const;
    void correlate(const Packed& distance, Packed& out) const;

    KernelFamily family_;
    Matrix scaled_;  // X with each column divided by its lengthscale
    Vector lengthscale_;
    std::vector<bool> unordered_;
    std::vector<Slot> slots_;
    Packed sum_;
    Packed column_;  // of the prepared column: exp(-d²/2) - 1, or d² for Matérn
};

}  // namespace summand
