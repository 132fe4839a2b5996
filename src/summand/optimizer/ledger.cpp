// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/ledger.hpp"

#include "summand/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace summand::optimizer {
namespace {

std::string trial(std::int64_t id) {
    return "trial " + std::to_string(id);
}

// Ids pass through JSON, whose numbers are exact up to here.
constexpr std::int64_t largest_id = std::int64_t{1} << 53;

void check_new_id(std::int64_t id, std::int64_t next_id, const std::string& happened) {
    if (id < next_id)
        throw InvalidArgument("history: " + trial(id) + " was " + happened + " although ids up to " +
                              std::to_string(next_id - 1) + " were already given away; ids must increase");
    if (id > largest_id) throw InvalidArgument("history: " + trial(id) + " was " + happened + "; ids go up to 2^53");
}

void check_outcome(const Outcome& outcome, const std::string& where) {
    const auto* value = std::get_if<double>(&outcome);
    if (value != nullptr && !std::isfinite(*value))
        throw InvalidArgument(where + ": the value is " + (std::isnan(*value) ? "NaN" : "infinite") +
                              "; only finite numbers are values, so tell this evaluation as failed");
}

}  // namespace

Ledger::Ledger(std::shared_ptr<const SearchSpace> space, const Encoding& encoding, Goal goal)
    : space_(std::move(space)), encoding_(encoding), goal_(goal) {}

void Ledger::apply(Event event) {
    std::visit([&](auto& e) { apply_one(e); }, event);
    fingerprint_.add(event);
    history_.push_back(std::move(event));
}

const Point& Ledger::values(const Entry& entry) const {
    const Event& event = history_[entry.event];
    if (const auto* asked = std::get_if<Asked>(&event)) return asked->values;
    return std::get<Added>(event).values;
}

/// For the event that is about to be appended to the history.
void Ledger::open(std::int64_t id, const Point& point, Entry entry) {
    entry.unit = encoding_.encode(point);
    entry.event = history_.size();
    ++used_[key(entry.unit)];
    entries_.emplace(id, std::move(entry));
    next_id_ = id + 1;
}

void Ledger::settle(Entry& entry, const Outcome& outcome) {
    entry.order = next_order_++;
    if (const auto* value = std::get_if<double>(&outcome)) {
        entry.state = TrialState::completed;
        entry.value = *value;
    } else {
        entry.state = TrialState::failed;
    }
}

void Ledger::release(const Entry& entry) {
    const auto found = used_.find(key(entry.unit));
    if (--found->second == 0) used_.erase(found);
}

void Ledger::apply_one(Asked& asked) {
    check_new_id(asked.id, next_id_, "asked");
    if (asked.ask == Asked::elsewhere) {
        asked.values = space_->checked(asked.values);
        open(asked.id, asked.values, {});
        return;
    }
    const bool same_ask =
        !history_.empty() && std::holds_alternative<Asked>(history_.back()) && asked.ask == next_ask_ - 1;
    if (asked.ask != next_ask_ && !same_ask)
        throw InvalidArgument("history: " + trial(asked.id) + " belongs to ask " + std::to_string(asked.ask) +
                              " but ask " + std::to_string(next_ask_) +
                              " is next; the trials of one ask lie side by side, asks count from 0");
    asked.values = space_->checked(asked.values);
    open(asked.id, asked.values, {});
    next_ask_ = asked.ask + 1;
    ++asked_;
}

void Ledger::apply_one(const Told& told) {
    const auto found = entries_.find(told.id);
    if (found == entries_.end())
        throw InvalidArgument("tell: there is no " + trial(told.id) +
                              "; use the id of a trial from ask(), or add() for your own points");
    Entry& entry = found->second;
    if (entry.state == TrialState::completed || entry.state == TrialState::failed)
        throw InvalidArgument("tell: " + trial(told.id) + " has already been told" +
                              (entry.state == TrialState::failed ? " as failed" : "") +
                              "; reopen it first if that was a mistake, then tell it again");
    check_outcome(told.outcome, "tell: " + trial(told.id));
    if (entry.state == TrialState::abandoned) ++used_[key(entry.unit)];
    settle(entry, told.outcome);
}

void Ledger::apply_one(Added& added) {
    check_new_id(added.id, next_id_, "added");
    check_outcome(added.outcome, "add");
    added.values = space_->checked(added.values);
    Entry entry;
    settle(entry, added.outcome);
    if (entry.state == TrialState::completed) ++added_;
    open(added.id, added.values, std::move(entry));
}

void Ledger::apply_one(const Abandoned& abandoned) {
    const auto found = entries_.find(abandoned.id);
    if (found == entries_.end())
        throw InvalidArgument("abandon: there is no " + trial(abandoned.id) +
                              "; use the id of a trial from ask() or add()");
    if (found->second.state == TrialState::abandoned)
        throw InvalidArgument("abandon: " + trial(abandoned.id) + " has already been abandoned");
    release(found->second);
    found->second.state = TrialState::abandoned;
}

void Ledger::apply_one(const Reopened& reopened) {
    const auto found = entries_.find(reopened.id);
    if (found == entries_.end())
        throw InvalidArgument("reopen: there is no " + trial(reopened.id) +
                              "; use the id of a trial from ask() or add()");
    Entry& entry = found->second;
    if (entry.state == TrialState::running)
        throw InvalidArgument("reopen: " + trial(reopened.id) + " is pending: it has no answer to withdraw");
    if (entry.state == TrialState::abandoned) ++used_[key(entry.unit)];
    entry.state = TrialState::running;
}

Data Ledger::data() const {
    std::vector<const Entry*> told, failed, pending;
    for (const auto& [id, entry] : entries_) {
        if (entry.state == TrialState::completed) told.push_back(&entry);
        if (entry.state == TrialState::failed) failed.push_back(&entry);
        if (entry.state == TrialState::running) pending.push_back(&entry);
    }
    const auto earlier = [](const Entry* a, const Entry* b) { return a->order < b->order; };
    std::sort(told.begin(), told.end(), earlier);
    std::sort(failed.begin(), failed.end(), earlier);

    const auto rows = [&](const std::vector<const Entry*>& entries) {
        Matrix result(static_cast<Index>(entries.size()), encoding_.dimension());
        for (std::size_t i = 0; i < entries.size(); ++i)
            result.row(static_cast<Index>(i)) = entries[i]->unit.transpose();
        return result;
    };
    Data data{.X = rows(told),
              .y = Vector(static_cast<Index>(told.size())),
              .pending = rows(pending),
              .failed = rows(failed)};
    for (std::size_t i = 0; i < told.size(); ++i) {
        data.y(static_cast<Index>(i)) = goal_ == Goal::maximize ? told[i]->value : -told[i]->value;
        data.order.push_back(told[i]->order);
    }
    return data;
}

std::string Ledger::key(const Vector& unit) const {
    constexpr double cells =
        8589934592.0;  // 2^33: 1.2e-10 of the range; allowed values of a grid never share a cell below 4e9
    std::string result(static_cast<std::size_t>(unit.size()) * sizeof(std::int64_t), '\0');
    for (Index j = 0; j < unit.size(); ++j) {
        const std::int64_t cell = encoding_.kind(j) == Encoding::Kind::continuous ? std::llround(unit(j) * cells)
                                                                                  : encoding_.nearest(j, unit(j));
        std::memcpy(result.data() + static_cast<std::size_t>(j) * sizeof cell, &cell, sizeof cell);
    }
    return result;
}

}  // namespace summand::optimizer
