// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/snapshot.hpp"

#include <nlohmann/json.hpp>

namespace summand::optimizer {
namespace {

// To be raised whenever the meaning of a state changes, so that old snapshots are recomputed.
constexpr int version = 7;

}  // namespace

std::string to_text(const Snapshot& snapshot) {
    return nlohmann::json{{"version", version},        {"inputs", snapshot.inputs}, {"history", snapshot.history},
                          {"events", snapshot.events}, {"asks", snapshot.asks},     {"state", snapshot.state}}
        .dump();
}

std::optional<Snapshot> snapshot_from_text(const std::string& text) {
    try {
        const nlohmann::json json = nlohmann::json::parse(text);
        if (json.at("version") != version) return {};
        return Snapshot{.inputs = json.at("inputs"),
                        .history = json.at("history"),
                        .events = json.at("events"),
                        .asks = json.at("asks"),
                        .state = json.at("state")};
    } catch (const nlohmann::json::exception&) {
        return {};
    }
}

}  // namespace summand::optimizer
