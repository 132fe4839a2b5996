// SPDX-License-Identifier: Apache-2.0
#include "problems/additive.hpp"
#include "problems/classics.hpp"
#include "problems/lasso.hpp"
#include "problems/problem.hpp"
#include "problems/robot_push.hpp"
#include "problems/rover.hpp"
#include "problems/walker.hpp"
#include "summand/base/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace summand::problems {
namespace {

/// One line of the catalogue. What a problem does not list it refuses.
struct Entry {
    std::string name;
    std::string summary;
    std::string citation;
    Problem (*maker)(const std::string& name, const Options& options);
    int default_dimension = 0;  ///< 0: the dimension is fixed
    bool takes_domain = false;  ///< low, high
    bool takes_prior = false;   ///< lengthscale, variance, largest_group
    Goal goal = Goal::minimize;
};

const std::vector<Entry>& catalogue() {
    static const std::string surjanovic = "Surjanovic and Bingham (2013), Virtual Library of Simulation Experiments";
    static const std::string embedding =
        "Wang, Hutter, Zoghi, Matheson and de Freitas (2016), Bayesian optimization in a billion dimensions via random "
        "embeddings";
    static const std::string walking =
        "Westervelt, Grizzle, Chevallereau, Choi and Morris (2007), Feedback Control of Dynamic Bipedal Robot "
        "Locomotion; as used by Wang, Li, Jegelka and Kohli (2017), section 5.2";
    static const std::vector<Entry> entries = {
        {.name = "additive",
         .summary = "A draw from an additive Gaussian-process prior with random groups; groups and maximum are known.",
         .citation =
             "Wang, Li, Jegelka and Kohli (2017), Batched high-dimensional Bayesian optimization via structural "
             "kernel learning, section 5.1",
         .maker = make_additive,
         .default_dimension = 20,
         .takes_prior = true,
         .goal = Goal::maximize},
#ifdef SUMMAND_WITH_BOX2D
        {.name = "robot-push",
         .summary = "Two hands push a square and a disc towards their goals (Box2D).",
         .citation = "Wang, Li, Jegelka and Kohli (2017), section 5; goals of Wang, Gehring, Kohli and Jegelka (2018), "
                     "Batched large-scale Bayesian optimization in high-dimensional spaces",
         .maker = make_robot_push,
         .goal = Goal::maximize},
#endif
        {.name = "walker",
         .summary = "Speed of a two-legged walker; a fall or a failed integration ends the trial.",
         .citation = walking,
         .maker = make_walker,
         .goal = Goal::maximize},
        {.name = "walker-paper",
         .summary = "The same walker as the paper's code scores it: it goes on after every fall.",
         .citation = walking,
         .maker = make_walker_paper,
         .goal = Goal::maximize},
        {.name = "rover",
         .summary = "A smooth path over a map with obstacles, from corner to corner.",
         .citation = "Wang, Gehring, Kohli and Jegelka (2018), Batched large-scale Bayesian optimization in "
                     "high-dimensional spaces",
         .maker = make_rover,
         .goal = Goal::maximize},
        {.name = "ackley",
         .summary = "Many shallow dips around one deep well.",
         .citation = "Ackley (1987), A Connectionist Machine for Genetic Hillclimbing",
         .maker = make_ackley,
         .default_dimension = 20,
         .takes_domain = true},
        {.name = "levy",
         .summary = "A wavy bowl; a sum of functions of one parameter each.",
         .citation = "Laguna and Marti (2005), Experimental testing of advanced scatter search designs",
         .maker = make_levy,
         .default_dimension = 20,
         .takes_domain = true},
        {.name = "rastrigin",
         .summary = "A bowl with a regular grid of dips; a sum of functions of one parameter each.",
         .citation = "Rastrigin (1974), Systems of Extremal Control",
         .maker = make_rastrigin,
         .default_dimension = 20,
         .takes_domain = true},
        {.name = "rosenbrock",
         .summary = "A curved valley that couples neighbouring parameters.",
         .citation = "Rosenbrock (1960), An automatic method for finding the greatest or least value of a function",
         .maker = make_rosenbrock,
         .default_dimension = 20,
         .takes_domain = true},
        {.name = "styblinski-tang",
         .summary = "Two dips in each parameter, one deeper; a sum of functions of one parameter each.",
         .citation = "Styblinski and Tang (1990), Experiments in nonconvex optimization",
         .maker = make_styblinski_tang,
         .default_dimension = 20,
         .takes_domain = true},
        {.name = "michalewicz",
         .summary = "Flat ground cut by narrow valleys; a sum of functions of one parameter each.",
         .citation = "Michalewicz (1992), Genetic Algorithms + Data Structures = Evolution Programs",
         .maker = make_michalewicz,
         .default_dimension = 10,
         .takes_domain = true},
        {.name = "griewank",
         .summary = "A wide bowl with a product of cosines on it.",
         .citation = "Griewank (1981), Generalized descent for global optimization",
         .maker = make_griewank,
         .default_dimension = 20,
         .takes_domain = true},
        {.name = "branin", .summary = "Three equal minima in the plane.", .citation = surjanovic, .maker = make_branin},
        {.name = "hartmann6",
         .summary = "Four Gaussian dips in six dimensions.",
         .citation = surjanovic,
         .maker = make_hartmann6},
        {.name = "branin-embedded",
         .summary = "Branin of two among many parameters; the seed says which.",
         .citation = embedding,
         .maker = make_embedded_branin,
         .default_dimension = 25},
        {.name = "hartmann6-embedded",
         .summary = "Hartmann-6 of six among many parameters; the seed says which.",
         .citation = embedding,
         .maker = make_embedded_hartmann6,
         .default_dimension = 50},
        {.name = "lasso-synthetic",
         .summary =
             "Penalties of a weighted lasso, one for each feature, by cross-validation; D = 100 or 300 is usual.",
         .citation = "after Sehic, Gramfort, Salmon and Nardi (2022), LassoBench: a high-dimensional hyperparameter "
                     "optimization benchmark suite for lasso",
         .maker = make_lasso,
         .default_dimension = 100},
    };
    return entries;
}

std::vector<std::string> expected(const Entry& entry, const Options& options) {
    std::vector<std::string> wrong;
    const Options defaults;
    const auto refuse = [&](bool given, const char* option, const char* hint) {
        if (given) wrong.push_back(std::string("it takes no ") + option + " (" + hint + ")");
    };
    refuse(options.dimension && entry.default_dimension == 0, "dimension", "its dimension is fixed");
    refuse((options.low || options.high) && !entry.takes_domain, "low or high", "its domain is fixed");
    refuse((options.lengthscale != defaults.lengthscale || options.variance != defaults.variance ||
            options.largest_group != defaults.largest_group) &&
               !entry.takes_prior,
           "lengthscale, variance or largest group", "only \"additive\" does");
    if (options.dimension && *options.dimension < 1)
        wrong.push_back("dimension " + std::to_string(*options.dimension) + " was given; it must be at least 1");
    if (!(options.noise_stddev >= 0.0) || !std::isfinite(options.noise_stddev))
        wrong.push_back("noise_stddev " + to_text(options.noise_stddev) +
                        " was given; it is a standard deviation, 0 or more");
    if (options.levels && *options.levels < 2)
        wrong.push_back("levels " + std::to_string(*options.levels) + " was given; give at least 2");
    return wrong;
}

/// "ackley-20" -> ("ackley", 20); nothing if there is no number at the end.
std::optional<std::pair<std::string, int>> split_suffix(const std::string& name) {
    const auto dash = name.rfind('-');
    if (dash == std::string::npos || dash + 1 == name.size()) return std::nullopt;
    int number = 0;
    const auto [end, error] = std::from_chars(name.data() + dash + 1, name.data() + name.size(), number);
    if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
    return std::pair(name.substr(0, dash), number);
}

const Entry* find(const std::string& name) {
    const auto found = std::ranges::find(catalogue(), name, &Entry::name);
    return found == catalogue().end() ? nullptr : &*found;
}

[[noreturn]] void throw_unknown(const std::string& name) {
    const auto suffix = split_suffix(name);
    const auto near = nearest_name(suffix ? suffix->first : name, names());
    throw InvalidArgument("there is no problem \"" + name + "\"" + (near ? "; did you mean \"" + *near + "\"?" : "") +
                          " (`summand problem list` shows all of them)");
}

}  // namespace

