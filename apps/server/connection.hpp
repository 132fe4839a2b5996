// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "listener.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

namespace summand::server {

/// How many connections there are, in all and from each address. Safe for several threads.
class Census {
  public:
    explicit Census(std::size_t most) : most_(most) {}
    /// False: there are too many, or one address has more than half of what there may be.
    bool enter(const std::string& address);
    void leave(const std::string& address);

    std::atomic<int> busy = 0;  ///< connections with a request that has not been answered yet

  private:
    const std::size_t most_;
    std::mutex mutex_;
    std::size_t all_ = 0;
    std::map<std::string, std::size_t> by_address_;
};

/// What all connections share.
struct Service {
    Api& api;
    const ListenerOptions& options;
    Census& census;
    boost::asio::ssl::context* tls = nullptr;  ///< null: none
};

/// Reads requests and sends answers until either side ends the connection.
boost::asio::awaitable<void> converse(Service service, boost::asio::ip::tcp::socket socket);

}  // namespace summand::server
