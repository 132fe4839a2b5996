// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/optimizer/fingerprint.hpp"
#include "summand/optimizer/history.hpp"
#include "summand/space/encoding.hpp"
#include "summand/space/trial.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace summand::optimizer {

struct Entry {
    std::size_t event = 0;  ///< where in the history its point stands
    Vector unit = {};
    TrialState state = TrialState::running;
    double value = 0.0;      ///< if completed, as the user gave it
    std::int64_t order = 0;  ///< when its outcome came, counted over the whole history
};

/// What is known at one moment, encoded: all a planner may see of the history.
struct Data {
    Matrix X = {};                         ///< told points, in the order of telling
    Vector y = {};                         ///< their values, turned so that larger is better, in units of `unit`
    double unit = 1.0;                     ///< a power of two, 1 for ordinary values (numeric/working_units.hpp)
    std::vector<std::int64_t> order = {};  ///< increasing; survives the removal of other rows
    Matrix pending = {};                   ///< by id
    Matrix failed = {};                    ///< in the order of telling
};

/// The books: applies events one by one and answers what has happened. Learns nothing.
class Ledger {
  public:
    Ledger(std::shared_ptr<const SearchSpace> space, const Encoding& encoding, Goal goal);

    /// Throws InvalidArgument, changing nothing, for an event that cannot follow what has happened.
    void apply(Event event);

    std::int64_t next_id() const { return next_id_; }
    std::int64_t next_ask() const { return next_ask_; }
    std::int64_t asked_count() const { return asked_; }
    std::int64_t added_count() const { return added_; }  ///< user's own points that had a value
    const std::vector<Event>& history() const { return history_; }
    std::uint64_t fingerprint() const { return fingerprint_.value(); }  ///< of the history
    const std::map<std::int64_t, Entry>& entries() const { return entries_; }
    const Point& values(const Entry& entry) const;
    Data data() const;

    /// Whether the point is pending, told or failed. Points closer than 1e-10 of a range count as the same.
    bool used(const Vector& unit) const { return used_.contains(key(unit)); }
    std::int64_t used_count() const { return static_cast<std::int64_t>(used_.size()); }  ///< distinct points
    std::string key(const Vector& unit) const;

  private:
    void open(std::int64_t id, const Point& point, Entry entry);
    void settle(Entry& entry, const Outcome& outcome);
    void release(const Entry& entry);
    void apply_one(Asked& asked);  ///< its values in their parameters' own types
    void apply_one(const Told& told);
    void apply_one(Added& added);  ///< likewise
    void apply_one(const Abandoned& abandoned);
    void apply_one(const Reopened& reopened);

    std::shared_ptr<const SearchSpace> space_;
    Encoding encoding_;
    Goal goal_;
    std::map<std::int64_t, Entry> entries_;
    std::unordered_map<std::string, int> used_;
    std::vector<Event> history_;
    Fingerprint fingerprint_;
    std::int64_t next_id_ = 1;
    std::int64_t next_ask_ = 0;
    std::int64_t next_order_ = 0;
    std::int64_t asked_ = 0;
    std::int64_t added_ = 0;
};

}  // namespace summand::optimizer
