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

/// Importance and slices taken from one model.
struct ModelView {
    std::vector<double> importance =
        {};  ///< of each parameter, in the order of the space; empty before there is a model
    std::vector<GroupSlice> slices = {};
};

}  // namespace summand
