// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// A request and its answer as plain values: what speaks HTTP (listener) and what answers (api) meet only here.
namespace summand::server {

class EventQueue;

struct Request {
    std::string method = {};
    std::string target = {};                          ///< path and query as sent
    std::map<std::string, std::string> headers = {};  ///< by lower-case name
    std::string body = {};
    std::string address = {};  ///< of the client

    /// Empty if there is none.
    const std::string& header(const std::string& lower_case_name) const;
};

struct Response {
    int status = 200;
    std::string type = "application/json";
    std::string body = {};
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::shared_ptr<EventQueue> events = {};  ///< instead of a body: server-sent events until either side ends it
};

/// Called once, from any thread.
using Reply = std::function<void(Response)>;

/// The target, cut and decoded.
struct Target {
    std::vector<std::string> path = {};  ///< "/api/v1/studies/a%2Fb" is api, v1, studies, a/b
    std::multimap<std::string, std::string> query = {};

    std::optional<std::string> value(const std::string& name) const;  ///< throws HttpError if it is given twice
    std::vector<std::string> values(const std::string& name) const;   ///< of a name that may be given several times
};

/// Throws HttpError 400 for a bad escape, bytes that are not UTF-8.
Target parse_target(const std::string& target);

}  // namespace summand::server
