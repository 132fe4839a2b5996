// SPDX-License-Identifier: Apache-2.0
#include "connection.hpp"

#include "dashboard.hpp"
#include "errors.hpp"
#include "wire.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cctype>
#include <charconv>

namespace summand::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::awaitable;

namespace {

constexpr auto keep_alive_interval = std::chrono::seconds(15);  // of event streams

Request request_from(const http::request<http::string_body>& message, const std::string& address) {
    Request request;
    request.method = std::string(message.method_string());
    request.target = std::string(message.target());
    request.address = address;
    for (const auto& field : message) {
        std::string name(field.name_string());
        for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        request.headers.emplace(std::move(name), std::string(field.value()));
    }
    request.body = message.body();
    return request;
}

/// The first line and the fields all answers have, then the answer's own; without the empty line at the end.
std::string head_of(const Response& response) {
    http::fields fields;
    fields.set(http::field::server, "summand");
    if (response.status != 204) fields.set(http::field::content_type, response.type);
    fields.set("Content-Security-Policy", std::string(dashboard_policy));
    fields.set("X-Content-Type-Options", "nosniff");
    fields.set("Referrer-Policy", "no-referrer");
    fields.set("Cross-Origin-Resource-Policy", "same-origin");
    fields.set(http::field::cache_control, "no-store");
    for (const auto& [name, value] : response.headers) fields.set(name, value);
    std::string head = "HTTP/1.1 " + std::to_string(response.status) + " " +
                       std::string(http::obsolete_reason(static_cast<http::status>(response.status))) + "\r\n";
    for (const auto& field : fields)
        head += std::string(field.name_string()) + ": " + std::string(field.value()) + "\r\n";
    return head;
}

std::string chunk_of(const std::string& text) {
    char size[16];
    return std::string(size, std::to_chars(size, size + sizeof size, text.size(), 16).ptr) + "\r\n" + text + "\r\n";
}

/// Has the Api answer, and goes on in the connection's own executor.
awaitable<Response> answer(Api& api, Request request) {
    co_return co_await asio::async_initiate<const asio::use_awaitable_t<>, void(Response)>(
        [&api](auto handler, Request given) {
            auto shared = std::make_shared<decltype(handler)>(std::move(handler));
            api.handle(std::move(given), [shared](Response response) {
                asio::post(asio::get_associated_executor(*shared), [shared, response = std::move(response)]() mutable {
                    std::move (*shared)(std::move(response));
                });
            });
        },
        asio::use_awaitable, std::move(request));
}

awaitable<bool> send(Wire& wire, const ListenerOptions& options, Response response, bool head_only, bool keep) {
    std::string text = head_of(response);
    if (!keep) text += "Connection: close\r\n";
    if (response.status != 204 && response.status != 304)
        text += "Content-Length: " + std::to_string(response.body.size()) + "\r\n";
    text += "\r\n";
    if (!head_only) text += response.body;
    wire.give_time(options.transfer_seconds);
    const auto error = co_await wire.write(text);
    co_return !error && keep;
}

/// Sends events until the queue is closed or the client is gone.
awaitable<void> send_events(Wire& wire, const ListenerOptions& options, Response response) {
    wire.give_time(options.transfer_seconds);
    if (co_await wire.write(head_of(response) + "Transfer-Encoding: chunked\r\n\r\n")) co_return;
    const std::shared_ptr<EventQueue> queue = response.events;
    const auto executor = co_await asio::this_coro::executor;
    // Whoever pushes cancels the timer, in our executor: either we wait for it, or we shall look before we do.
    const auto timer = std::make_shared<asio::steady_timer>(executor);
    queue->on_change([timer, executor] { asio::post(executor, [timer] { timer->cancel(); }); });
    for (;;) {
        std::vector<std::string> texts = queue->take();
        if (texts.empty() && queue->closed()) break;
        if (texts.empty()) {
            timer->expires_after(keep_alive_interval);
            const auto [woken] = co_await timer->async_wait(asio::as_tuple(asio::use_awaitable));
            texts = queue->take();
            if (texts.empty() && !woken) texts.emplace_back(": alive\n\n");
            if (texts.empty()) continue;
        }
        std::string all;
        for (const std::string& text : texts) all += text;
        wire.give_time(options.transfer_seconds);
        if (co_await wire.write(chunk_of(all))) break;
    }
    queue->on_change(nullptr);
    queue->close();
    wire.give_time(options.transfer_seconds);
    co_await wire.write("0\r\n\r\n");
}

/// What to say about a request that could not be read; nothing if the client is gone or was too slow.
std::optional<Response> complaint(const beast::error_code& error) {
    if (error == http::error::header_limit)
        return error_response(431, "the head of the request is too large; 16 KiB are allowed");
    if (error == http::error::body_limit) return error_response(413, "the body is too large; 8 MiB are allowed");
    if (error == http::error::end_of_stream || error == http::error::partial_message) return {};
    if (error.category() == make_error_code(http::error::bad_method).category())
        return error_response(400, "this is not an HTTP request: " + error.message());
    return {};
}

/// One request; false: the connection has ended.
awaitable<bool> exchange(Wire& wire, beast::flat_buffer& buffer, const Service& service, const std::string& address) {
    const ListenerOptions& options = service.options;
    http::request_parser<http::string_body> parser;
    parser.header_limit(static_cast<std::uint32_t>(options.most_header_bytes));
    parser.body_limit(options.most_body_bytes);
    wire.give_time(options.idle_seconds);
    auto error = co_await wire.read<true>(buffer, parser, true);
    if (!error && beast::iequals(parser.get()[http::field::expect], "100-continue"))
        co_await wire.write("HTTP/1.1 100 Continue\r\n\r\n");
    if (!error) {
        wire.give_time(options.transfer_seconds);
        error = co_await wire.read<true>(buffer, parser, false);
    }
    if (error) {
        if (auto response = complaint(error)) co_await send(wire, options, std::move(*response), false, false);
        co_return false;
    }
    const bool keep = parser.get().keep_alive();
    const bool head_only = parser.get().method() == http::verb::head;
    wire.give_all_time();  // a suggestion takes as long as it takes
    const Census::Busy busy(service.census);
    Response response = co_await answer(service.api, request_from(parser.get(), address));
    if (!response.events || head_only) {
        co_return co_await send(wire, options, std::move(response), head_only, keep);
    }
    co_await send_events(wire, options, std::move(response));
    co_return false;
}

}  // namespace

