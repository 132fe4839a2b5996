// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "access.hpp"
#include "events.hpp"
#include "learned.hpp"

namespace summand::server {

struct ApiOptions {
    std::string database = {};
    AccessOptions access = {};
    Trouble trouble = {};  ///< told in sentences when the server of the database cannot be reached
};

/// What a handler of one address has to work with.
struct Call {
    const Request& request;
    const Target& target;
    std::vector<std::string> names = {};  ///< what stands for {study} and {trial}
    bool may_write = false;

    const std::string& study() const { return names.at(0); }
    std::int64_t trial() const;  ///< throws HttpError 404 for what is no number
    std::string key() const;     ///< Idempotency-Key; empty: none
};

/// Answers requests: all of the server but the network.
class Api {
  public:
    explicit Api(const ApiOptions& options);
    ~Api();
    /// Returns at once; `reply` is called once, perhaps from another thread, never with an exception.
    void handle(Request request, Reply reply);
    /// Stops suggestions, ends event streams, and returns when all that was asked has been answered. What comes from now on
    /// is answered with 503.
    void close();

    // For the handlers (routes_*.cpp).
    Shelf& shelf() { return shelf_; }
    Learned& learned() { return learned_; }
    Broadcaster& broadcaster() { return broadcaster_; }

  private:
    void answer(const std::shared_ptr<Request>& request, const Target& target, bool may_write, const Reply& reply);

    Access access_;
    std::atomic<bool> closing_ = false;
    // Work of each kind has its own threads, so that an answer never waits for a suggestion or a model.
    Pool quick_{6, false};
    Pool asks_{4, true};
    Pool models_{1, true};
    Shelf shelf_;
    Learned learned_;
    Broadcaster broadcaster_;
};

using Handler = std::function<void(Api&, const Call&, const Reply&)>;

/// An address with placeholders and what answers there.
struct Route {
    std::string method = {};
    std::vector<std::string> path = {};  ///< below /api/v1
    Handler handler = {};
};

/// Where a request goes.
struct Routed {
    const Route* route = nullptr;         ///< null: nowhere
    std::vector<std::string> names = {};  ///< what stands for its placeholders
    std::string allowed = {};  ///< of nowhere: the methods that this address has; empty: there is no such address
};
Routed route_for(const std::string& method, const Target& target);

std::vector<Route> study_routes();
std::vector<Route> trial_routes();
std::vector<Route> listing_routes();
std::vector<Route> learned_routes();
std::vector<Route> event_routes();

/// A handler that has its answer at once: a JSON text.
Handler at_once(std::function<std::string(Api&, const Call&)> body);
/// One that changes something: listeners hear of it at once. Empty text: 204.
Handler changing(std::function<std::string(Api&, const Call&)> body);

}  // namespace summand::server
