// SPDX-License-Identifier: Apache-2.0
// Bytes as a client sends them: read by the parser that the server uses, within its limits, and answered by its API.
#include "api.hpp"
#include "fuzz/targets.hpp"
#include "support/temporary_folder.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http.hpp>
#include <cctype>
#include <future>
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

}  // namespace

void http_request(const std::uint8_t* data, std::size_t size) {
    http::request_parser<http::string_body> parser;
    parser.header_limit(16 << 10);
    parser.body_limit(8 << 20);
    parser.eager(true);
    boost::beast::error_code error;
    parser.put(boost::asio::buffer(data, size), error);
    if (error || !parser.is_done()) return;  // the connection would be answered with 400, or closed
    server::Request request;
    request.method = std::string(parser.get().method_string());
    request.target = std::string(parser.get().target());
    for (const auto& field : parser.get()) {
        std::string name(field.name_string());
        for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        request.headers.emplace(std::move(name), std::string(field.value()));
    }
    request.body = parser.get().body();
    const server::Response response = served().answer(std::move(request));
    if (response.status == 500)
        throw std::logic_error("broken promise: no request breaks the server: " + response.body);
}

}  // namespace summand::fuzz
