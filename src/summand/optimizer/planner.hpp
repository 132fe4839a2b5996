// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/random.hpp"
#include "summand/model/additive_gp.hpp"
#include "summand/optimizer/ledger.hpp"
#include "summand/optimizer/options.hpp"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace summand::structure {
struct StructurePosterior;
}

namespace summand::optimizer {

/// All that a planner may look at when it decides: no clock, and no thread count that could show in a result.
struct Situation {
    const Encoding& encoding;
    const Options& options;                 ///< resolved
    const std::optional<Partition>& known;  ///< Options::groups, if given
    Rng root;                               ///< of the study's seed; streams are keyed by purpose and ask
    std::int64_t ask = 0;
    Data data = {};
    int threads = 1;
    std::stop_token stop = {};
    bool in_design = false;  ///< points of the initial design are left
};

/// What a planner has learned about the structure, by column.
struct Learned {
    Partition partition = {};
    Matrix pair_probability = {};
    std::string verdict = {};
    bool found = false;  ///< the verdict: `partition` is the structure
    double log_likelihood = 0.0;
    std::vector<std::pair<Partition, double>> partitions = {};  ///< with weights
    std::vector<std::pair<std::string, double>> models = {};    ///< with weights
};

/// What a planner's models expect of the function, without noise, at the told points (larger is better).
struct Expected {
    Vector mean = {};
    Vector stddev = {};
    double noise_stddev = 0.0;       ///< of one value where most is expected
    std::vector<bool> doubted = {};  ///< values that have no say; empty: none
};

/// A way of choosing points once the initial design has been handed out, or enough of it. Its state (structures,
/// hyperparameters, trust region, weights) is a value that changes only in advance().
class Planner {
  public:
    virtual ~Planner() = default;
    virtual std::unique_ptr<Planner> clone() const = 0;

    /// The state at this ask from the state at the last one and what has happened since. Called once for each ask when at
    /// least two values are known. Returns whether propose() is wanted: always after the initial design, and before its end
    /// when enough has been seen.
    virtual bool advance(const Situation& situation) = 0;
    /// `count` rows of allowed points. They may repeat known points: the loop replaces those.
    virtual Matrix propose(const Situation& situation, Index count) const = 0;
    /// Known points that are to be evaluated a second time before anything new is; those that were already are passed over.
    virtual Matrix to_repeat(const Situation& situation) const { return Matrix(0, situation.data.X.cols()); }

    virtual std::string save() const = 0;
    virtual void load(
        const std::string& text) = 0;  ///< throws InvalidArgument, changing nothing, if the text is not from save()

    /// Empty before the first advance().
    virtual std::optional<Learned> learned() const = 0;
    /// The model in use (of several, the heaviest) with all data of the situation; empty before the first advance(), and without data.
    virtual std::optional<AdditiveGp> surrogate(const Situation& situation) const = 0;
    /// By the model in use; a planner with several asks them all. Empty likewise.
    virtual std::optional<Expected> expected(const Situation& situation) const;
    /// Of the values it has learned from (Data::unit at the last advance()).
    virtual double unit() const = 0;
};

std::unique_ptr<Planner> make_planner(const Options& resolved_options);

/// What a planner keeps of a posterior over structures, learned from values in units of `unit`, when it uses `chosen`; at most
/// the ten heaviest partitions.
Learned summary(const structure::StructurePosterior& posterior, const Partition& chosen, double unit);

/// The `count` rows of X (or fewer) with the largest y, best first.
Matrix best_rows(const Matrix& X, const Vector& y, Index count);

}  // namespace summand::optimizer
