// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/masked_draws.hpp"

#include "summand/acquisition/pathwise.hpp"

#include <algorithm>

namespace summand::optimizer {
namespace {

Matrix masked_candidates(const Domain& domain, const Vector& centre, Index count, const Rng& rng) {
    constexpr double coordinates_moved = 20.0;
    const Index dimension = centre.size();
    const double probability = std::min(1.0, coordinates_moved / static_cast<double>(dimension));
    Matrix candidates(count, dimension);
    for (Index i = 0; i < count; ++i) {
        Rng stream = rng.stream("masked", {i});
        const Vector moved = domain.random(stream);
        const Index always = stream.below(dimension);
        for (Index j = 0; j < dimension; ++j)
            candidates(i, j) = j == always || stream.coin(probability) ? moved(j) : centre(j);
    }
    return candidates;
}

}  // namespace

Matrix masked_thompson(const AdditiveGp& gp, const Domain& domain, const Vector& centre, Index count, const Rng& rng,
                       int threads) {
    constexpr int frequencies = 512;
    const Index candidate_count = std::min<Index>(2000, std::max<Index>(500, 100 * centre.size()));
    const Matrix candidates = masked_candidates(domain, centre, candidate_count, rng);
    const PathwiseDraws draws(gp, count, frequencies, rng.stream("draws"), threads);
    Matrix values = Matrix::Zero(candidate_count, count);
    for (Index m = 0; m < gp.partition().group_count(); ++m)
        values += draws.values(m, candidates(Eigen::indexing::all, gp.partition().group(m)));
    Matrix points(count, centre.size());
    for (Index b = 0; b < count; ++b) {
        Index best = 0;
        values.col(b).maxCoeff(&best);
        points.row(b) = candidates.row(best);
    }
    return points;
}

}  // namespace summand::optimizer
