// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "experiments/experiment.hpp"
#include "experiments/paper_tables.hpp"
#include "summand/structure/learner.hpp"

namespace summand::experiments {

/// One way of looking for the groups of a function.
struct Searcher {
    std::string name = {};
    structure::Learner learner = structure::Gibbs{};
    bool two_level = false;  ///< structure-finding points instead of uniform ones
    bool given = true;       ///< the true kernel parameters are given, else they are learned
    double alpha = 1.0;
    /// The paper's row for a quantity and D, if this is what the paper did.
    std::function<std::optional<PaperRow>(const std::string&, int)> paper = {};
    std::function<int(int)> most_functions = {};  ///< for each D, by what they cost; empty: no limit
};

/// How well searchers find the groups of functions drawn from the paper's prior.
struct Search {
    std::string name = {}, source = {}, summary = {}, claim = {};
    std::vector<int> dimensions = {};
    std::vector<int> points = {};  ///< N
    std::vector<Searcher> searchers = {};
    std::vector<std::string> plotted = {};  ///< quantities with a row of panels each
    double plotted_from = 0.0;              ///< the lower end of the axis
    int repeats = 10;
};

Experiment search_experiment(Search search, const Size& size);

/// One function: the groups are drawn, N points evaluated with noise of sd 0.01, the groups searched for.
Result run_search(int dimension, int points, const Searcher& searcher, std::uint64_t seed);

/// Tables beside the paper's, NAME.csv and NAME.svg.
Report search_report(const Search& search, const std::vector<Result>& results);

std::string search_panel(int dimension, int points);  ///< "D=20 N=150"

}  // namespace summand::experiments
