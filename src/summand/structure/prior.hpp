// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/base/random.hpp"

#include <variant>
#include <vector>

namespace summand::structure {

struct DirichletMultinomial {
    Index labels = 0;  ///< M; 0 means as many as parameters, the paper's choice
};
/// The limit of M = infinitely many labels with total concentration alpha: the Chinese restaurant process.
struct DirichletProcess {};

/// The prior over assignments z_1 .. z_D of parameters to labels [Wang2017, sec. 3].
struct PriorOptions {
    std::variant<DirichletMultinomial, DirichletProcess> family = DirichletMultinomial{};
    std::vector<double> alpha = {1.0};  ///< one number for every label, or (Dirichlet-multinomial only) one for each
};

/// p(z) of labelled states, z_j in 0 .. labels()-1. The Dirichlet process is written on D labels with every labelling of
/// a partition equally probable, so both families share one form:
///
///     Dirichlet-multinomial   p(z) ∝ Π_m Γ(n_m + α_m) / Γ(α_m)
///     Dirichlet process       p(z) ∝ α^G Π_{n_m > 0} Γ(n_m) (D - G)!,    G labels in use.
class AssignmentPrior {
  public:
    /// Throws InvalidArgument for α ≤ 0, a vector of the wrong length, and less than one label or more than 10000 that were asked for.
    AssignmentPrior(const PriorOptions& options, Index dimension);

    Index labels() const { return labels_; }
    /// log p(z_j = label | z_¬j) up to a constant, `count` = n_label without j, `empty` = labels unused without j.
    double log_weight(Index label, Index count, Index empty) const;
    /// log of the summed weight of all unused labels.
    double log_weight_of_new(const std::vector<Index>& counts_without_j) const;
    /// An unused label drawn in proportion to its weight.
    Index draw_unused(const std::vector<Index>& counts_without_j, Rng& rng) const;
    /// log p(z) up to a constant.
    double log_density(const std::vector<Index>& counts) const;
    /// log of the partition's probability up to a constant: p(z) times the number of labellings. Exact where all α are
    /// equal and for the process; otherwise as if every labelling were as probable as this one.
    double log_mass(const std::vector<Index>& counts) const;

  private:
    bool process_ = false;
    Index labels_ = 0;
    std::vector<double> alpha_;
};

}  // namespace summand::structure
