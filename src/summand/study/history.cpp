// SPDX-License-Identifier: Apache-2.0
#include "summand/study/history.hpp"

#include "summand/study/json.hpp"

#include <algorithm>

namespace summand::study {

namespace {

Outcome outcome_of(const storage::EventRecord& record) {
    if (record.value) return *record.value;
    return Failed{record.reason};
}

Event event_from(const SearchSpace& space, const storage::EventRecord& record) {
    switch (record.kind) {
        case storage::EventKind::asked:
            return Asked{record.trial, point_from_json(space, record.parameters), record.ask};
        case storage::EventKind::added:
            return Added{record.trial, point_from_json(space, record.parameters), outcome_of(record)};
        case storage::EventKind::told:
            return Told{record.trial, outcome_of(record)};
        case storage::EventKind::reopened:
            return Reopened{record.trial};
        case storage::EventKind::abandoned:
            break;
    }
    return Abandoned{record.trial};
}

}  // namespace

std::vector<Event> history_from(const SearchSpace& space, const std::vector<storage::EventRecord>& records) {
    std::vector<storage::EventRecord> ordered = records;
    const auto is_ask = [](const storage::EventRecord& record) { return record.kind == storage::EventKind::asked; };
    for (auto begin = ordered.begin(); begin != ordered.end();) {
        begin = std::find_if_not(begin, ordered.end(), is_ask);
        const auto end = std::find_if(begin, ordered.end(), is_ask);
        std::stable_sort(begin, end, [](const auto& a, const auto& b) { return a.trial < b.trial; });
        begin = end;
    }
    std::vector<Event> events;
    for (const storage::EventRecord& record : ordered) events.push_back(event_from(space, record));
    return events;
}

}  // namespace summand::study
