// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/space/goal.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// Every enumerator below has one word, the same in TOML, JSON, on the command line and in Python: to_string gives it,
// from_string reads it. Free of heavy headers on purpose: everybody includes this file.
namespace summand {

/// A named set of values for everything that is not given ("default", "paper-sequential", "paper-batch").
enum class Preset { standard, paper_sequential, paper_batch };

/// Where the first points come from ("auto", "uniform", "sobol", "latin-hypercube", "structure-finding").
enum class InitialDesign {
    automatic,          ///< the paper's strategy: uniform; the default strategy: see default_design() in design.hpp
    uniform,            ///< independent, uniform on the encoded space [Wang2017, appendix A]
    sobol,              ///< scrambled Sobol points
    latin_hypercube,    ///< each parameter's range is cut into as many slices as points, one point in each
    structure_finding,  ///< two-level points: each parameter takes one of two values, by a fair coin for each point
};

/// How the groups are found ("gibbs", "known", "none", "full", "best-of-visited", "best-of-five").
enum class LearnerName {
    gibbs,            ///< Gibbs sampling [Wang2017, sec. 3]
    known,            ///< Options::groups
    none,             ///< one group: an ordinary GP (the paper's NP)
    full,             ///< every parameter on its own (FP)
    best_of_visited,  ///< the likeliest of as many random partitions as Gibbs would visit (PL-1)
    best_of_five,     ///< the likeliest of five random partitions (PL-2)
};

/// The acquisition of a single point ("ucb", "ei", "pi", "mes", "thompson").
enum class AcquisitionName { ucb, ei, pi, mes, thompson };

/// How the points of a batch differ ("rand", "ucb-pe", "ucb-dpp", "ucb-pe-fnc", "ucb-dpp-fnc", "thompson").
enum class BatchName {
    rand,         ///< all points uniform at random: the paper's baseline
    ucb_pe,       ///< greedy determinant in each group, parts combined at random
    ucb_dpp,      ///< k-DPP sample in each group, parts combined at random
    ucb_pe_fnc,   ///< greedy determinant, parts combined by quality
    ucb_dpp_fnc,  ///< k-DPP sample, parts combined by quality: the paper's best
    thompson,     ///< the maximiser of the posterior mean, then one joint draw of all groups for each further point
};

enum class KernelName { squared_exponential, matern52 };  ///< "squared-exponential", "matern52"

/// Whether kernels are given or fitted by maximum a posteriori whenever the structure is learned ("given", "learned").
enum class HyperparameterSource { given, learned };

/// The algorithm of the paper's appendix A; its inputs N_init, N_cyc, T, B and M are Options::initial_points,
/// relearn_every, Options::budget, Options::batch_size and max_groups.
struct PaperStrategy {
    LearnerName learner = LearnerName::gibbs;
    int relearn_every = 50;                  ///< N_cyc, in asks [sec. 5.1: "every 50 iterations"]
    int sweeps = 100;                        ///< Gibbs sweeps each time [sec. 5.1]
    int burn_in = 50;                        ///< of these, not recorded [sec. 5.1]
    double alpha = 1.0;                      ///< Dirichlet weight of each group [appendix, sensitivity analysis]
    std::optional<int> max_groups = {};      ///< M; empty = D [sec. 3: "we set M = D in practice"]
    std::optional<int> max_group_size = {};  ///< empty = no limit; the paper's Gibbs-L and its walker: 2

    HyperparameterSource hyperparameters = HyperparameterSource::given;
    KernelName kernel = KernelName::squared_exponential;
    double lengthscale = 0.1;      ///< of the unit cube, if given [sec. 5.1: "bandwidth = 0.1"]
    double variance = 5.0;         ///< of each group, in squared units of the value, if given [sec. 5.1: "scale = 5"]
    double noise_variance = 1e-4;  ///< if given; the paper states none, this is the authors' code's

