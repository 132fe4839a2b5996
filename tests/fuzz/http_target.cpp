// SPDX-License-Identifier: Apache-2.0
// Bytes as a client sends them: read by the parser that the server uses, within its limits, and answered by its API.
#include "api.hpp"
#include "body.hpp"
#include "fuzz/targets.hpp"
#include "summand/base/error.hpp"
#include "support/temporary_folder.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http.hpp>
#include <cctype>
#include <functional>
#include <future>
#include <optional>
#include <stdexcept>

namespace summand::fuzz {
namespace {

namespace http = boost::beast::http;

/// A server with one small study; a fresh one now and then, so that no input meets what very many before it have left.
class Served {
  public:
    Served() : api_({.database = folder_ / "studies.db", .access = {.requests_per_second = 1e9}}) {
        answer({.method = "POST",
                .target = "/api/v1/studies",
                .headers = {{"content-type", "application/json"}, {"host", "localhost"}},
                .body =
                    R"({"name": "demo", "goal": "minimize", "budget": 8, "optimizer": {"initial_points": 100},
                            "parameters": {"x": {"low": 0.0, "high": 1.0}, "solver": {"values": ["sgd", "adam"]}}})"});
    }

    server::Response answer(server::Request request) {
        std::promise<server::Response> promise;
        auto answered = promise.get_future();
        api_.handle(std::move(request),
                    [&promise](server::Response response) { promise.set_value(std::move(response)); });
        server::Response response = answered.get();
        if (response.events) response.events->close();
        return response;
    }

  private:
    testing_support::TemporaryFolder folder_;
    server::Api api_;
};

Served& served() {
    constexpr int inputs_each = 2000;
    static std::unique_ptr<Served> current;
    static int inputs = 0;
    if (inputs++ % inputs_each == 0) current = std::make_unique<Served>();
    return *current;
}

/// As the server reads it; empty: the connection would be answered with 400, or closed.
std::optional<server::Request> request_in(const std::uint8_t* data, std::size_t size) {
    http::request_parser<http::string_body> parser;
    parser.header_limit(16 << 10);
    parser.body_limit(8 << 20);
    parser.eager(true);
    boost::beast::error_code error;
    parser.put(boost::asio::buffer(data, size), error);
    if (error || !parser.is_done()) return {};
    server::Request request;
    request.method = std::string(parser.get().method_string());
    request.target = std::string(parser.get().target());
    for (const auto& field : parser.get()) {
        std::string name(field.name_string());
        for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        request.headers.emplace(std::move(name), std::string(field.value()));
    }
    request.body = parser.get().body();
    return request;
}

/// All that a handler may ask of a body.
void read_body(const server::Request& request, const SearchSpace& space) {
    const server::Body body(
        request, {"value", "failed", "also", "worker", "count", "points", "evaluations", "log", "lease_seconds"});
    for (const auto& read : std::initializer_list<std::function<void()>>{
             [&] { body.outcome(); }, [&] { body.also(); }, [&] { body.text("worker", 200); },
             [&] { body.whole("count", 1, 1000); }, [&] { body.points(space); }, [&] { body.evaluations(space); },
             [&] { body.attempt_log("log", 1); }, [&] { body.seconds("lease_seconds"); }})
        try {
            read();
        } catch (const Error&) {  // refused with a sentence
        }
}

}  // namespace

void http_request(const std::uint8_t* data, std::size_t size) {
    auto request = request_in(data, size);
    if (!request) return;
    const server::Response response = served().answer(std::move(*request));
    if (response.status == 500)
        throw std::logic_error("broken promise: no request breaks the server: " + response.body);
}

void http_reading(const std::uint8_t* data, std::size_t size) {
    static server::Access access({.token = "a token of enough characters", .requests_per_second = 1e9});
    static const SearchSpace space({Real{.name = "x"}, Choice{.name = "solver", .values = {"sgd", "adam"}}});
    const auto request = request_in(data, size);
    if (!request) return;
    try {
        const server::Target target = server::parse_target(request->target);
        const server::Routed to = server::route_for(request->method, target);
        if (to.route != nullptr && to.names.size() > 1) server::Call{*request, target, to.names, false}.trial();
        for (const auto& [name, value] : target.query) target.values(name);
        read_body(*request, space);
        access.greet(*request, 1.0);
        if (access.may_write(*request, 1.0)) throw std::logic_error("broken promise: nobody guesses a token");
    } catch (const Error&) {  // refused with a sentence
    }
}

}  // namespace summand::fuzz
