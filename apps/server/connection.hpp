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

    /// A connection, while it lives. Not admitted: there are too many, or one address has more than half of what there may be.
    class Guest {
      public:
        Guest(Census& census, std::string address)
            : census_(census), address_(std::move(address)), admitted_(census.enter(address_)) {}
        ~Guest() {
            if (admitted_) census_.leave(address_);
        }
        Guest(const Guest&) = delete;
        Guest& operator=(const Guest&) = delete;
        bool admitted() const { return admitted_; }

      private:
        Census& census_;
        const std::string address_;
        const bool admitted_;
    };

    /// A request that has not been answered to its end yet, events included, while it lives.
    class Busy {
      public:
        explicit Busy(Census& census) : census_(census) { ++census_.busy_; }
        ~Busy() { --census_.busy_; }
        Busy(const Busy&) = delete;
        Busy& operator=(const Busy&) = delete;

      private:
        Census& census_;
    };
    int busy() const { return busy_; }

  private:
    bool enter(const std::string& address);
    void leave(const std::string& address);

    std::atomic<int> busy_ = 0;
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
