// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "api.hpp"

#include <memory>
#include <string>

namespace summand::server {

struct ListenerOptions {
    std::string address = "127.0.0.1";
    int port = 0;                  ///< 0: any that is free
    std::string certificate = {};  ///< file with the chain, PEM; empty: no TLS
    std::string key = {};          ///< its private key
    std::size_t most_connections = 1000;
    std::size_t most_body_bytes = 8 << 20;
    std::size_t most_header_bytes = 16 << 10;
    double idle_seconds = 60.0;      ///< in which a connection must have sent the whole head of its next request
    double transfer_seconds = 30.0;  ///< in which a body must have come, and an answer gone
};

/// HTTP/1.1 over TCP or TLS: takes connections, reads requests within limits, sends what the Api answers.
class Listener {
  public:
    /// Throws InvalidArgument if it cannot listen there or a certificate cannot be used.
    Listener(Api& api, const ListenerOptions& options);
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    int port() const;
    std::string url() const;
    void stop();  ///< takes no more connections, has the Api close, and ends all connections

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace summand::server
