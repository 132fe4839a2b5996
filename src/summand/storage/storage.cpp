// SPDX-License-Identifier: Apache-2.0
#include "summand/storage/storage.hpp"

#include <chrono>

namespace summand::storage {

std::int64_t& Counts::of(TrialState state) {
    switch (state) {
        case TrialState::waiting:
            return waiting;
        case TrialState::running:
            return running;
        case TrialState::lost:
            return lost;
        case TrialState::completed:
            return completed;
        case TrialState::failed:
            return failed;
        case TrialState::abandoned:
            break;
    }
    return abandoned;
}

double Storage::now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

const char* to_string(EventKind kind) {
    switch (kind) {
        case EventKind::asked:
            return "asked";
        case EventKind::told:
            return "told";
        case EventKind::added:
            return "added";
        case EventKind::abandoned:
            return "abandoned";
        case EventKind::reopened:
            return "reopened";
    }
    return "";
}

std::optional<StudyRecord> Storage::find_study(const std::string& name) {
    for (StudyRecord& study : studies())
        if (study.name == name) return std::move(study);
    return {};
}

}  // namespace summand::storage
