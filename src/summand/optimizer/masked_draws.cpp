// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/masked_draws.hpp"

#include "summand/acquisition/climb.hpp"
#include "summand/acquisition/pathwise.hpp"

#include <algorithm>

namespace summand::optimizer {
namespace {

/// How many coordinates move differs from candidate to candidate: some questions concern one parameter, some many.
Matrix masked_candidates(const Domain& domain, const Vector& centre, Index count, const Rng& rng) {
    constexpr double coordinates_moved = 20.0;
    const Index dimension = centre.size();
    const double most = std::min(1.0, coordinates_moved / static_cast<double>(dimension));
    Matrix candidates(count, dimension);
    for (Index i = 0; i < count; ++i) {
        Rng stream = rng.stream("masked", {i});
        const Vector moved = domain.random(stream);
        const Index always = stream.below(dimension);
        const double probability = most * stream.uniform();
        for (Index j = 0; j < dimension; ++j)
            candidates(i, j) = j == always || stream.coin(probability) ? moved(j) : centre(j);
    }
    return candidates;
}

/// mean + t_b (draw_b - mean), one function for each row b; the draws' last column is the mean.
class TemperedDraws {
  public:
    TemperedDraws(const AdditiveGp& gp, Index count, const Rng& rng, int threads)
        : draws_(gp, count, frequencies, rng.stream("draws"), threads, true), share_(count) {
        Rng stream = rng.stream("temper");
        for (Index b = 0; b < count; ++b) share_(b) = stream.uniform();
    }

    Matrix values(const Matrix& X) const {
        const Matrix all = draws_.values(0, X);
        const Vector mean = all.col(share_.size());
        return (all.leftCols(share_.size()).colwise() - mean) * share_.asDiagonal() + mean.replicate(1, share_.size());
    }
    ValueGradients gradients(const Matrix& X, const std::vector<Index>& row) const {
        ValueGradients own = draws_.gradients(0, X, row);
        const ValueGradients mean = draws_.gradients(0, X, std::vector<Index>(row.size(), share_.size()));
        for (Index i = 0; i < X.rows(); ++i) {
            const double t = share_(row[static_cast<std::size_t>(i)]);
            own.value(i) = t * own.value(i) + (1.0 - t) * mean.value(i);
            own.gradient.row(i) = t * own.gradient.row(i) + (1.0 - t) * mean.gradient.row(i);
        }
        return own;
    }

  private:
    static constexpr int frequencies = 512;
    PathwiseDraws draws_;
    Vector share_;
};

}  // namespace

Matrix masked_thompson(const AdditiveGp& gp, const Domain& domain, const Vector& centre, Index count, const Rng& rng,
                       int threads) {
    constexpr int rounds = 20;
    constexpr double relative_tolerance = 1e-6;
    const Index candidate_count = std::min<Index>(2000, std::max<Index>(500, 100 * centre.size()));
    const Matrix candidates = masked_candidates(domain, centre, candidate_count, rng);
    const TemperedDraws functions(gp, count, rng, threads);
    const Matrix values = functions.values(candidates);
    Matrix starts(count, centre.size());
    for (Index b = 0; b < count; ++b) {
        Index best = 0;
        values.col(b).maxCoeff(&best);
        starts.row(b) = candidates.row(best);
    }
    const auto gradients = [&](const Matrix& X, const std::vector<Index>& row) { return functions.gradients(X, row); };
    const auto own_values = [&](const Matrix& X, const std::vector<Index>& row) {
        return functions.gradients(X, row).value;
    };
    return climb({own_values, gradients}, domain, starts, rounds,
                 relative_tolerance * (values.maxCoeff() - values.minCoeff()))
        .points;
}

}  // namespace summand::optimizer
