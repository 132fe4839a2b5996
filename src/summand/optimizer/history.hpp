// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/space/search_space.hpp"

#include <cstdint>
#include <string>
#include <variant>

namespace summand {

/// An evaluation that gave no value: data, not an error. Its neighbourhood is avoided, the point not proposed again.
struct Failed {
    std::string reason = {};
    bool operator==(const Failed&) const = default;
};
using Outcome = std::variant<double, Failed>;

// What has happened, in order: the optimiser's state is a function of (space, options, history).

/// ask: which call of ask() it came from, counted from 0. The trials of one call lie side by side in the history.
/// A point that someone else chose and evaluates (add_pending) belongs to no call: its ask is `elsewhere`.
struct Asked {
    static constexpr std::int64_t elsewhere = -1;
    std::int64_t id = 0;
    Point values = {};
    std::int64_t ask = 0;
    bool operator==(const Asked&) const = default;
};
struct Told {
    std::int64_t id = 0;
    Outcome outcome = {};
    bool operator==(const Told&) const = default;
};
/// The user's own data.
struct Added {
    std::int64_t id = 0;
    Point values = {};
    Outcome outcome = {};
    bool operator==(const Added&) const = default;
};
/// A pending trial nobody will answer, or a told one that must no longer be used.
struct Abandoned {
    std::int64_t id = 0;
    bool operator==(const Abandoned&) const = default;
};
/// Pending again: its answer has been withdrawn, or it was abandoned and is wanted after all.
struct Reopened {
    std::int64_t id = 0;
    bool operator==(const Reopened&) const = default;
};
using Event = std::variant<Asked, Told, Added, Abandoned, Reopened>;

}  // namespace summand
