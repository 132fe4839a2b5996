// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "experiments/experiment.hpp"
#include "summand/optimizer/options.hpp"
#include "summand/optimizer/regret.hpp"

namespace summand::experiments {

/// A function to optimise, drawn anew in every repeat if it is random, and how long.
struct Panel {
    std::string name = {};     ///< "D=20"
    std::string problem = {};  ///< of `summand problem list`
    int evaluations = 250;     ///< in all, the initial points among them
    int batch_size = 1;
    std::optional<int> levels = {};  ///< every parameter restricted to this many values
};

struct Method {
    std::string name = {};
    Options options = {};      ///< goal, batch size, budget, seed and threads follow from the panel
    bool told_groups = false;  ///< is given the function's true groups
};

/// The two quantities the paper plots [Wang2017, sec. 2]; regret.hpp has the definitions.
enum class Measure { simple, cumulative };

/// Regrets as they are, or divided by the mean regret of one method at the same iteration.
struct Figure {
    std::string suffix = {};  ///< of the file: NAME-suffix.svg; empty: NAME.svg
    std::vector<Measure> measures = {Measure::simple, Measure::cumulative};  ///< a row of panels each
    std::string relative_to = {};                                            ///< a method; empty: absolute
};

/// "The regret of `better` is below that of `worse`": tested at the end of the runs, function by function.
struct Comparison {
    std::string better = {};
    std::vector<std::string> worse = {};
};

/// Methods compared on the same functions.
struct Race {
    std::string name = {}, source = {}, summary = {};
    std::string claim = {};       ///< the paper's, in one sentence
    std::string cells_from = {};  ///< empty: its own
    std::vector<Panel> panels = {};
    std::vector<Method> methods = {};
    int repeats = 10;
    std::vector<Figure> figures = {};
    std::vector<Comparison> comparisons = {};
};

/// The race with its cells; `report` replaces the usual tables and figures.
Experiment race_experiment(Race race, const Size& size,
                           const std::function<Report(const Race&, const std::vector<Result>&)>& report = {});

/// One method's way through one function: the loop of the paper's appendix A, driven as a user drives it.
Result run_race(const Panel& panel, const Method& method, std::uint64_t seed);

/// Regret of one run, against the known maximum, the known bound, or else the best value any run of the panel has seen.
struct Run {
    Regret regret = {};
    double optimum = 0.0;
    double seconds = 0.0;
};
/// By panel, method and repeat.
using Runs = std::map<std::string, std::map<std::string, std::map<int, Run>>>;
Runs runs_of(const Race& race, const std::vector<Result>& results);

const std::vector<double>& curve_of(const Regret& regret, Measure measure);
std::string word_of(Measure measure);  ///< "simple regret", "averaged cumulative regret"

/// Final tables, comparisons, NAME.csv, NAME-curves.csv and the figures.
Report race_report(const Race& race, const std::vector<Result>& results);

}  // namespace summand::experiments
