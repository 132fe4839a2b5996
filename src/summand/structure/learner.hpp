// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/base/random.hpp"
#include "summand/model/kernel.hpp"
#include "summand/model/partition.hpp"
#include "summand/structure/prior.hpp"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

namespace summand::structure {

/// How the structure is found: exactly one of these.

/// The paper's sampler: single-site Gibbs at fixed hyperparameters (learned ones are updated between burn-in sweeps).
struct Gibbs {
    int sweeps = 100;
    int burn_in = 50;
};
/// Ours: several chains, each heated by its own learned noise variance until the groups nucleate, then sampled at fixed
/// hyperparameters with single-site, swap and re-split moves. On two-level points it needs no hyperparameters at all.
struct AnnealedChains {
    int chains = 4;
    int max_sweeps = 200;  ///< of annealing, for each chain; it ends earlier, some sweeps after the noise has collapsed
    int samples = 20;      ///< sweeps of sampling, for each chain; every one is a sample
    bool all_points = false;  ///< false: if X holds enough two-level points, learn from those alone (fast)
};
struct Known {
    Partition partition = {};
};
struct None {};  ///< one group: an ordinary GP (the paper's NP)
struct Full {};  ///< every parameter on its own (FP)
/// The highest likelihood among random partitions drawn from the prior: PL-2 with 5; PL-1 with as many as Gibbs visited.
struct BestOfRandom {
    int candidates = 5;
};
using Learner = std::variant<AnnealedChains, Gibbs, Known, None, Full, BestOfRandom>;

/// One lengthscale, one variance for every group, in the units of y; parameters in [0,1].
struct GivenHyperparameters {
    KernelFamily family = KernelFamily::squared_exponential;
    Vector lengthscale = Vector::Constant(1, 0.1);  ///< one for all, or one for each parameter
    double variance = 1.0;                          ///< of every group
    double noise_variance = 1e-4;
    double mean = 0.0;
};
/// Noise, shared variance and lengthscale from the data, between the sweeps of annealing.
struct LearnedHyperparameters {
    KernelFamily family = KernelFamily::squared_exponential;
    /// Also one lengthscale for each parameter and one variance for each group, by maximum a posteriori (model/fit) at
    /// the best partition of annealing; AnnealedChains on general points then samples with those lengthscales.
    bool per_dimension = false;
    std::optional<GivenHyperparameters> start = {};  ///< a guess, for instance what the last call learned
};

struct Progress {
    int chain = 0;
    int sweep = 0;             ///< done so far, annealing and sampling
    int sweeps = 0;            ///< at most this many
    double noise_share = 0.0;  ///< learned noise variance / var y
    double log_likelihood = 0.0;
};

struct LearnOptions {
    PriorOptions prior = {};
    /// Largest group; empty: no limit for Gibbs (as the paper); 5 for AnnealedChains, raised to 7 and 9 when chains that
    /// agree in part fill a group (too large costs little, too small breaks everything).
    std::optional<Index> max_group_size = {};
    std::variant<LearnedHyperparameters, GivenHyperparameters> hyperparameters = LearnedHyperparameters{};
    std::vector<bool> unordered = {};        ///< which columns are choices; empty: none
    std::vector<Partition> warm_start = {};  ///< chain c starts at warm_start[c mod size], and is not heated
    std::optional<int> threads = 1;          ///< empty: all cores; never changes a result
    std::function<void(const Progress&)> progress = {};  ///< called after each sweep, one call at a time
    std::stop_token stop = {};                           ///< asked to stop, learn_structure throws Interrupted
};

enum class Verdict {
    structure_found,                ///< use it
    arbitrary_pairs,                ///< explained, but chains join different pairs: trust only the probable ones
    overlapping_groups_suspected,   ///< the pairs are real, but disjoint groups do not explain everything
    not_additive_or_too_few_points  ///< do not rely on it
};
/// "structure-found", "arbitrary-pairs", "overlapping-groups-suspected", "not-additive-or-too-few-points".
std::string name_of(Verdict verdict);

struct WeightedPartition {
    Partition partition = {};
    double weight = 0.0;  ///< share of the posterior, see StructurePosterior::partitions; sums to 1
    double log_likelihood = 0.0;
};

struct StructurePosterior {
    /// AnnealedChains: the likeliest as an additive Gaussian process, of the samples and of merges that they lack; with given
    /// hyperparameters, from a warm start and on more than 1000 general points the most probable sample. Other learners, as
    /// the paper: the sample of highest likelihood.
    Partition best = {};
    double log_likelihood = 0.0;  ///< of `best`, in the model of the samples and the units of y
    Partition consensus = {};     ///< pairs joined in more than half of the samples, closed to groups of allowed size
    std::vector<Partition> samples = {};  ///< all chains, after burn-in, chain by chain
    /// The distinct samples, heaviest first. A weight is a share of the samples; of AnnealedChains, where `best` is the
    /// likeliest, a share of the likelihood as an additive process, merges that were tried among them (docs/structure.md).
    std::vector<WeightedPartition> partitions = {};
    /// D x D, 1 on the diagonal: weight of the samples; with `probability`, for pairs apart in `best` also what may be missing.
    Matrix pair_probability = {};
    Verdict verdict = Verdict::not_additive_or_too_few_points;
    std::string verdict_text = {};  ///< one or two sentences: what was seen, what to do
    /// AnnealedChains, not from a warm start: that `best` is right about every pair. The weight of the samples that join all its
    /// pairs, times the probability that no interaction across its groups was missed.
    double probability = 0.0;
    /// The weakest interaction across groups that would have been noticed, as a share of the variance of y.
    double smallest_noticed = 1.0;
    std::vector<Index> left_out = {};  ///< rows of X whose values do not fit the others and had no say, increasing

    double chain_agreement = 1.0;  ///< mean overlap (Jaccard) of the joined pairs of two chains; 1 for a single chain
    double effective_samples =
        0.0;  ///< smallest effective sample size over pair indicators that vary; samples.size() if none does
    double site_acceptance = 0.0;  ///< share of single-site draws that changed the partition while sampling
    double swap_acceptance = 0.0;
    double resplit_acceptance = 0.0;
    double noise_share = 0.0;                   ///< noise_variance / var y
    GivenHyperparameters hyperparameters = {};  ///< used for the samples: learned or given, in the units of y
    /// One variance for each group of fitted_partition (the best of annealing) and one lengthscale for each parameter,
    /// if per_dimension was asked for.
    std::optional<Hyperparameters> fitted = {};
    Partition fitted_partition = {};
    bool two_level = false;  ///< learned from two-level points in Walsh form
    Index points_used = 0;
    int sweeps = 0;           ///< all chains, annealing and sampling
    long factorisations = 0;  ///< Cholesky factorisations
    long likelihoods = 0;     ///< likelihoods asked for; those beyond `factorisations` came cheaper
};

/// The posterior over structures of y = f(X) + noise, f a sum over groups of columns.
///
/// X: N x D in the unit cube, y: N values in any units, N ≥ 2, D ≥ 1; NaN, infinite values, sizes that do not fit or a
/// constant y throw InvalidArgument. Depends on (X, y, learner, rng's key, options) only, bit for bit, at any number of threads.
StructurePosterior learn_structure(const Matrix& X, const Vector& y, const Learner& learner, Rng rng,
                                   const LearnOptions& options = {});

}  // namespace summand::structure
