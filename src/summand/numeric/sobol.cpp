// SPDX-License-Identifier: Apache-2.0
#include "summand/numeric/sobol.hpp"

#include "summand/base/error.hpp"

#include <boost/random/sobol.hpp>
#include <cstdint>
#include <string>

namespace summand {
namespace {

using Engine = boost::random::sobol_engine<std::uint32_t, 32>;

std::uint64_t mix(std::uint64_t z) {  // splitmix64's output function [Steele2014]
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

// Owen's scrambling: bit b is flipped by a coin that depends on the bits above it, one coin for each node of the binary
// tree. A coin is a hash of the coordinate's seed and the node (a leading 1, then the bits above).
std::uint32_t owen_scramble(std::uint32_t bits, std::uint64_t seed) {
    std::uint32_t result = 0;
    std::uint64_t node = 1;
    for (int b = 31; b >= 0; --b) {
        const std::uint32_t bit = (bits >> b) & 1U;
        const auto coin = static_cast<std::uint32_t>(mix(seed ^ (node * 0x9e3779b97f4a7c15ULL)) >> 63);
        result |= (bit ^ coin) << b;
        node = (node << 1) | bit;
    }
    return result;
}

void check(Index count, Index dimension) {
    if (dimension < 1 || dimension > largest_sobol_dimension)
        throw InvalidArgument("sobol_points: dimension " + std::to_string(dimension) + " is outside 1 to " +
                              std::to_string(largest_sobol_dimension) + "; draw uniform points instead");
    if (count < 0 || count > (Index{1} << 31))
        throw InvalidArgument("sobol_points: " + std::to_string(count) + " points were asked for; ask for 0 to 2^31");
}

}  // namespace

Matrix sobol_points(Index count, Index dimension, const Rng& rng) {
    check(count, dimension);
    std::vector<std::uint64_t> seed;
    for (Index j = 0; j < dimension; ++j) seed.push_back(rng.stream("sobol/coordinate", {j}).bits());
    Engine engine(static_cast<std::size_t>(dimension));
    // The engine leaves out the sequence's first point, the origin; it belongs to the net, and scrambling moves it.
    Matrix points(count, dimension);
    for (Index i = 0; i < count; ++i)
        for (Index j = 0; j < dimension; ++j) {
            const std::uint32_t bits = i == 0 ? 0U : engine();
            // The middle of the cell of width 2^-32: inside (0, 1) always.
            points(i, j) = (owen_scramble(bits, seed[static_cast<std::size_t>(j)]) + 0.5) * 0x1.0p-32;
        }
    return points;
}

}  // namespace summand
