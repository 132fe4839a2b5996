// SPDX-License-Identifier: Apache-2.0
#include "api.hpp"
#include "errors.hpp"
#include "query.hpp"
#include "views.hpp"

// What the model knows, and what happens.
namespace summand::server {

namespace {

Handler part(std::string Lesson::*wanted) {
    return [wanted](Api& api, const Call& call, const Reply& reply) {
        api.learned().reply_with(api.shelf().find(call.study()), wanted, reply);
    };
}

std::string history(Api& api, const Call& call) {
    const std::int64_t after = whole_in(call.target, "after", 0, 9007199254740991).value_or(0);
    const std::int64_t limit = whole_in(call.target, "limit", 1, 10000).value_or(1000);
    const StudyHandle study = api.shelf().find(call.study());
    std::vector<std::string> events;
    for (const storage::EventRecord& event : study->reading.events(after))
        if (static_cast<std::int64_t>(events.size()) < limit) events.push_back(event_json(study->record.name, event));
    return "{\"events\":" + list_json(events) + "}";
}

void stream(const Reply& reply, std::shared_ptr<EventQueue> queue) {
    Response response;
    response.type = "text/event-stream";
    response.events = std::move(queue);
    reply(std::move(response));
}

void events(Api& api, const Call& call, const Reply& reply) {
    std::optional<std::int64_t> after;
    if (const std::string& last = call.request.header("last-event-id"); !last.empty()) {
        Target number;
        number.query.emplace("Last-Event-ID", last);
        after = whole_in(number, "Last-Event-ID", 0, 9007199254740991);
    }
    stream(reply, api.broadcaster().subscribe(call.study(), after));
}

void all_events(Api& api, const Call&, const Reply& reply) {
    stream(reply, api.broadcaster().subscribe_to_all());
}

}  // namespace

std::vector<Route> learned_routes() {
    return {{"GET", {"studies", "{study}", "structure"}, part(&Lesson::structure)},
            {"GET", {"studies", "{study}", "importance"}, part(&Lesson::importance)},
            {"GET", {"studies", "{study}", "slices"}, part(&Lesson::slices)},
            {"GET", {"studies", "{study}", "recommended"}, part(&Lesson::recommended)}};
}

std::vector<Route> event_routes() {
    return {{"GET", {"studies", "{study}", "history"}, at_once(history)},
            {"GET", {"studies", "{study}", "events"}, events},
            {"GET", {"events"}, all_events}};
}

}  // namespace summand::server
