// SPDX-License-Identifier: Apache-2.0
#include "connection.hpp"

#include "dashboard.hpp"
#include "errors.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <cctype>

namespace summand::server {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::awaitable;
using Parser = http::request_parser<http::string_body>;
constexpr auto as_result = asio::as_tuple(asio::use_awaitable);  // errors are values: a lost client is nothing special

constexpr auto keep_alive_interval = std::chrono::seconds(15);  // of event streams
std::chrono::milliseconds duration(double seconds) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000.0));
}

template <class Stream>
void give_time(Stream& stream, double seconds) {
    beast::get_lowest_layer(stream).expires_after(duration(seconds));
}

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

template <class Body>
void set_head(http::response<Body>& message, const Response& response) {
    message.set(http::field::server, "summand");
    message.set(http::field::content_type, response.type);
    message.set("Content-Security-Policy", std::string(dashboard_policy));
    message.set("X-Content-Type-Options", "nosniff");
    message.set("Referrer-Policy", "no-referrer");
    message.set("Cross-Origin-Resource-Policy", "same-origin");
    message.set(http::field::cache_control, "no-store");
    for (const auto& [name, value] : response.headers) message.set(name, value);
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

template <class Stream>
awaitable<bool> send(Stream& stream, const ListenerOptions& options, Response response, bool head_only, bool keep) {
    http::response<http::string_body> message(static_cast<http::status>(response.status), 11);
    set_head(message, response);
    message.keep_alive(keep);
    message.body() = std::move(response.body);
    if (response.status != 204 && response.status != 304) message.prepare_payload();
    if (response.status == 204) message.erase(http::field::content_type);
    give_time(stream, options.transfer_seconds);
    http::response_serializer<http::string_body> serializer(message);
    if (head_only) {
        const auto [error, size] = co_await http::async_write_header(stream, serializer, as_result);
        co_return !error && keep;
    }
    const auto [error, size] = co_await http::async_write(stream, serializer, as_result);
    co_return !error && keep;
}

/// Sends events until the queue is closed or the client is gone.
template <class Stream>
awaitable<void> send_events(Stream& stream, const ListenerOptions& options, Response response) {
    http::response<http::empty_body> head(http::status::ok, 11);
    set_head(head, response);
    head.chunked(true);
    http::response_serializer<http::empty_body> serializer(head);
    give_time(stream, options.transfer_seconds);
    if (const auto [error, size] = co_await http::async_write_header(stream, serializer, as_result); error) co_return;
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
            const auto [woken] = co_await timer->async_wait(as_result);
            texts = queue->take();
            if (texts.empty() && !woken) texts.emplace_back(": alive\n\n");
            if (texts.empty()) continue;
        }
        std::string all;
        for (const std::string& text : texts) all += text;
        give_time(stream, options.transfer_seconds);
        const auto [error, size] = co_await asio::async_write(stream, http::make_chunk(asio::buffer(all)), as_result);
        if (error) break;
    }
    queue->on_change(nullptr);
    queue->close();
    give_time(stream, options.transfer_seconds);
    co_await asio::async_write(stream, http::make_chunk_last(), as_result);
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
template <class Stream>
awaitable<bool> exchange(Stream& stream, beast::flat_buffer& buffer, const Service& service,
                         const std::string& address) {
    const ListenerOptions& options = service.options;
    Parser parser;
    parser.header_limit(static_cast<std::uint32_t>(options.most_header_bytes));
    parser.body_limit(options.most_body_bytes);
    give_time(stream, options.idle_seconds);
    auto [error, size] = co_await http::async_read_header(stream, buffer, parser, as_result);
    if (!error && beast::iequals(parser.get()[http::field::expect], "100-continue")) {
        static const std::string go_on = "HTTP/1.1 100 Continue\r\n\r\n";
        co_await asio::async_write(stream, asio::buffer(go_on), as_result);
    }
    if (!error) {
        give_time(stream, options.transfer_seconds);
        const auto [body_error, body_size] = co_await http::async_read(stream, buffer, parser, as_result);
        error = body_error;
    }
    if (error) {
        if (auto response = complaint(error)) co_await send(stream, options, std::move(*response), false, false);
        co_return false;
    }
    struct Busy {
        std::atomic<int>& count;
        explicit Busy(std::atomic<int>& counted) : count(counted) { ++count; }
        ~Busy() { --count; }
    };
    const bool keep = parser.get().keep_alive();
    const bool head_only = parser.get().method() == http::verb::head;
    beast::get_lowest_layer(stream).expires_never();  // a suggestion takes as long as it takes
    auto busy = std::make_unique<Busy>(service.census.busy);
    Response response = co_await answer(service.api, request_from(parser.get(), address));
    if (!response.events || head_only) {
        co_return co_await send(stream, options, std::move(response), head_only, keep);
    }
    busy.reset();
    co_await send_events(stream, options, std::move(response));
    co_return false;
}

template <class Stream>
awaitable<void> exchange_all(Stream& stream, const Service& service, const std::string& address) {
    beast::flat_buffer buffer(service.options.most_header_bytes + (64 << 10));
    while (co_await exchange(stream, buffer, service, address)) {
    }
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
    const bool admitted = service.census.enter(address);
    beast::tcp_stream plain(std::move(socket));
    if (!admitted) {
        co_await send(plain, service.options, error_response(503, "there are too many connections; try again later"),
                      false, false);
        co_return;
    }
    struct Leaving {
        Census& census;
        const std::string& address;
        ~Leaving() { census.leave(address); }
    } const leaving{service.census, address};
    if (service.tls == nullptr) {
        co_await exchange_all(plain, service, address);
        plain.socket().shutdown(asio::ip::tcp::socket::shutdown_send, error);
        co_return;
    }
    beast::ssl_stream<beast::tcp_stream> stream(std::move(plain), *service.tls);
    give_time(stream, service.options.transfer_seconds);
    const auto [refused] = co_await stream.async_handshake(asio::ssl::stream_base::server, as_result);
    if (refused) co_return;
    co_await exchange_all(stream, service, address);
    give_time(stream, service.options.transfer_seconds);
    co_await stream.async_shutdown(as_result);
}

}  // namespace summand::server
