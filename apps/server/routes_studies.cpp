// SPDX-License-Identifier: Apache-2.0
#include "api.hpp"
#include "body.hpp"
#include "errors.hpp"
#include "openapi.hpp"
#include "views.hpp"

#include <nlohmann/json.hpp>

// /api/v1/ and /api/v1/studies
namespace summand::server {

namespace {

using Json = nlohmann::ordered_json;

std::string server(Api& api, const Call& call) {
    const Json json = {{"name", "summand"},
                       {"version", SUMMAND_VERSION},
                       {"may_write", call.may_write},
                       {"dashboard", true},
                       {"now", api.shelf().now()}};
    return json.dump();
}

std::string list_studies(Api& api, const Call&) {
    std::vector<std::string> summaries;
    for (const storage::StudyRecord& record : api.shelf().records())
        summaries.push_back(summary_json(api.shelf(), record));
    return "{\"studies\":" + list_json(summaries) + "}";
}

void create(Api& api, const Call& call, const Reply& reply) {
    const std::string type = content_type(call.request);
    if (type != "application/json" && type != "application/toml")
        throw HttpError(415, "the Content-Type is \"" + type + "\"; application/json or application/toml is needed");
    const StudyDefinition definition =
        parse_http_study(call.request.body, type == "application/json" ? StudyFormat::json : StudyFormat::toml);
    const bool made = api.shelf().create(definition);
    const StudyHandle study = api.shelf().find(definition.name);
    api.broadcaster().look();
    reply({.status = made ? 201 : 200, .body = study_json(api.shelf(), *study)});
}

std::string show_study(Api& api, const Call& call) {
    return study_json(api.shelf(), *api.shelf().find(call.study()));
}

std::string change(Api& api, const Call& call) {
    const Body body(call.request, {"budget", "paused"});
    const auto paused = body.truth("paused");
    const auto budget = body.is_null("budget") ? std::nullopt : body.whole("budget", 1, 1'000'000'000);
    const StudyHandle study = api.shelf().find(call.study());
    if (body.has("budget")) study->writing.set_budget(budget);
    if (paused) study->writing.set_paused(*paused);
    api.shelf().changed();
    return study_json(api.shelf(), *api.shelf().find(call.study()));
}

void remove(Api& api, const Call& call, const Reply& reply) {
    api.shelf().find(call.study());
    api.shelf().remove_later(call.study(), [&api, reply](const std::exception_ptr& thrown) {
        api.broadcaster().look();
        reply(thrown ? error_response(thrown) : Response{.status = 204});
    });
}

void describe(Api&, const Call&, const Reply& reply) {
    reply({.type = "application/yaml", .body = openapi_yaml()});
}

}  // namespace

std::vector<Route> study_routes() {
    return {{"GET", {}, at_once(server)},
            {"GET", {"openapi.yaml"}, describe},
            {"GET", {"studies"}, at_once(list_studies)},
            {"POST", {"studies"}, create},
            {"GET", {"studies", "{study}"}, at_once(show_study)},
            {"PATCH", {"studies", "{study}"}, changing(change)},
            {"DELETE", {"studies", "{study}"}, remove}};
}

}  // namespace summand::server
