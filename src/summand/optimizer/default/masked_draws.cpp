// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/default/masked_draws.hpp"

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

}  // namespace

Matrix masked_thompson(const AdditiveGp& gp, const Domain& domain, const Vector& centre, Index count,
                       double temper_from, const Rng& rng, int threads) {
    constexpr int rounds = 20, frequencies = 512;
    constexpr double relative_tolerance = 1e-6;
    const Index candidate_count = std::min<Index>(2000, std::max<Index>(500, 100 * centre.size()));
    const Matrix candidates = masked_candidates(domain, centre, candidate_count, rng);
    const PathwiseDraws draws(gp, random_tempers(count, temper_from, rng.stream("temper")), frequencies,
                              rng.stream("draws"), threads);
    const Matrix values = draws.values(0, candidates);
    Matrix starts(count, centre.size());
    for (Index b = 0; b < count; ++b) {
        Index best = 0;
        values.col(b).maxCoeff(&best);
        starts.row(b) = candidates.row(best);
    }
    const auto gradients = [&](const Matrix& X, const std::vector<Index>& row) { return draws.gradients(0, X, row); };
    const auto own_values = [&](const Matrix& X, const std::vector<Index>& row) {
        return draws.gradients(0, X, row).value;
    };
    return climb({own_values, gradients}, domain, starts, rounds,
                 relative_tolerance * (values.maxCoeff() - values.minCoeff()))
        .points;
}

}  // namespace summand::optimizer
