// SPDX-License-Identifier: Apache-2.0
// The server in this process and clients of every kind at its port: what the sanitizers see of the network code.
#include "listener.hpp"
#include "remote_study.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace summand::server {
namespace {

/// A connection that sends and receives bytes as they are.
class Wire {
  public:
    explicit Wire(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
            ADD_FAILURE() << "connect";
    }
    ~Wire() { close(socket_); }
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

    void say(const std::string& bytes) const {
        for (std::size_t done = 0; done < bytes.size();) {
            const ssize_t sent = send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
            if (sent <= 0) return;  // the server may have had enough
            done += static_cast<std::size_t>(sent);
        }
    }
    void end() const { shutdown(socket_, SHUT_WR); }
    /// Cuts the connection without a farewell.
    void reset() const {
        const linger at_once{1, 0};
        setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    }
    /// Until `what` has come, or the server ends the connection.
    std::string hear(const std::string& what = "\n\r never \r\n") const {
        std::string all;
        char bytes[4096];
        for (;;) {
            if (all.find(what) != std::string::npos) return all;
            const ssize_t got = recv(socket_, bytes, sizeof bytes, 0);
            if (got <= 0) return all;
            all.append(bytes, static_cast<std::size_t>(got));
        }
    }

  private:
    int socket_;
};

struct Network : ::testing::Test {
    testing_support::TemporaryFolder folder;
    Api api{{.database = folder / "studies.db", .access = {.requests_per_second = 1e9}}};
    Listener listener{api, {.most_connections = 40, .idle_seconds = 1.0, .transfer_seconds = 1.0}};

    void SetUp() override {
        const std::string study =
            R"({"name": "demo", "goal": "minimize", "budget": 400, "optimizer": {"initial_points": 400},)"
            R"( "parameters": {"x": {"low": 0.0, "high": 1.0}}})";
        ASSERT_EQ(asked(post("studies", study)).substr(9, 3), "201");
    }
    static std::string post(const std::string& path, const std::string& body) {
        return "POST /api/v1/" + path +
               " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
               std::to_string(body.size()) + "\r\n\r\n" + body;
    }
    static std::string get(const std::string& path) { return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n"; }
    /// All the server says to these bytes.
    std::string asked(const std::string& bytes) const {
        const Wire wire(listener.port());
        wire.say(bytes);
        wire.end();
        return wire.hear();
    }
    std::string status_of(const std::string& bytes) const { return asked(bytes).substr(0, 12); }
};

TEST_F(Network, ManyRequestsAtOnceOnOneConnectionAreAnsweredInTurn) {
    std::string requests;
    for (int i = 0; i < 50; ++i) requests += get("/api/v1/studies/demo");
    const std::string answers = asked(requests);
    std::size_t count = 0;
    for (std::size_t at = answers.find("HTTP/1.1 200"); at != std::string::npos;
         at = answers.find("HTTP/1.1 200", at + 1))
        ++count;
    EXPECT_EQ(count, 50U);
}

TEST_F(Network, WhatIsTooLargeOrNoRequestIsRefusedAndOthersAreServed) {
    EXPECT_EQ(status_of("\x16\x03\x01 hello\r\n\r\n"), "HTTP/1.1 400");
    EXPECT_EQ(status_of("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + std::string(20000, 'x') + "\r\n\r\n"),
              "HTTP/1.1 431");
    EXPECT_EQ(status_of("POST /api/v1/studies HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n"),
              "HTTP/1.1 413");
    EXPECT_EQ(status_of(post("studies", std::string(200000, '['))), "HTTP/1.1 400");
    EXPECT_EQ(status_of("POST /api/v1/studies HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
              "HTTP/1.1 400");
    EXPECT_EQ(status_of(get("/api/v1/studies")), "HTTP/1.1 200");
}

TEST_F(Network, ClientsThatVanishAnywhereHarmNobody) {
    const std::string request = post("studies/demo/ask", R"({"count": 1})");
    std::vector<std::thread> clients;
    for (std::size_t first = 0; first < 4; ++first)
        clients.emplace_back([&, first] {
            for (std::size_t cut = first; cut < request.size(); cut += 4) {  // after every byte of a request
                const Wire wire(listener.port());
                wire.say(request.substr(0, cut));
                if (cut % 2 == 0) wire.reset();
            }
            for (int i = 0; i < 10; ++i) {  // with the answer on its way
                const Wire wire(listener.port());
                wire.say(get("/js/main.js") + request + get("/api/v1/studies"));
                wire.reset();
            }
        });
    for (std::thread& client : clients) client.join();
    EXPECT_EQ(status_of(get("/api/v1/studies/demo/trials")), "HTTP/1.1 200");
}

TEST_F(Network, SlowClientsAreLetGoAndTooManyAreTurnedAway) {
    std::vector<std::unique_ptr<Wire>> slow;
    for (int i = 0; i < 20; ++i) {  // half of the connections are one address's
        slow.push_back(std::make_unique<Wire>(listener.port()));
        slow.back()->say("GET / HT");
    }
    while (status_of(get("/api/v1/")) != "HTTP/1.1 503") {  // until all of them have been seen
    }
    for (const auto& wire : slow) EXPECT_EQ(wire->hear(), "") << "it was too slow";
    EXPECT_EQ(status_of(get("/api/v1/")), "HTTP/1.1 200");
}

TEST_F(Network, EventsReachThoseWhoListenUntilTheServerEnds) {
    const Wire listening(listener.port());
    auto gone = std::make_unique<Wire>(listener.port());
    for (const Wire* wire : {&listening, static_cast<const Wire*>(gone.get())}) {
        wire->say(get("/api/v1/studies/demo/events"));
        EXPECT_NE(wire->hear("event: study").find("event: study"), std::string::npos);
    }
    gone.reset();
    asked(post("studies/demo/ask", R"({"count": 1})"));
    asked(post("studies/demo/trials/1/tell", R"({"value": 0.5})"));
    EXPECT_NE(listening.hear("event: told").find("event: told"), std::string::npos);
    listener.stop();
    EXPECT_NE(listening.hear().find("0\r\n\r\n"), std::string::npos) << "the stream ends with its last chunk";
}

TEST_F(Network, ClientsOfOurOwnAskAndTellAtOnce) {
    constexpr int clients = 8, each = 10;
    std::vector<std::thread> threads;
    for (int c = 0; c < clients; ++c)
        threads.emplace_back([&] {
            RemoteStudy study({.url = listener.url()}, "demo", 30.0);
            for (int i = 0; i < each; ++i) {
                const auto trials = study.ask({.count = 1, .worker = "one"});
                ASSERT_EQ(trials.size(), 1U);
                study.keep_logs({{trials[0].id, 1, "one", 0.0, 1.0, "running", "so far", ""}});
                EXPECT_EQ(study.tell(trials[0].id, 0.5), TellResult::accepted);
            }
        });
    for (std::thread& thread : threads) thread.join();
    const RemoteStudy study({.url = listener.url()}, "demo", 30.0);
    EXPECT_EQ(study.counts().completed, clients * each);
}

}  // namespace
}  // namespace summand::server