std::vector<std::string> names() {
    std::vector<std::string> all;
    for (const Entry& entry : catalogue()) all.push_back(entry.name);
    return all;
}

Problem make(const std::string& name, const Options& given) {
    Options options = given;
    const Entry* entry = find(name);
    if (entry == nullptr) {
        const auto suffix = split_suffix(name);
        entry = suffix ? find(suffix->first) : nullptr;
        if (entry == nullptr || entry->default_dimension == 0) throw_unknown(name);
        if (options.dimension && *options.dimension != suffix->second)
            throw InvalidArgument("problem \"" + name + "\": its name says dimension " +
                                  std::to_string(suffix->second) + ", but dimension " +
                                  std::to_string(*options.dimension) + " was given; give one of them");
        options.dimension = suffix->second;
    }
    if (const auto wrong = expected(*entry, options); !wrong.empty()) {
        std::string message = "problem \"" + name + "\": " + wrong.front();
        for (std::size_t i = 1; i < wrong.size(); ++i) message += "; " + wrong[i];
        throw InvalidArgument(message);
    }
    std::string full_name = entry->name;
    if (entry->default_dimension > 0) {
        if (!options.dimension) options.dimension = entry->default_dimension;
        full_name.append("-").append(std::to_string(*options.dimension));
    }
    Problem problem = entry->maker(full_name, options);
    problem.summary = entry->summary;
    problem.citation = entry->citation;
    problem.goal = entry->goal;
    return problem;
}

}  // namespace summand::problems
