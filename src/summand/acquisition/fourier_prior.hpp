// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/base/random.hpp"
#include "summand/model/additive_gp.hpp"

#include <map>
#include <vector>

namespace summand {

/// Draws from the prior of one group by random Fourier features [Rahimi2007]:
///
///     g(z) = √(variance / F) Σ_f a_f cos(2π ω_f·z) + b_f sin(2π ω_f·z),    a, b standard normal,
///
/// ω_f from the kernel's spectral density: normal for the squared exponential, Student t of 5 degrees of freedom for
/// Matérn 5/2, over 2π times the lengthscale. Given ω, g is Gaussian with variance exactly `variance` everywhere.
/// The value i of a choice is the vector e_i / √2, so two values are at squared distance 1 as in the kernel; its frequencies are drawn from a
/// stream keyed by the value's coordinate, so no list of values is needed.
class FourierPrior {
  public:
    /// Function b is a draw times scale(b). One with scale 0 takes no random numbers.
    FourierPrior(const AdditiveGp& gp, Index m, const Vector& scale, int frequencies, const Rng& rng);
    Matrix values(const Matrix& Z) const;  ///< n x functions
    /// Adds, row by row, value and gradient of function draws[i] at row i.
    void add_gradients(const Matrix& Z, const std::vector<Index>& draws, Vector& value, Matrix& gradient) const;

  private:
    void features(const Matrix& Z, Matrix& cosine, Matrix& sine) const;  // F x n each
    Vector choice_turns(std::size_t column, double value) const;

    double amplitude_;
    std::vector<bool> unordered_;
    Vector lengthscale_;
    Vector stretch_;  // F: 1, or √(5/χ²₅) for Matérn; shared by all columns of a frequency
    Matrix turns_;    // F x d: ω in turns for each unit of z; 0 for choices
    Matrix a_, b_;    // F x functions
    Rng choices_;
    std::map<std::pair<std::size_t, double>, Vector> known_choices_;  // of the observed points
};

}  // namespace summand
