// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/distinct.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace summand::optimizer {
namespace {

/// One coordinate of a column that is not continuous, one value up or down (another word, for a choice).
double next_value(const Encoding& encoding, Index j, double unit, Rng& rng) {
    const std::int64_t count = encoding.count(j), k = encoding.nearest(j, unit);
    if (count < 2) return unit;
    if (encoding.kind(j) == Encoding::Kind::unordered) return encoding.unit(j, (k + 1 + rng.below(count - 1)) % count);
    const bool up = k == 0 || (k + 1 < count && rng.coin());
    return encoding.unit(j, up ? k + 1 : k - 1);
}

}  // namespace

Distinct::Distinct(const Ledger& ledger, const Encoding& encoding, const Rng& rng)
    : ledger_(ledger), encoding_(encoding), rng_(rng) {
    if (encoding.point_count() != 0) return;
    for (const auto& [id, entry] : ledger.entries())
        if (entry.state != TrialState::abandoned) known_.push_back(entry.unit);
}

std::int64_t Distinct::left() const {
    const std::int64_t all = encoding_.point_count();
    if (all == 0) return std::numeric_limits<std::int64_t>::max();
    return all - ledger_.used_count() - static_cast<std::int64_t>(handed_out_.size());
}

bool Distinct::taken(const Vector& point) const {
    return ledger_.used(point) || handed_out_.contains(ledger_.key(point));
}

bool Distinct::crowded(const Vector& point) const {
    constexpr double too_near = 1e-4;
    return std::any_of(known_.begin(), known_.end(),
                       [&](const Vector& known) { return (known - point).cwiseAbs().maxCoeff() < too_near; });
}

Vector Distinct::nearest_free(const Vector& wanted) {
    Vector point = encoding_.snap(wanted);
    if (taken(point) || crowded(point)) {
        Rng rng = rng_.stream("distinct", {static_cast<std::int64_t>(handed_out_.size())});
        std::optional<Vector> found = free_neighbour(point, rng);
        if (!found) found = free_random(rng);
        point = found ? *found : free_by_search(rng);
    }
    handed_out_.insert(ledger_.key(point));
    if (encoding_.point_count() == 0) known_.push_back(point);
    return point;
}

/// A walk that changes one coordinate at a time: 0.1 % of the range, doubling every few steps, or one allowed value on.
std::optional<Vector> Distinct::free_neighbour(const Vector& point, Rng& rng) const {
    Vector walk = point;
    for (int step = 0; step < 40; ++step) {
        const Index j = rng.below(walk.size());
        if (encoding_.kind(j) == Encoding::Kind::continuous) {
            walk(j) = std::clamp(walk(j) + 0.001 * std::ldexp(1.0, step / 4) * rng.normal(), 0.0, 1.0);
        } else {
            walk(j) = next_value(encoding_, j, walk(j), rng);
        }
        if (!taken(walk) && !crowded(walk)) return walk;
    }
    return {};
}

std::optional<Vector> Distinct::free_random(Rng& rng) const {
    for (int attempt = 0; attempt < 100; ++attempt) {
        const Vector point = encoding_.random(rng);
        if (!taken(point)) return point;
    }
    return {};
}

/// Runs through a finite space from a random point on, the last column fastest: at most one step for each taken point.
Vector Distinct::free_by_search(Rng& rng) const {
    Vector point = encoding_.random(rng);
    while (taken(point)) {
        for (Index j = point.size() - 1; j >= 0; --j) {
            const std::int64_t next = encoding_.nearest(j, point(j)) + 1;
            point(j) = encoding_.unit(j, next % encoding_.count(j));
            if (next < encoding_.count(j)) break;
        }
    }
    return point;
}

}  // namespace summand::optimizer
