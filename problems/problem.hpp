// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/base/random.hpp"
#include "summand/model/partition.hpp"
#include "summand/space/goal.hpp"
#include "summand/space/search_space.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace summand {
class Encoding;
}

/// Functions to optimise, with checked values: the paper's, and the ones its rivals are judged on (docs/problems/).
namespace summand::problems {

/// What a problem is made with. A problem refuses an option that means nothing to it.
struct Options {
    std::optional<int> dimension = {};  ///< for problems of any dimension; the suffix form "ackley-20" says the same
    std::uint64_t seed = 0;             ///< which random function, data set or embedding, and which noise
    double noise_stddev = 0.0;          ///< of the value, or of what the problem's page says
    std::optional<int> levels =
        {};  ///< every parameter restricted to this many equally spaced values (paper's walker: 40)
    std::optional<double> low = {};  ///< another domain for the classics, the same in every dimension
    std::optional<double> high = {};
    double lengthscale = 0.1;  ///< additive: of the squared-exponential kernel, on [0,1]; the paper's bandwidth
    double variance = 5.0;     ///< additive: of each component; the paper's scale
    int largest_group = 3;     ///< additive: parameters in a group at most
};

/// The best value that is known, and what is known about it.
struct Best {
    enum class Kind {
        optimum,  ///< attained, to the accuracy on the problem's page
        bound,    ///< nothing can be better, and nobody may have come near
    };
    double value = 0.0;
    Kind kind = Kind::optimum;
    std::optional<Vector> at = {};  ///< parameter values where it is attained, if known
};

/// One function. Copies are cheap and share what is immutable; every member function may be called from many threads.
///
/// A value depends on the options, the point and `repeat` only. With noise, each (point, repeat) has a draw of its own,
/// so repeating an evaluation means giving another `repeat`; without noise `repeat` changes nothing.
class Problem {
  public:
    /// values: one number for each parameter in the user's units, already known to be allowed. noise: for this evaluation.
    using Function = std::function<double(const Vector& values, Rng& noise)>;

    std::string name;      ///< as `make` took it, dimension included: "ackley-20"
    std::string summary;   ///< one sentence
    std::string citation;  ///< author, year, title
    Goal goal = Goal::minimize;
    std::optional<Partition> true_partition = {};  ///< groups of an additive function

    Problem(std::string name, SearchSpace space, const Options& options, Function function,
            std::function<std::optional<Best>()> best = {});

    const SearchSpace& space() const;
    Index dimension() const { return static_cast<Index>(space().size()); }
    const Options& options() const;

    /// Throws InvalidArgument if the point is not in the space.
    double evaluate(const Point& point, std::uint64_t repeat = 0) const;
    double evaluate(const Vector& values, std::uint64_t repeat = 0) const;
    /// At a point of [0,1]^D (clamped), mapped as Encoding does: linearly, and to the nearest level if there are levels.
    double evaluate_unit(const Vector& unit, std::uint64_t repeat = 0) const;

    /// Computed at the first call where that takes work (additive functions), the same at every call.
    std::optional<Best> best() const;
    /// best().value, for regret.
    std::optional<double> best_known() const;

  private:
    struct State;
    std::shared_ptr<const State> state_;
};

/// Every name, in the order of docs/problems/README.md. Names of problems of any dimension take a suffix "-D".
std::vector<std::string> names();

/// Throws InvalidArgument for an unknown name (with the nearest one), or an option that makes no sense for this problem.
Problem make(const std::string& name, const Options& options = {});

}  // namespace summand::problems