    AcquisitionName acquisition = AcquisitionName::ucb;  ///< of the first point of a batch, and of a single point
    /// beta_t = beta_factor |A_m| log 2t. Empty: 1, but 1/5 for single points at D >= 20 [sec. 5.1 and 5.2].
    std::optional<double> beta_factor = {};
    BatchName batch_method = BatchName::ucb_dpp_fnc;  ///< of the other points [sec. 5.2: best of the four]
    int structures = 1;    ///< sampled decompositions a batch is shared out to [sec. 4]; 1 = the likeliest
    int ground_set = 256;  ///< most candidates of one group that a determinant or a k-DPP sees
    bool operator==(const PaperStrategy&) const = default;
};

/// The default: several additive models, weighted by how well they predict; tempered Thompson draws in a trust region
/// (docs/optimizer.md; effects of these: docs/decisions/0012).
struct DefaultStrategy {
    int max_group_size = 5;          ///< of a learned group; too large costs little, too small breaks everything
    double explore_share = 0.15;     ///< share of the draws that are maximised anywhere; 1 / D at least
    double temper_from = 0.0;        ///< draws are mean + t (draw - mean), t uniform from this to 1
    double design_threshold = 20.0;  ///< structure-finding design if budget / D is at least this
    bool operator==(const DefaultStrategy&) const = default;
};

using Strategy = std::variant<DefaultStrategy, PaperStrategy>;

struct Options {
    Goal goal = Goal::minimize;
    int batch_size = 1;               ///< points per ask(); above 1, batch selection is used
    std::uint64_t seed = 0;           ///< fixed, not the clock: same seed, same history, same asks
    std::optional<int> threads = {};  ///< empty = all cores; never changes a result
    /// Evaluations planned in all, if known: sizes the initial design, and tells where the end is.
    std::optional<int> budget = {};
    Preset preset = Preset::standard;
    std::optional<Strategy> strategy = {};  ///< empty = the preset's
    /// Known groups of parameters, by name. Parameters that are not mentioned are groups of their own. Empty = learn them.
    std::vector<std::vector<std::string>> groups = {};
    InitialDesign initial_design = InitialDesign::automatic;
    std::optional<int> initial_points = {};  ///< N_init; empty = a rule (design.hpp)
    /// Most evaluations a model is built on (its cost grows with the cube); of more, the newest quarter, the best quarter
    /// and others at random are used.
    int model_points = 2000;
    /// Seconds one evaluation takes, roughly, and the share of it that suggestions may cost: structures are then learned
    /// again only as often as that allows. The work is counted in floating-point operations (work.hpp), never measured,
    /// so a replay decides alike. Empty = no limit.
    std::optional<double> evaluation_seconds = {};
    double suggestion_share = 0.1;

    /// Every problem, in words; empty if usable. Optimizer's constructor throws all of them at once, and those that only
    /// show together with the search space (unknown names in groups).
    std::vector<std::string> problems() const;
    bool operator==(const Options&) const = default;
};

constexpr int most_points_of_an_ask = 10'000;

/// What a preset stands for.
Strategy strategy_of(Preset preset);
/// The options with the strategy filled in: what a study stores and a report shows.
Options resolved(Options options);

/// One flat JSON object; its keys are the fields' names, those of the strategy among them, and "strategy" ("default" or
/// "paper"). options_from_json(options_to_json(o)) == resolved(o), bit for bit.
std::string options_to_json(const Options& options);
/// Keys that are missing keep the preset's values. Throws InvalidArgument with every mistake: unknown keys (with the nearest
/// known one), wrong types, unknown words, and what problems() finds.
Options options_from_json(const std::string& json);
/// The keys options_from_json knows, in order.
std::vector<std::string> option_keys();

/// One option, in words: for documentation, editors and type checkers.
struct OptionDescription {
    std::string name = {};
    std::string strategy = {};  ///< "default" or "paper"; empty: of both
    std::string type = {};      ///< "integer", "real", "word" or "groups"
    bool optional = false;      ///< may be left open (null)
    std::vector<std::string> words = {};
    std::string allowed = {};  ///< of a number
    std::string initial = {};  ///< JSON
    std::string meaning = {};
};
std::vector<OptionDescription> describe_options();

/// Of the default strategy: raised whenever it becomes another. What a study stores is this number and what the user set.
constexpr int default_strategy_version = 4;
/// The version and what differs from the preset's values, as JSON.
std::string options_to_store(const Options& options);
struct StoredOptions {
    Options options = {};
    int strategy_version = default_strategy_version;  ///< that the study was begun with
    std::vector<std::string> no_longer_known = {};    ///< "idle_share = 0.2": was set, and is no option any more
};
/// Reads what this or an older program stored. Throws InvalidArgument if a newer one did.
StoredOptions options_from_store(const std::string& json);

std::string to_string(Goal value);
std::string to_string(Preset value);
std::string to_string(InitialDesign value);
std::string to_string(LearnerName value);
std::string to_string(AcquisitionName value);
std::string to_string(BatchName value);
std::string to_string(KernelName value);
std::string to_string(HyperparameterSource value);

/// All words of an enumeration, in order. For the enumerations of this file.
template <class Enum>
std::vector<std::string> words_of();
/// Reads a word; throws InvalidArgument with the allowed words, the nearest first. `what` names the field.
template <class Enum>
Enum from_string(std::string_view word, std::string_view what);

}  // namespace summand
