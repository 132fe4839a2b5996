// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/space/search_space.hpp"

#include <string>
#include <vector>

// What an optimiser has learned, in the user's words and units: for reports and bindings.
namespace summand {

/// One structure and how much it counts.
struct WeightedStructure {
    std::vector<std::vector<std::string>> groups = {};
    double weight = 0.0;
};

/// One of the models an optimiser keeps side by side, and how much it counts.
struct WeightedModel {
    std::string name = {};
    double weight = 0.0;
};

/// Which parameters belong together.
struct StructureView {
    std::vector<std::string> names = {};                ///< of the parameters: rows and columns of the matrix
    std::vector<std::vector<std::string>> groups = {};  ///< the structure in use; empty before one has been learned
    /// The learner's verdict: `groups` are the structure (or they were given). Otherwise they are one guess among others,
    /// good enough for one of the models and for nothing else.
    bool found = false;
    std::vector<std::vector<double>> pair_probability = {};  ///< D x D, ones on the diagonal; empty likewise
    std::string verdict = {};                                ///< how sure the learner is, in words
    double log_likelihood = 0.0;                             ///< of `groups`
    std::vector<WeightedStructure> structures = {};          ///< the most probable ones, heaviest first
    std::vector<WeightedModel> models = {};                  ///< empty if there is only one
};

/// The posterior of the part of the function that belongs to one group, along one of its parameters or over two of them.
struct GroupSlice {
    std::vector<std::string> group = {};        ///< all parameters of the group
    std::vector<std::string> parameters = {};   ///< one or two of them: the axes
    std::vector<std::vector<Value>> axes = {};  ///< for each axis the parameter's values, in its own units
    std::vector<double> mean = {};              ///< user's units and direction; the first axis varies slowest
    std::vector<double> stddev = {};
    bool additive = true;  ///< false: one group of all parameters, so this is a cut through the whole function
};

/// How much of the function's variation a parameter is responsible for, its interactions included: a share of 1.
struct Importance {
    double share = 0.0;
    double low = 0.0, high = 0.0;  ///< nine of ten functions that fit the values have it between these
};

/// Importance and slices taken from one model: of several, the heaviest. Its groups need not be those of StructureView.
struct ModelView {
    std::vector<std::vector<std::string>> groups = {};  ///< of this model; empty before there is one
    std::vector<Importance> importance = {};  ///< of each parameter, in the order of the space; empty likewise
    std::vector<GroupSlice> slices = {};
};

/// "{a, b} {c, d} and 3 alone": in order, those of one parameter only counted.
std::string groups_text(const std::vector<std::vector<std::string>>& groups);

/// Two parameters that are together in most samples of the learner, and in which share of them.
struct LikelyPair {
    std::string first = {}, second = {};
    double probability = 0.0;
};
std::vector<LikelyPair> likely_pairs(const StructureView& structure);  ///< most probable first

/// The heaviest model; null if there is only one.
const WeightedModel* leading_model(const StructureView& structure);

/// What is known about the structure, a sentence each: the groups where the verdict says that they are found, else that
/// there are none and which pairs are likely; the verdict; and the model that leads, if there are several.
std::vector<std::string> in_sentences(const StructureView& structure);
/// The same on one line: "{a, b} {c, d} and 3 alone", or "none found; every parameter alone leads (71 %)".
std::string in_short(const StructureView& structure);

/// The told point that the model expects most of: with noise the best value told is mostly the luckiest, and it may be wrong.
struct Recommended {
    std::int64_t id = 0;
    Point values = {};
    double value = 0.0;         ///< as told
    double mean = 0.0;          ///< of the function there, without noise
    double stddev = 0.0;        ///< how uncertain that is
    double noise_stddev = 0.0;  ///< of one value told, as the model sees it
    /// Whether that is enough to decide which value is the best: a fiftieth of what separates the best from the median.
    bool noisy = false;
    /// Whether the best value told is so far from what the others foretell that it is taken for an error of its evaluation.
    bool best_doubted = false;

    /// Whether another trial may have the best value only by chance or by mistake.
    bool best_misleads() const { return noisy || best_doubted; }
};

}  // namespace summand
