// SPDX-License-Identifier: Apache-2.0
#include "api.hpp"
#include "body.hpp"
#include "errors.hpp"
#include "summand/executor/executor.hpp"
#include "views.hpp"

#include <nlohmann/json.hpp>

// What hands out trials and takes answers.
namespace summand::server {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t longest_worker = 200;

std::string why_none(const StudyHandle& study) {
    if (study->reading.paused()) return "paused";
    const auto budget = study->record.budget;
    return budget && study->reading.counts().issued() >= *budget ? "budget" : "exhausted";
}

void in_turn(const StudyHandle& study, Asker::Job job, const Reply& reply) {
    study->asker->run(std::move(job), [reply](const std::exception_ptr& thrown) { reply(error_response(thrown)); });
}

void ask(Api& api, const Call& call, const Reply& reply) {
    const Body body(call.request, {"count", "worker", "lease_seconds"});
    AskRequest request;
    request.count = static_cast<int>(body.whole("count", 1, 1000).value_or(0));
    request.worker = body.text("worker", longest_worker).value_or("");
    if (body.has("lease_seconds")) request.lease_seconds = body.seconds("lease_seconds");
    request.key = call.key();
    const StudyHandle study = api.shelf().find(call.study());
    in_turn(
        study,
        [&api, study, request, reply](Study& own, const std::stop_token& stop) mutable {
            request.stop = stop;
            const std::vector<Trial> trials = own.ask(request);
            std::vector<std::string> texts;
            for (const Trial& trial : trials) texts.push_back(trial_json(*study, trial));
            const std::string reason = trials.empty() ? ",\"reason\":\"" + why_none(study) + "\"" : "";
            api.broadcaster().look();
            reply({.body = "{\"trials\":" + list_json(texts) + reason + "}"});
        },
        reply);
}

TellRequest answer_request(const Call& call, const Body& body) {
    TellRequest request;
    request.worker = body.text("worker", longest_worker).value_or("");
    if (const auto attempt = body.whole("attempt", 1, 1000000)) request.attempt = static_cast<int>(*attempt);
    request.key = call.key();
    request.also = body.also();
    request.log = body.attempt_log("log", call.trial());
    return request;
}

const std::vector<std::string> answer_keys = {"value", "failed", "also", "worker", "attempt", "log"};

std::string tell(Api& api, const Call& call) {
    const Body body(call.request, answer_keys);
    const StudyHandle study = api.shelf().find(call.study());
    const TellResult result = study->writing.tell(call.trial(), body.outcome(), answer_request(call, body));
    const char* word = result == TellResult::accepted   ? "accepted"
                       : result == TellResult::repeated ? "repeated"
                                                        : "kept-as-late";
    return std::string("{\"result\":\"") + word + "\"}";
}

std::string correct(Api& api, const Call& call) {
    const Body body(call.request, answer_keys);
    const StudyHandle study = api.shelf().find(call.study());
    const bool changed = study->writing.correct(call.trial(), body.outcome(), answer_request(call, body));
    return std::string("{\"result\":\"") + (changed ? "accepted" : "repeated") + "\"}";
}

std::string ids_json(const std::vector<std::int64_t>& ids) {
    return Json{{"ids", ids}}.dump();
}

void enqueue(Api& api, const Call& call, const Reply& reply) {
    const Body body(call.request, {"points"});
    const StudyHandle study = api.shelf().find(call.study());
    const auto work = [&api, points = body.points(study->reading.space()), key = call.key(), reply](
                          Study& own, const std::stop_token&) {
        const std::string ids = ids_json(own.enqueue(points, key));
        api.broadcaster().look();
        reply({.body = ids});
    };
    in_turn(study, work, reply);
}

void add(Api& api, const Call& call, const Reply& reply) {
    const Body body(call.request, {"evaluations"});
    const StudyHandle study = api.shelf().find(call.study());
    const auto work = [&api, data = body.evaluations(study->reading.space()), key = call.key(), reply](
                          Study& own, const std::stop_token&) {
        const std::string ids = ids_json(own.add(data, key).ids);
        api.broadcaster().look();
        reply({.body = ids});
    };
    in_turn(study, work, reply);
}

std::string renew(Api& api, const Call& call) {
    const Body body(call.request, {"worker", "lease_seconds"});
    const std::string worker = body.required_text("worker", longest_worker);
    api.shelf().find(call.study())->writing.renew(worker, body.seconds("lease_seconds"));
    return "";
}

std::string release(Api& api, const Call& call) {
    const Body body(call.request, {"worker"});
    const std::string worker = body.required_text("worker", longest_worker);
    api.shelf().find(call.study())->writing.release(worker);
    return "";
}

/// Throws NotFound.
Trial known(const StudyHandle& study, std::int64_t id) {
    const auto trial = study->writing.trial(id);
    if (!trial) throw NotFound("there is no trial " + std::to_string(id) + " in study \"" + study->record.name + "\"");
    return *trial;
}

std::string retry(Api& api, const Call& call) {
    const Body body(call.request, {"lease_seconds", "attempt"});
    const StudyHandle study = api.shelf().find(call.study());
    const auto log = body.attempt_log("attempt", call.trial());
    if (!log) throw HttpError(400, "\"attempt\" is missing: which attempt failed, and how");
    const double lease = body.seconds("lease_seconds");
    known(study, call.trial());
    study->writing.retry(*log, lease);
    return "";
}

/// The trial's worker goes on: what its program has written so far.
std::string log(Api& api, const Call& call) {
    constexpr std::size_t longest = 16384;
    const Body body(call.request, {"attempt"});
    const StudyHandle study = api.shelf().find(call.study());
    auto given = body.attempt_log("attempt", call.trial());
    if (!given) throw HttpError(400, "\"attempt\" is missing: whose, and what its program has written");
    known(study, call.trial());
    given->outcome = "running";
    given->output = executor::end_of(given->output, longest);
    given->error = executor::end_of(given->error, longest);
    study->writing.keep_logs({*given});
    return "";
}

std::string rerun(Api& api, const Call& call) {
    const Body none(call.request, {});
    const StudyHandle study = api.shelf().find(call.study());
    study->writing.rerun(call.trial());
    return trial_json(*study, known(study, call.trial()));
}

std::string abandon(Api& api, const Call& call) {
    const Body none(call.request, {});
    const StudyHandle study = api.shelf().find(call.study());
    study->writing.abandon(call.trial());
    return trial_json(*study, known(study, call.trial()));
}

}  // namespace

std::vector<Route> trial_routes() {
    return {{"POST", {"studies", "{study}", "ask"}, ask},
            {"POST", {"studies", "{study}", "enqueue"}, enqueue},
            {"POST", {"studies", "{study}", "add"}, add},
            {"POST", {"studies", "{study}", "renew"}, changing(renew)},
            {"POST", {"studies", "{study}", "release"}, changing(release)},
            {"POST", {"studies", "{study}", "trials", "{trial}", "tell"}, changing(tell)},
            {"POST", {"studies", "{study}", "trials", "{trial}", "correct"}, changing(correct)},
            {"POST", {"studies", "{study}", "trials", "{trial}", "retry"}, changing(retry)},
            {"POST", {"studies", "{study}", "trials", "{trial}", "log"}, changing(log)},
            {"POST", {"studies", "{study}", "trials", "{trial}", "rerun"}, changing(rerun)},
            {"POST", {"studies", "{study}", "trials", "{trial}", "abandon"}, changing(abandon)}};
}

}  // namespace summand::server
