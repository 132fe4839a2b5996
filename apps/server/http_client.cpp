// SPDX-License-Identifier: Apache-2.0
#include "http_client.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <cctype>
#include <optional>

namespace summand::server {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::awaitable;
using asio::use_awaitable;
using Message = http::request<http::string_body>;

constexpr auto connect_time = std::chrono::seconds(20);
constexpr std::uint64_t most_reply_bytes = 1 << 30;

struct Place {
    bool tls = false;
    std::string host = {};
    std::string port = {};
};

Place place_of(const std::string& url) {
    const auto refuse = [&]() -> InvalidArgument {
        return InvalidArgument("\"" + url + "\" is no address of a server; it looks like http://localhost:8642");
    };
    const auto scheme = url.find("://");
    if (scheme == std::string::npos) throw refuse();
    Place place;
    place.tls = url.substr(0, scheme) == "https";
    if (!place.tls && url.substr(0, scheme) != "http") throw refuse();
    const std::string rest = url.substr(scheme + 3);
    const auto end = rest.find('/');
    if (end != std::string::npos && end + 1 != rest.size()) throw refuse();
    const std::string authority = rest.substr(0, end);
    const auto bracket = authority.find(']');
    const auto colon = authority.find(':', bracket == std::string::npos ? 0 : bracket);
    place.host = authority.substr(0, colon);
    if (bracket != std::string::npos && place.host.size() > 2) place.host = place.host.substr(1, place.host.size() - 2);
    place.port = colon == std::string::npos ? (place.tls ? "443" : "80") : authority.substr(colon + 1);
    if (place.host.empty() || place.host.find('@') != std::string::npos) throw refuse();
    return place;
}

}  // namespace

class HttpClient::Impl {
  public:
    explicit Impl(const ServerAddress& given) : server(given), place(place_of(given.url)) {
        if (!place.tls) return;
        tls.set_default_verify_paths();
        tls.set_verify_mode(asio::ssl::verify_peer);
    }

    /// Sends it over the connection there is, else over a new one. Throws what Beast and Asio throw.
    HttpReply exchange(const Message& message, const std::stop_token& stop) {
        std::optional<HttpReply> reply;
        std::exception_ptr failure;
        context.restart();
        asio::co_spawn(
            context, [&]() -> awaitable<void> { reply = co_await converse(message); },
            [&](const std::exception_ptr& thrown) { failure = thrown; });
        {
            const std::stop_callback on_stop(stop, [this] { asio::post(context, [this] { cancel(); }); });
            context.run();
        }
        if (failure) {
            close();
            std::rethrow_exception(failure);
        }
        if (!keep_) close();
        return *reply;
    }

    void cancel() {
        if (plain) beast::get_lowest_layer(*plain).close();
        if (secure) beast::get_lowest_layer(*secure).close();
    }
    void close() {  ///< not while anything is under way
        plain.reset();
        secure.reset();
    }
    bool connected() const { return plain || secure; }

    const ServerAddress server;
    const Place place;

  private:
    awaitable<HttpReply> converse(const Message& message) {
        if (!connected()) co_await connect();
        if (secure) co_return co_await send(*secure, message);
        co_return co_await send(*plain, message);
    }

    awaitable<void> connect() {
        asio::ip::tcp::resolver resolver(context);
        const auto found = co_await resolver.async_resolve(place.host, place.port, use_awaitable);
        beast::tcp_stream stream(context);
        stream.expires_after(connect_time);
        co_await stream.async_connect(found, use_awaitable);
        stream.socket().set_option(asio::ip::tcp::no_delay(true));
        if (!place.tls) {
            plain.emplace(std::move(stream));
            co_return;
        }
        secure.emplace(std::move(stream), tls);
        // The macro SSL_set_tlsext_host_name, without its C cast: servers of several names choose the certificate by this.
        std::string host = place.host;
        SSL_ctrl(secure->native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, host.data());
        secure->set_verify_callback(asio::ssl::host_name_verification(place.host));
        co_await secure->async_handshake(asio::ssl::stream_base::client, use_awaitable);
    }

    template <class Stream>
    awaitable<HttpReply> send(Stream& stream, const Message& message) {
        beast::get_lowest_layer(stream).expires_after(connect_time);
        co_await http::async_write(stream, message, use_awaitable);
        beast::get_lowest_layer(stream).expires_never();  // a suggestion takes as long as it takes
        http::response_parser<http::string_body> parser;
        parser.body_limit(most_reply_bytes);
        beast::flat_buffer buffer;
        co_await http::async_read(stream, buffer, parser, use_awaitable);
        HttpReply reply{static_cast<int>(parser.get().result_int()), parser.get().body()};
        keep_ = parser.get().keep_alive();
        co_return reply;
    }

    bool keep_ = true;
    asio::io_context context;
    asio::ssl::context tls{asio::ssl::context::tls_client};
    std::optional<beast::tcp_stream> plain;
    std::optional<beast::ssl_stream<beast::tcp_stream>> secure;
};

HttpClient::HttpClient(const ServerAddress& server) : impl_(std::make_unique<Impl>(server)) {}
HttpClient::~HttpClient() = default;

HttpReply HttpClient::request(const std::string& method, const std::string& target, const std::string& body,
                              const std::string& key, std::stop_token stop) {
    Message message(http::string_to_verb(method), "/api/v1" + target, 11);
    const bool six = impl_->place.host.find(':') != std::string::npos;
    message.set(http::field::host, (six ? "[" + impl_->place.host + "]" : impl_->place.host) + ":" + impl_->place.port);
    message.set(http::field::user_agent, "summand");
    if (!body.empty()) message.set(http::field::content_type, "application/json");
    if (!key.empty()) message.set("Idempotency-Key", key);
    if (!impl_->server.token.empty()) message.set(http::field::authorization, "Bearer " + impl_->server.token);
    message.body() = body;
    message.prepare_payload();
    try {
        return impl_->exchange(message, stop);
    } catch (const boost::system::system_error& error) {
        if (stop.stop_requested()) throw Interrupted();
        throw Unreachable(impl_->server.url + " does not answer: " + error.code().message() +
                          "; is `summand serve` running there?");
    }
}

std::string escaped(const std::string& text) {
    constexpr const char* digits = "0123456789ABCDEF";
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || c == '-' || c == '.' || c == '_' || c == '~')
            result += c;
        else
            result += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
    return result;
}

}  // namespace summand::server
