// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/error.hpp"

#include <memory>
#include <stop_token>
#include <string>

namespace summand::server {

/// A server and what it demands.
struct ServerAddress {
    std::string url = {};    ///< "http://localhost:8642", "https://..."
    std::string token = {};  ///< empty: none
};

struct HttpReply {
    int status = 0;
    std::string body = {};
};

/// The server cannot be reached, broke the connection (whether it has heard the request is not known), or says that it cannot serve now.
class Unreachable : public StorageError {
  public:
    using StorageError::StorageError;
};

/// Sends requests over one connection, made again when it is lost. Certificates are checked against the system's, or those
/// in the file that SSL_CERT_FILE names. For one thread.
class HttpClient {
  public:
    explicit HttpClient(const ServerAddress& server);  ///< throws InvalidArgument for what is no address
    ~HttpClient();
    /// Throws Unreachable, or Interrupted. `target` is below /api/v1. key: Idempotency-Key, empty: none.
    HttpReply request(const std::string& method, const std::string& target, const std::string& body,
                      const std::string& key, std::stop_token stop = {});

  private:
    struct Place;
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// A text as part of a path: what is not a letter, digit or one of -._~ is escaped.
std::string escaped(const std::string& text);

}  // namespace summand::server
