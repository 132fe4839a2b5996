// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/distinct.hpp"
#include "summand/optimizer/ledger.hpp"
#include "summand/optimizer/optimizer.hpp"
#include "summand/optimizer/planner.hpp"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace summand::optimizer {

/// The optimiser behind its public face: books, initial design, planner.
///
/// The planner learns only inside ask(): its state at ask k is a function of its state at ask k-1 and of the books at
/// ask k. A replay calls the same advance() at the same places, so it ends in the same state.
class Loop {
  public:
    Loop(SearchSpace space, const Options& options);
    Loop(const Loop& other);

    void replay(const std::vector<Event>& history, const std::string& snapshot, const std::stop_token& stop = {});
    std::vector<Trial> ask(int count, std::stop_token stop);
    void apply(Event event) { ledger_.apply(std::move(event)); }
    std::string snapshot() const;
    std::optional<Best> best() const;

    const Ledger& ledger() const { return ledger_; }
    const std::shared_ptr<const SearchSpace>& space() const { return space_; }
    const Encoding& encoding() const { return encoding_; }
    const Options& options() const { return options_; }
    const Planner& planner() const { return *planner_; }
    const Rng& root() const { return root_; }
    Situation situation(std::stop_token stop = {}) const;
    /// What is known, in the units in which the planner has learned: for those who look at its model.
    Situation situation_of_model() const;

  private:
    /// Until as many points as the design has were asked for or brought in by the user.
    bool in_design() const { return ledger_.asked_count() + ledger_.added_count() < design_.rows(); }
    bool advance(Planner& planner, const Situation& situation) const;
    Matrix design_points(Index count) const;
    Matrix model_points(const Planner& planner, const Situation& situation, Index count) const;
    Matrix tried_once(const Matrix& points) const;
    Matrix next_points(Planner& planner, const Situation& situation, Index count, Distinct& distinct) const;
    std::int64_t load(const std::vector<Event>& history, const std::string& snapshot);

    std::shared_ptr<const SearchSpace> space_;
    Encoding encoding_;
    Options options_;
    std::optional<Partition> known_;
    Rng root_;
    Matrix design_;
    Ledger ledger_;
    std::unique_ptr<Planner> planner_;
};

}  // namespace summand::optimizer
