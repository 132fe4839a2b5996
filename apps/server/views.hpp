// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "shelf.hpp"

#include <string>

// What the API shows, as JSON text (openapi.yaml names the parts).
namespace summand::server {

std::string summary_json(Shelf& shelf, const storage::StudyRecord& record);
std::string study_json(Shelf& shelf, const OpenStudy& study);
std::string trial_json(const OpenStudy& study, const Trial& trial);
std::string trial_detail_json(const OpenStudy& study, const Trial& trial);
std::string progress_json(Shelf& shelf, const storage::StudyRecord& record, int digits);
std::string failures_json(const std::vector<Trial>& trials);
/// Lists of equal length, an entry for each trial. digits: significant ones; empty: all.
std::string columns_json(const OpenStudy& study, const std::vector<Trial>& trials, std::optional<int> digits);
std::string event_json(const std::string& study, const storage::EventRecord& event);
std::string quoted_json(const std::string& text);  ///< as a JSON string
/// [...] of texts that are JSON already.
std::string list_json(const std::vector<std::string>& entries);

}  // namespace summand::server
