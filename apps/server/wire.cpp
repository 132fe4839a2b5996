// SPDX-License-Identifier: Apache-2.0
#include "wire.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <tuple>

namespace summand::server {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::awaitable;

namespace {

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
using Result = std::tuple<Wire::Error, std::size_t>;
constexpr std::size_t most_at_once = 64 << 10;

}  // namespace

void Wire::give_time(double seconds) {
    tcp_.expires_after(std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000.0)));
}

awaitable<Wire::Error> Wire::connect(const asio::ip::tcp::resolver::results_type& places) {
    const auto [error, place] = co_await tcp_.async_connect(places, as_result);
    co_return error;
}

awaitable<Wire::Error> Wire::handshake(Role role) {
    const auto [error] = co_await tls_->async_handshake(role, as_result);
    co_return error;
}

awaitable<Wire::Error> Wire::write(const std::string& bytes) {
    for (asio::const_buffer rest = asio::buffer(bytes); rest.size() > 0;) {
        Result done;
        if (tls_)
            done = co_await tls_->async_write_some(rest, as_result);
        else
            done = co_await tcp_.async_write_some(rest, as_result);
        const auto [error, size] = done;
        if (error) co_return error;
        rest += size;
    }
    co_return Error{};
}

awaitable<Wire::Error> Wire::receive(beast::flat_buffer& buffer) {
    const std::size_t room = buffer.max_size() - buffer.size();
    if (room == 0) co_return beast::http::error::buffer_overflow;
    const asio::mutable_buffer space = buffer.prepare(std::min(room, most_at_once));
    Result done;
    if (tls_)
        done = co_await tls_->async_read_some(space, as_result);
    else
        done = co_await tcp_.async_read_some(space, as_result);
    const auto [error, size] = done;
    buffer.commit(size);
    co_return error;
}

awaitable<void> Wire::end() {
    if (tls_) {
        co_await tls_->async_shutdown(as_result);
        co_return;
    }
    Error ignored;
    tcp_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
}

}  // namespace summand::server
