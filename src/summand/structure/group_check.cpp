// SPDX-License-Identifier: Apache-2.0
#include "summand/structure/group_check.hpp"

#include "summand/base/error.hpp"
#include "summand/numeric/cholesky.hpp"
#include "summand/numeric/pivoted_cholesky.hpp"
#include "summand/numeric/symmetric_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <utility>

namespace summand::structure {
namespace {

// Of one parameter's kernel: as many modes as hold this share of its trace, but no more than so many.
constexpr double share_of_trace = 0.95;
constexpr Index most_modes = 4;
// Of the strength of two groups. What they do together may be weaker than what each does; how much weaker is no part of the
// model, and the statement that nothing was missed must hold for functions that do not follow it.
constexpr double ordinary_weights[] = {1.0, 0.3}, any_weights[] = {1.0, 0.3, 0.1, 0.03};
constexpr double least_strength = 1e-4;  // of the variance that the model gives a group

// Columns U with H E_j H ≈ U Uᵀ, the leading modes, from a factor E_j ≈ G Gᵀ.
Matrix leading_modes(KernelFamily family, Index j, const Vector& lengthscale, const std::vector<bool>& unordered,
                     const Matrix& X) {
    const Matrix E = group_gram(family, {j}, 1.0, lengthscale, unordered, X, X);
    Matrix G = pivoted_cholesky(E, 24, 1e-6).factor;
    G.rowwise() -= G.colwise().mean().eval();
    const SymmetricEigen modes = symmetric_eigen(G.transpose() * G);
    const Vector size = modes.values.reverse().cwiseMax(0.0);
    const double enough = share_of_trace * size.sum();
    Index kept = 0;
    for (double sum = 0; kept < std::min<Index>(most_modes, size.size()) && sum < enough; ++kept) sum += size(kept);
    if (kept == 0) return Matrix(X.rows(), 0);  // it never changes
    return G * modes.vectors.rowwise().reverse().leftCols(kept);
}

// Every product of a mode of a parameter of A and one of a parameter of B.
Matrix products(const std::vector<Matrix>& modes, const std::vector<Index>& A, const std::vector<Index>& B) {
    Index columns = 0;
    for (const Index i : A)
        for (const Index j : B)
            columns += modes[static_cast<std::size_t>(i)].cols() * modes[static_cast<std::size_t>(j)].cols();
    Matrix F(modes.front().rows(), columns);
    Index next = 0;
    for (const Index i : A)
        for (const Index j : B)
            for (const auto u : modes[static_cast<std::size_t>(i)].colwise())
                for (const auto v : modes[static_cast<std::size_t>(j)].colwise()) F.col(next++) = u.cwiseProduct(v);
    return F;
}

// The Bayes factor for c ~ N(0, w I) against c = 0.
double bayes_factor(const Matrix& M, const Vector& q, double w) {
    Matrix A = M;
    A.diagonal().array() += 1.0 / w;
    Vector b = q;
    const auto found = factor_and_solve_in_place(A, b);
    if (!found) return 1.0;  // nothing can be said
    const double log_determinant = found->log_determinant + static_cast<double>(q.size()) * std::log(w);
    return std::exp(std::min(0.5 * (found->quadratic - log_determinant), 600.0));
}

double mean_bayes_factor(const Matrix& M, const Vector& q, double strength, std::span<const double> weights) {
    double sum = 0;
    for (const double weight : weights) sum += bayes_factor(M, q, weight * strength);
    return sum / static_cast<double>(weights.size());
}

// The variance of each group by itself: v_m q_m / γ_m, where q_m = v_m αᵀ K_m α is what its part is seen to do and γ_m =
// v_m tr K⁻¹K_m what it does on average if v_m is right, the number of its coefficients that the values determine
// [MacKay1992]. A part of which nothing is seen keeps a little.
Vector strengths(KernelFamily family, const Partition& partition, const Hyperparameters& hyperparameters,
                 const std::vector<bool>& unordered, const Matrix& X, const Matrix& inverse, const Vector& alpha) {
    Vector strength = hyperparameters.variance;
    for (Index m = 0; m < partition.group_count(); ++m) {
        const double v = hyperparameters.variance(m);
        const Matrix vK = group_gram(family, partition.group(m), v, hyperparameters.lengthscale, unordered, X, X);
        strength(m) *= std::max(alpha.dot(vK * alpha) / inverse.cwiseProduct(vK).sum(), least_strength);
    }
    return strength;
}

// How many groups have so many parameters.
using GroupSizes = std::map<Index, double>;

GroupSizes sizes_of(const Partition& partition) {
    GroupSizes sizes;
    for (const auto& group : partition.groups()) sizes[std::ssize(group)] += 1.0;
    return sizes;
}

// Pairs of groups that have so many parameters between them.
double pairs_of(const GroupSizes& sizes, Index together) {
    double ordered = 0;
    for (const auto& [size, groups] : sizes) {
        const auto other = sizes.find(together - size);
        if (other != sizes.end()) ordered += groups * (2 * size == together ? groups - 1.0 : other->second);
    }
    return 0.5 * ordered;
}

// For two groups of so many parameters together to be one: as many groups of that size are still apart as were found, and
// half a one of two, a quarter of one of three .. besides, among all pairs that could be it. But what the samples left apart is
// more often apart than not.
double odds_by_size(const GroupSizes& sizes, Index together) {
    const auto found = sizes.find(together);
    const double apart = (found == sizes.end() ? 0.0 : found->second) + std::exp2(1.0 - static_cast<double>(together));
    return std::min(0.5, apart / pairs_of(sizes, together));
}

// The same for any two of G groups of D parameters, nothing said about sizes: as often as the D - G merges that made them, one
// more in reserve, but never more than even.
double odds_of_any(const Partition& partition) {
    const auto D = static_cast<double>(partition.dimension()), G = static_cast<double>(partition.group_count());
    return std::min(1.0, (D - G + 1.0) / std::max(0.5 * G * (G - 1.0), 1.0));
}

}  // namespace

bool GroupCheck::fits_badly(Index row, double stddevs, double at_least) const {
    return std::abs(left_out_residual(row)) > std::max(stddevs * left_out_stddev(row), at_least);
}

GroupCheck check_groups(KernelFamily family, const Partition& partition, const Hyperparameters& hyperparameters,
                        const std::vector<bool>& unordered, const Matrix& X, const Vector& y) {
    const Index N = X.rows(), G = partition.group_count();
    const ScaledInputs inputs = scale_inputs(X, hyperparameters.lengthscale, unordered);
    const auto K = factor_with_jitter(N, [&](Matrix& A) {
        A.resize(N, N);
        sum_gram(family, partition, hyperparameters.variance, inputs, hyperparameters.noise_variance, A);
    });
    if (!K) throw NumericalError("check_groups: the covariance of the values cannot be factored, even with jitter");
    const Vector white = K->factor.forward((y.array() - hyperparameters.mean).matrix());
    const double prior = odds_of_any(partition);
    const GroupSizes sizes = sizes_of(partition);
    const double total = std::max((y.array() - y.mean()).square().mean(), std::numeric_limits<double>::min());

    GroupCheck check{Matrix::Zero(G, G)};
    const Matrix inverse = K->factor.inverse();
    const Vector alpha = K->factor.backward(white);
    const Vector precision = inverse.diagonal().cwiseMax(std::numeric_limits<double>::min());
    check.left_out_residual = alpha.cwiseQuotient(precision);
    check.left_out_stddev = precision.cwiseSqrt().cwiseInverse();
    const Vector strength = strengths(family, partition, hyperparameters, unordered, X, inverse, alpha);
    std::vector<Matrix> modes;
    for (Index j = 0; j < X.cols(); ++j)
        modes.push_back(leading_modes(family, j, hyperparameters.lengthscale, unordered, X));
    for (Index b = 1; b < G; ++b)
        for (Index a = 0; a < b; ++a) {
            Matrix F = products(modes, partition.group(a), partition.group(b));
            if (F.cols() == 0) continue;
            const double size = F.col(0).squaredNorm() / static_cast<double>(N);
            K->factor.forward_in_place(F);  // F <- L⁻¹F, so that M = FᵀF and q = Fᵀ L⁻¹(y - mean)
            const Matrix M = F.transpose() * F;
            const Vector q = F.transpose() * white;
            const Index together = std::ssize(partition.group(a)) + std::ssize(partition.group(b));
            const double both = std::sqrt(strength(a) * strength(b));
            check.merge_odds(a, b) = check.merge_odds(b, a) =
                odds_by_size(sizes, together) * mean_bayes_factor(M, q, both, ordinary_weights);
            check.none_missing /= 1.0 + prior * mean_bayes_factor(M, q, both, any_weights);
            // The leading product alone, with coefficient c, raises the log Bayes factor by c²M/2 at most: as probable as not
            // once that makes up for the prior and for log(1 + wM)/2.
            const double needed = -2.0 * std::log(prior) + std::log1p(both * M(0, 0));
            check.smallest_noticed = std::max(check.smallest_noticed, needed / M(0, 0) * size / total);
        }
    return check;
}

std::optional<Partition> most_probable_merge(const GroupCheck& check, const Partition& partition, double more_than,
                                             Index max_group_size) {
    double highest = more_than;
    std::optional<Partition> found;
    for (Index b = 1; b < partition.group_count(); ++b)
        for (Index a = 0; a < b; ++a) {
            if (std::ssize(partition.group(a)) + std::ssize(partition.group(b)) > max_group_size) continue;
            if (check.merge_odds(a, b) <= highest) continue;
            highest = check.merge_odds(a, b);
            found = partition.merged(a, b);
        }
    return found;
}

}  // namespace summand::structure
