// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <algorithm>

namespace summand::server {

using storage::EventKind;

void Progress::update(storage::Storage& storage, std::int64_t study) {
    // Answers take their numbers when they are stored, so none with a smaller one appears later; asks do not matter here.
    for (const storage::EventRecord& event : storage.events(study, answered_)) {
        sequence_ = std::max(sequence_, event.sequence);
        last_at_ = std::max(last_at_.value_or(event.at), event.at);
        if (event.kind == EventKind::asked) continue;
        answered_ = event.sequence;
        if (event.kind == EventKind::reopened || event.kind == EventKind::abandoned)
            std::erase_if(told_, [&](const Told& told) { return told.trial == event.trial; });
        else if (event.value)
            told_.push_back({event.trial, *event.value, event.at});
    }
}

std::vector<std::size_t> Progress::improvements(Goal goal) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < told_.size(); ++i) {
        if (found.empty() || better(goal, told_[i].value, told_[found.back()].value)) found.push_back(i);
    }
    return found;
}

std::vector<double> Progress::sparkline(Goal goal, std::size_t most) const {
    const std::vector<std::size_t> improved = improvements(goal);
    const std::size_t steps = std::min(most, told_.size());
    std::vector<double> line;
    for (std::size_t k = 0; k < steps; ++k) {
        const std::size_t upto = (k + 1) * told_.size() / steps - 1;
        const auto after = std::upper_bound(improved.begin(), improved.end(), upto);
        line.push_back(told_[*(after - 1)].value);
    }
    return line;
}

}  // namespace summand::server