bool Census::enter(const std::string& address) {
    const std::lock_guard guard(mutex_);
    if (all_ >= most_ || by_address_[address] >= std::max<std::size_t>(1, most_ / 2)) return false;
    ++all_;
    ++by_address_[address];
    return true;
}

void Census::leave(const std::string& address) {
    const std::lock_guard guard(mutex_);
    --all_;
    if (--by_address_[address] == 0) by_address_.erase(address);
}

awaitable<void> converse(Service service, asio::ip::tcp::socket socket) {
    beast::error_code error;
    socket.set_option(asio::ip::tcp::no_delay(true), error);
    const std::string address = socket.remote_endpoint(error).address().to_string();
    const Census::Guest guest(service.census, address);
    Wire wire(std::move(socket));
    if (!guest.admitted()) {
        co_await send(wire, service.options, error_response(503, "there are too many connections; try again later"),
                      false, false);
        co_return;
    }
    if (service.tls != nullptr) {
        wire.give_time(service.options.transfer_seconds);
        wire.secure(*service.tls);
        if (co_await wire.handshake(asio::ssl::stream_base::server)) co_return;
    }
    beast::flat_buffer buffer(service.options.most_header_bytes + (64 << 10));
    while (co_await exchange(wire, buffer, service, address)) {
    }
    wire.give_time(service.options.transfer_seconds);
    co_await wire.end();
}

}  // namespace summand::server
