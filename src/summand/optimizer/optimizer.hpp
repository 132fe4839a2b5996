// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/options.hpp"
#include "summand/space/search_space.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

// CONTRACT DRAFT: owner of optimizer/ refines; study/, cli and python build on these names.
namespace summand {

/// A point to evaluate.
struct Trial {
    std::int64_t id = 0;
    Point values = {};
    std::shared_ptr<const SearchSpace> space = {};
    double real(std::string_view name) const;  ///< Real or Levels
    std::int64_t integer(std::string_view name) const;
    const std::string& choice(std::string_view name) const;
};

/// An evaluation that gave no value: data, not an error. Its neighbourhood is avoided, the point not proposed again.
struct Failed {
    std::string reason = {};
};
using Outcome = std::variant<double, Failed>;

struct Best {
    std::int64_t id = 0;
    Point values = {};
    double value = 0.0;
};

/// What has happened, in order: the optimiser's state is a function of (space, options, history).
struct Asked {
    std::int64_t id = 0;
    Point values = {};
    std::int64_t ask = 0;
};  ///< ask: which call of ask() it came from, from 0
struct Told {
    std::int64_t id = 0;
    Outcome outcome = {};
};
struct Added {
    std::int64_t id = 0;
    Point values = {};
    Outcome outcome = {};
};  ///< the user's own data
struct Dropped {
    std::int64_t id = 0;
};  ///< a pending trial nobody will answer
using Event = std::variant<Asked, Told, Added, Dropped>;

/// What has been learned about which parameters belong together.
struct StructureView {
    std::vector<std::vector<std::string>> groups = {};       ///< the most probable structure
    std::vector<std::vector<double>> pair_probability = {};  ///< D x D
    std::string verdict = {};                                ///< see structure/verdict
    double log_likelihood = 0.0;
};

class Optimizer {
  public:
    Optimizer(SearchSpace space, Options options);  ///< throws InvalidArgument with every mistake
    /// Rebuilds the state from a history; the next ask equals, bit for bit, that of the optimiser that lived through it.
    /// `snapshot` (from snapshot()) spares recomputation; it never changes a result and a stale one is ignored.
    Optimizer(SearchSpace space, Options options, const std::vector<Event>& history, const std::string& snapshot = {});

    std::vector<Trial> ask(std::stop_token stop = {});  ///< options.batch_size of them
    std::vector<Trial> ask(int count, std::stop_token stop = {});
    void tell(std::int64_t id, double value);  ///< in any order; NaN or infinite is refused: tell it as Failed
    void tell(std::int64_t id, Failed failed);
    std::int64_t add(const Point& point, Outcome outcome);  ///< a point nobody asked for; returns its id
    void drop(std::int64_t id);                             ///< a pending trial will never be answered

    std::optional<Best> best() const;
    StructureView structure() const;
    const std::vector<Event>& history() const;
    std::string snapshot() const;
    const SearchSpace& space() const;
    const Options& options() const;
    // Also: pending(), failures, posterior slices of a group (for reports and Python).

  private:
    class Impl;
    std::shared_ptr<Impl> impl_;
};

}  // namespace summand
