// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/optimizer/history.hpp"
#include "summand/storage/records.hpp"

#include <vector>

namespace summand::study {

/// The stored events as the optimiser's. Between two asks they are ordered by trial (those of one trial stay in order): which of two programs ended first
/// must not change what is suggested next, so a study that runs batch by batch is reproducible from its seed.
std::vector<Event> history_from(const SearchSpace& space, const std::vector<storage::EventRecord>& records);

}  // namespace summand::study
