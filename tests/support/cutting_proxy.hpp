// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "support/temporary_folder.hpp"

#include <atomic>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace summand::testing_support {

/// Stands between a client and a PostgreSQL server, both on sockets, and cuts a connection at a chosen message.
class CuttingProxy {
  public:
    /// server: the folder with the server's socket.
    explicit CuttingProxy(std::string server) : server_(std::move(server)), listener_(socket(AF_UNIX, SOCK_STREAM, 0)) {
        const sockaddr_un address = address_in(folder_.path().string());
        if (bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
            listen(listener_, 16) != 0)
            throw std::runtime_error("the proxy cannot listen");
        acceptor_ = std::jthread([this](const std::stop_token& stop) { accept_all(stop); });
    }
    ~CuttingProxy() {
        stopping_ = true;
        acceptor_ = {};
        links_.clear();
        close(listener_);
    }
    CuttingProxy(const CuttingProxy&) = delete;
    CuttingProxy& operator=(const CuttingProxy&) = delete;

    std::string folder() const { return folder_.path().string(); }

    /// Cuts at the n-th message from now on that a client sends: before the server gets it, or when the server has
    /// answered and the client does not know yet.
    void cut_at(int message, bool before_the_server_gets_it) {
        before_ = before_the_server_gets_it;
        messages_left_ = message;
    }
    bool has_cut() const { return messages_left_ == 0; }

  private:
    static sockaddr_un address_in(const std::string& folder) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, (folder + "/.s.PGSQL.5432").c_str(), sizeof address.sun_path - 1);
        return address;
    }

    void accept_all(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            pollfd waiting{listener_, POLLIN, 0};
            if (poll(&waiting, 1, 20) != 1) continue;
            const int client = accept(listener_, nullptr, nullptr);
            const int server = socket(AF_UNIX, SOCK_STREAM, 0);
            const sockaddr_un address = address_in(server_);
            if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
                links_.emplace_back([this, client, server] { forward(client, server); });
        }
    }

    /// Passes bytes on until one side ends or the chosen message comes.
    void forward(int client, int server) {
        pollfd ends[2] = {{client, POLLIN, 0}, {server, POLLIN, 0}};
        while (!stopping_) {
            if (poll(ends, 2, 20) <= 0) continue;
            if (ends[0].revents != 0) {
                const bool chosen = messages_left_ > 0 && --messages_left_ == 0;
                if (chosen && before_) break;
                if (!pass(client, server)) break;
                if (chosen) {
                    pollfd answer{server, POLLIN, 0};
                    poll(&answer, 1, 10'000);
                    break;
                }
            }
            if (ends[1].revents != 0 && !pass(server, client)) break;
        }
        close(client);
        close(server);
    }

    static bool pass(int from, int to) {
        char bytes[65536];
        const ssize_t count = read(from, bytes, sizeof bytes);
        return count > 0 && send(to, bytes, static_cast<std::size_t>(count), MSG_NOSIGNAL) == count;
    }

    TemporaryFolder folder_;
    std::string server_;
    int listener_;
    std::atomic<bool> stopping_ = false;
    std::atomic<int> messages_left_ = -1;
    std::atomic<bool> before_ = false;
    std::vector<std::jthread> links_;
    std::jthread acceptor_;
};

}  // namespace summand::testing_support
