// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "message.hpp"

#include <map>
#include <mutex>

namespace summand::server {

/// Who may do what.
struct AccessOptions {
    std::string token = {};       ///< allows everything; empty: none is demanded
    std::string read_token = {};  ///< allows GET
    bool check_host =
        true;  ///< only known names in Host: a web page cannot pass itself off as this machine (DNS rebinding)
    std::vector<std::string> hosts = {};  ///< further names, without a port
    double requests_per_second = 2000.0;  ///< of one address; as many again at once
};

/// Checks what does not depend on the address asked for. Safe for several threads.
class Access {
  public:
    explicit Access(AccessOptions options);
    /// Throws HttpError 429 if the address has asked too often, 403 for a foreign Host or Origin.
    void greet(const Request& request, double now);
    /// Throws HttpError 401 without a token; false: reading only.
    bool may_write(const Request& request, double now);

  private:
    struct Bucket {
        double left = 0.0;
        double at = 0.0;
    };
    void spend(const std::string& address, double cost, double now);
    void check_names(const Request& request) const;

    AccessOptions options_;
    std::string token_hash_, read_token_hash_;  // SHA-256: of equal length whatever the token
    std::mutex mutex_;
    std::map<std::string, Bucket> buckets_;
};

/// The name in "name:port", "[::1]:port".
std::string host_without_port(const std::string& host);

}  // namespace summand::server
