// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/snapshot.hpp"

#include "summand/optimizer/fingerprint.hpp"

#include <nlohmann/json.hpp>

namespace summand::optimizer {
namespace {

// To be raised whenever the meaning of a state changes, so that old snapshots are recomputed.
constexpr int version = 13;

// A state with a digit lost somewhere would still be read, and used.
std::uint64_t checksum(const Snapshot& snapshot) {
    Fingerprint sum;
    sum.add(snapshot.inputs);
    sum.add(snapshot.history);
    sum.add(static_cast<std::uint64_t>(snapshot.events));
    sum.add(static_cast<std::uint64_t>(snapshot.asks));
    sum.add(std::string_view(snapshot.state));
    return sum.value();
}

}  // namespace

std::string to_text(const Snapshot& snapshot) {
    return nlohmann::json{{"version", version},
                          {"inputs", snapshot.inputs},
                          {"history", snapshot.history},
                          {"events", snapshot.events},
                          {"asks", snapshot.asks},
                          {"state", snapshot.state},
                          {"checksum", checksum(snapshot)}}
        .dump();
}

std::optional<Snapshot> snapshot_from_text(const std::string& text) {
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        if (json.at("version") != version) return {};
        const Snapshot snapshot{.inputs = json.at("inputs"),
                                .history = json.at("history"),
                                .events = json.at("events"),
                                .asks = json.at("asks"),
                                .state = json.at("state")};
        if (json.at("checksum") != checksum(snapshot)) return {};
        return snapshot;
    } catch (const nlohmann::json::exception&) {
        return {};
    }
}

}  // namespace summand::optimizer
