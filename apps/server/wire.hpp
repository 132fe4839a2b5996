// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <optional>
#include <string>

namespace summand::server {

/// One connection, in the clear or through TLS: the one place where bytes go through Asio, whose templates take longer to
/// compile than all else of the server. Errors are values: a lost client is nothing special. For one coroutine.
class Wire {
  public:
    using Error = boost::system::error_code;
    using Tcp = boost::beast::tcp_stream;
    using Tls = boost::asio::ssl::stream<Tcp&>;
    using Role = boost::asio::ssl::stream_base::handshake_type;

    explicit Wire(boost::asio::ip::tcp::socket socket) : tcp_(std::move(socket)) {}
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

    /// From now on; what is under way then ends with an error.
    void give_time(double seconds);
    void give_all_time() { tcp_.expires_never(); }

    boost::asio::awaitable<Error> connect(const boost::asio::ip::tcp::resolver::results_type& places);
    /// Everything after it goes through TLS.
    Tls& secure(boost::asio::ssl::context& context) { return tls_.emplace(tcp_, context); }
    boost::asio::awaitable<Error> handshake(Role role);

    boost::asio::awaitable<Error> write(const std::string& bytes);
    /// Parses what is in the buffer and what comes until the message is complete, or its head.
    template <bool is_request>
    boost::asio::awaitable<Error> read(boost::beast::flat_buffer& buffer,
                                       boost::beast::http::basic_parser<is_request>& parser, bool head_only) {
        using boost::beast::http::error;
        parser.eager(!head_only);
        while (head_only ? !parser.is_header_done() : !parser.is_done()) {
            Error failure;
            if (buffer.size() > 0) {
                buffer.consume(parser.put(buffer.data(), failure));
                if (failure && failure != error::need_more) co_return failure;
                if (!failure) continue;
            }
            failure = co_await receive(buffer);
            if (failure == boost::asio::error::eof) {
                if (!parser.got_some()) co_return error::end_of_stream;
                failure = {};
                parser.put_eof(failure);
            }
            if (failure) co_return failure;
        }
        co_return Error{};
    }

    /// Says farewell.
    boost::asio::awaitable<void> end();
    /// Without one; what is under way ends with an error.
    void close() { tcp_.close(); }

    Tcp& tcp() { return tcp_; }

  private:
    /// Appends what comes next.
    boost::asio::awaitable<Error> receive(boost::beast::flat_buffer& buffer);

    Tcp tcp_;
    std::optional<Tls> tls_ = {};
};

}  // namespace summand::server
