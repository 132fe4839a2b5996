// SPDX-License-Identifier: Apache-2.0
#include "summand/study/request.hpp"

#include "summand/space/parameter.hpp"

#include <cstdio>

namespace summand::study {

storage::Request request_of(const AskRequest& request) {
    std::string content = "ask";
    if (request.count > 0) content += " " + std::to_string(request.count);
    if (request.lease_seconds) content += " lease " + to_text(*request.lease_seconds) + " s";
    return {request.key, content};
}

storage::Request request_of(const std::string& verb, const std::string& key, const storage::Answer& answer) {
    return {key, verb + " " + std::to_string(answer.trial) + " " +
                     (answer.value ? to_text(*answer.value) : "failed: " + answer.reason) +
                     (answer.also.empty() ? "" : " " + answer.also)};
}

storage::Request request_of(const std::string& verb, const std::string& key,
                            const std::vector<storage::NewTrial>& trials) {
    std::string all;
    for (const storage::NewTrial& trial : trials)
        all += trial.parameters + (trial.value ? to_text(*trial.value) : trial.reason) + trial.also + "\n";
    const std::string what = verb == "add" ? " evaluations (" : " points (";
    return {key, verb + " " + std::to_string(trials.size()) + what + digest_of(all) + ")"};
}

std::string digest_of(const std::string& text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    char digits[17];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
    return digits;
}

}  // namespace summand::study
