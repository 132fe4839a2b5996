// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/structure/evidence.hpp"

#include <cstdint>
#include <vector>

namespace summand::structure {

/// The likelihood of one block of two-level points, s in {-1, +1}^D, in weight space.
///
/// A function of the two levels of a group A is a sum of Walsh functions χ_S(s) = Π_{j in S} s_j over subsets S of A.
/// The model: y = Σ_S c_S χ_S + noise, over the empty set, all single parameters (whatever the structure) and all larger
/// subsets of each group, with c_S ~ N(0, weight), N(0, constant_weight) for the empty set, noise variance v. With R such
/// functions as columns of Φ, W the diagonal of weights and A = ΦᵀΦ + v W⁻¹,
///
///     log p(y) = -((yᵀy - bᵀA⁻¹b)/v + (N - R) log v + log|W| + log|A| + N log 2π) / 2,    b = Φᵀy.
///
/// Putting j into group B only ADDS functions χ_{S ∪ j}, S a non-empty subset of B. One factorisation of A without j's
/// interactions and one triangular solve serve all groups; each then needs a determinant of size 2^|B| - 1. Inner
/// products χ_S·χ_T = χ_{S Δ T}·1 are integers, counted from packed bits, so nothing drifts (docs/structure.md).
class WalshBlock {
  public:
    static constexpr double constant_weight = 1.0;  ///< prior variance of the constant

    /// sign: N x D of ±1.
    WalshBlock(const Matrix& sign, const Vector& y);

    double log_likelihood(const Assignment& assignment, const Setting& setting);
    std::vector<double> log_likelihoods_with(const Assignment& without_j, Index j, const std::vector<Index>& labels,
                                             const Setting& setting);

    /// What a step of expectation-maximisation needs, given the groups; blocks add up.
    struct Moments {
        double residual = 0.0;   ///< E|y - Φc|², N times the next noise variance
        double squares = 0.0;    ///< E Σ c², the constant left out
        Index coefficients = 0;  ///< R, the constant left out
    };
    Moments moments(const Assignment& assignment, const Setting& setting);

    Index points() const { return points_; }

  private:
    using Bits = std::vector<std::uint64_t>;
    struct Function {
        Bits bits = {};            // bit i set: χ = -1 at point i
        Vector value = {};         // ±1 at each point
        double with_y = 0.0;       // χᵀy
        Index label = -1;          // of the group an interaction belongs to; -1 for the constant and single parameters
        std::uint32_t subset = 0;  // of the group's members, by position
    };
    struct Factor;
    struct Additions {
        std::vector<Index> partner = {};
        std::vector<Index> first = {0};  // candidate i adds partners first[i] .. first[i+1]-1
    };

    void sync(const Assignment& assignment);
    void add_group(Index label, const std::vector<Index>& members);
    void drop_group(Index label);
    Function function_of(Bits bits) const;
    double inner(const Bits& a, const Bits& b) const;
    static Bits product(Bits a, const Bits& b);
    Factor factor(const Setting& setting) const;
    Additions additions(const Assignment& without_j, const std::vector<Index>& labels) const;
    Matrix cross_products(const Additions& added, const Bits& bits_j) const;
    double gain(const Index* partner, const Eigen::Ref<const Matrix>& V, Vector q, const Setting& setting) const;

    Vector y_;
    Index points_, dimension_;
    std::size_t words_;
    std::vector<Function> functions_;         // the constant, D single parameters, then interactions
    Matrix gram_;                             // ΦᵀΦ of functions_, at least that large
    std::vector<std::vector<Index>> placed_;  // members of each label's group as now in functions_
};

}  // namespace summand::structure
