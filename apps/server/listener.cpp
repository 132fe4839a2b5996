// SPDX-License-Identifier: Apache-2.0
#include "listener.hpp"

#include "connection.hpp"
#include "errors.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <thread>

#include <sys/resource.h>

namespace summand::server {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

/// A connection needs a descriptor, and an open study several.
void allow_many_files() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

std::unique_ptr<asio::ssl::context> tls_context(const ListenerOptions& options) {
    if (options.certificate.empty()) return nullptr;
    auto context = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_server);
    try {
        context->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 |
                             asio::ssl::context::no_tlsv1_1);
        context->use_certificate_chain_file(options.certificate);
        context->use_private_key_file(options.key, asio::ssl::context::pem);
    } catch (const boost::system::system_error& error) {
        throw InvalidArgument("serve: the certificate " + options.certificate + " or its key " + options.key +
                              " cannot be used: " + error.code().message());
    }
    return context;
}

tcp::acceptor listening(asio::io_context& context, const ListenerOptions& options) {
    try {
        const tcp::endpoint endpoint(asio::ip::make_address(options.address),
                                     static_cast<unsigned short>(options.port));
        return tcp::acceptor(context, endpoint, true);
    } catch (const boost::system::system_error& error) {
        throw InvalidArgument("serve: cannot listen on " + options.address + " port " + std::to_string(options.port) +
                              ": " + error.code().message() + "; give a free one with --port, or 0 for any");
    }
}

}  // namespace

class Listener::Impl {
  public:
    Impl(Api& api, const ListenerOptions& options)
        : api_(api),
          options_(options),
          tls_(tls_context(options)),
          census_(options.most_connections),
          acceptor_(listening(*context_, options)),
          endpoint_(acceptor_->local_endpoint()) {
        allow_many_files();
        asio::co_spawn(asio::any_io_executor(context_->get_executor()), accept(), asio::detached);
        for (int i = 0; i < 2; ++i) threads_.emplace_back([this] { context_->run(); });
    }

    ~Impl() { stop(); }

    void stop() {
        if (threads_.empty()) return;
        asio::post(*context_, [this] { acceptor_->close(); });
        api_.close();  // from here on all answers are with the connections
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
        while (census_.busy() > 0 && std::chrono::steady_clock::now() < deadline)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        context_->stop();
        for (std::thread& thread : threads_) thread.join();
        threads_.clear();
        acceptor_.reset();
        work_.reset();
        context_.reset();  // and with it the connections that are left
    }

    int port() const { return endpoint_.port(); }
    std::string url() const {
        const bool six = endpoint_.address().is_v6();
        const std::string host = (six ? "[" : "") + endpoint_.address().to_string() + (six ? "]" : "");
        return (tls_ ? "https://" : "http://") + host + ":" + std::to_string(port());
    }

  private:
    asio::awaitable<void> accept() {
        for (;;) {
            tcp::socket socket(asio::make_strand(*context_));
            const auto [error] = co_await acceptor_->async_accept(socket, asio::as_tuple(asio::use_awaitable));
            if (!acceptor_->is_open()) co_return;
            if (error) {  // out of descriptors, or the client is gone already
                asio::steady_timer nap(*context_, std::chrono::milliseconds(50));
                co_await nap.async_wait(asio::as_tuple(asio::use_awaitable));
                continue;
            }
            const auto executor = socket.get_executor();
            asio::co_spawn(executor, converse({api_, options_, census_, tls_.get()}, std::move(socket)),
                           asio::detached);
        }
    }

    Api& api_;
    const ListenerOptions options_;
    std::unique_ptr<asio::ssl::context> tls_;
    Census census_;
    std::optional<asio::io_context> context_{std::in_place};
    std::optional<asio::executor_work_guard<asio::io_context::executor_type>> work_{asio::make_work_guard(*context_)};
    std::optional<tcp::acceptor> acceptor_;
    tcp::endpoint endpoint_;
    std::vector<std::thread> threads_;
};

Listener::Listener(Api& api, const ListenerOptions& options) : impl_(std::make_unique<Impl>(api, options)) {}
Listener::~Listener() = default;

int Listener::port() const {
    return impl_->port();
}

std::string Listener::url() const {
    return impl_->url();
}

void Listener::stop() {
    impl_->stop();
}

}  // namespace summand::server
