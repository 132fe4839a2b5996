// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/storage/storage.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace summand::server {

/// The values of a study in the order in which they came, brought up to date by reading only what is new.
class Progress {
  public:
    struct Told {
        std::int64_t trial = 0;
        double value = 0.0;
        double at = 0.0;
    };

    void update(storage::Storage& storage, std::int64_t study);
    const std::vector<Told>& told() const { return told_; }
    std::int64_t sequence() const { return sequence_; }         ///< of the last event
    std::optional<double> last_at() const { return last_at_; }  ///< its time
    /// Positions in told() of each new best.
    std::vector<std::size_t> improvements(Goal goal) const;
    /// The best so far at no more than `most` even steps.
    std::vector<double> sparkline(Goal goal, std::size_t most) const;

  private:
    std::vector<Told> told_;
    std::int64_t answered_ = 0;  // sequence number of the last answer read
    std::int64_t sequence_ = 0;
    std::optional<double> last_at_;
};

}  // namespace summand::server
