// SPDX-License-Identifier: Apache-2.0
#include "api.hpp"

#include "compress.hpp"
#include "errors.hpp"
#include "pages.hpp"
#include "steady_seconds.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace summand::server {

namespace {

const std::vector<Route>& all_routes() {
    static const std::vector<Route> routes = [] {
        std::vector<Route> all;
        for (const auto& part : {study_routes(), trial_routes(), listing_routes(), learned_routes(), event_routes()})
            all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return routes;
}

/// What stands for the placeholders, if the path fits.
std::optional<std::vector<std::string>> fit(const Route& route, const std::vector<std::string>& path) {
    constexpr std::size_t prefix = 2;  // api, v1
    if (path.size() != route.path.size() + prefix) return {};
    std::vector<std::string> names;
    for (std::size_t i = 0; i < route.path.size(); ++i) {
        if (route.path[i].starts_with('{'))
            names.push_back(path[i + prefix]);
        else if (route.path[i] != path[i + prefix])
            return {};
    }
    return names;
}

bool is_api(const Target& target) {
    return target.path.size() >= 2 && target.path[0] == "api" && target.path[1] == "v1";
}

}  // namespace

Routed route_for(const std::string& method, const Target& target) {
    Routed found;
    for (const Route& route : all_routes()) {
        auto names = fit(route, target.path);
        if (!names) continue;
        if (route.method == method) return {&route, std::move(*names), {}};
        found.allowed += (found.allowed.empty() ? "" : ", ") + route.method;
    }
    return found;
}

std::int64_t Call::trial() const {
    const std::string& text = names.at(1);
    std::int64_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error != std::errc() || end != text.data() + text.size() || id < 1)
        throw HttpError(404, "\"" + text + "\" is not the number of a trial");
    return id;
}

std::string Call::key() const {
    const std::string& key = request.header("idempotency-key");
    const bool plain = std::all_of(key.begin(), key.end(), [](char c) { return c >= '!' && c <= '~'; });
    if (!plain || key.size() > 200)
        throw HttpError(400, "the Idempotency-Key must be 1 to 200 visible ASCII characters");
    return key;
}

Handler at_once(std::function<std::string(Api&, const Call&)> body) {
    return
        [body = std::move(body)](Api& api, const Call& call, const Reply& reply) { reply({.body = body(api, call)}); };
}

Handler changing(std::function<std::string(Api&, const Call&)> body) {
    return [body = std::move(body)](Api& api, const Call& call, const Reply& reply) {
        Response response{.body = body(api, call)};
        if (response.body.empty()) response.status = 204;
        api.broadcaster().look();
        reply(std::move(response));
    };
}

Api::Api(const ApiOptions& options)
    : access_(options.access),
      shelf_(options.database, options.trouble, asks_),
      learned_(shelf_, models_),
      broadcaster_(shelf_) {}

Api::~Api() {
    close();
}

void Api::close() {
    closing_ = true;
    broadcaster_.close();
    learned_.stop();
    shelf_.stop_asking();
    for (Pool* pool : {&quick_, &asks_, &models_}) pool->finish();
}

void Api::handle(Request given, Reply reply) {
    try {
        if (closing_) throw HttpError(503, "the server is ending");
        const Target target = parse_target(given.target);
        const bool api = is_api(target);
        access_.greet(given, steady_seconds());
        const bool read = given.method == "GET" || given.method == "HEAD";
        if (!api) {  // the dashboard's files are no secret: the page asks for the token
            if (!read) throw HttpError(405, "only GET is allowed here");
            return reply(page_response(given, target));
        }
        const bool may_write = access_.may_write(given, steady_seconds());
        if (!may_write && !read) throw HttpError(403, "this token allows reading only");
        auto request = std::make_shared<Request>(std::move(given));
        const Reply packed = [request, reply](Response response) {
            compress(*request, response);
            reply(std::move(response));
        };
        quick_.run([this, request, target, may_write, packed] { answer(request, target, may_write, packed); });
    } catch (...) {
        reply(error_response(std::current_exception()));
    }
}

void Api::answer(const std::shared_ptr<Request>& request, const Target& target, bool may_write, const Reply& reply) {
    try {
        const Routed to = route_for(request->method == "HEAD" ? "GET" : request->method, target);
        if (to.route != nullptr) return to.route->handler(*this, {*request, target, to.names, may_write}, reply);
        if (to.allowed.empty())
            throw HttpError(404, "there is nothing at this address; /api/v1/openapi.yaml lists what there is");
        Response response = error_response(405, request->method + " is not allowed here; " + to.allowed + " is");
        response.headers.emplace_back("Allow", to.allowed);
        reply(std::move(response));
    } catch (...) {
        reply(error_response(std::current_exception()));
    }
}

}  // namespace summand::server
