// SPDX-License-Identifier: Apache-2.0
#include "remote_study.hpp"

#include "summand/base/error.hpp"
#include "summand/study/json.hpp"
#include "summand/study/json_text.hpp"
#include "summand/study/view_json.hpp"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

namespace summand::server {

using Json = nlohmann::ordered_json;
using study::dumped;

namespace {

double wall_seconds() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// What a server says, read by `read`; anything unforeseen means that it is no Summand server.
template <class Read>
auto reading(const std::string& text, Read read) {
    try {
        return read(Json::parse(text));
    } catch (const Json::exception& error) {
        throw StorageError(std::string("the server's answer could not be read: ") + error.what() +
                           "; is it a Summand server of this version?");
    }
}

bool may_pass(int status) {
    return status == 503 || status == 429 || status == 502 || status == 504;
}

/// The server's errors as the library's.
[[noreturn]] void rethrow(const HttpReply& reply) {
    const Json json = Json::parse(reply.body, nullptr, false);
    std::string message = "the server answered with status " + std::to_string(reply.status);
    if (json.is_object() && json.contains("error") && json["error"].is_object())
        message = json["error"].value("message", message);
    if (may_pass(reply.status)) throw Unreachable(message);
    if (reply.status == 404) throw NotFound(message);
    if (reply.status == 409) throw Conflict(message);
    if (reply.status < 500) throw InvalidArgument(message);
    throw NumericalError(message);
}

std::optional<double> number_from(const Json& json) {
    return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

Json log_json(const storage::AttemptRecord& log) {
    return {{"attempt", log.attempt},   {"worker", log.worker},   {"started_at", log.started_at},
            {"ended_at", log.ended_at}, {"outcome", log.outcome}, {"output", log.output},
            {"error", log.error}};
}

void put_outcome(Json& json, const Outcome& outcome) {
    if (const auto* value = std::get_if<double>(&outcome))
        json["value"] = *value;
    else
        json["failed"] = std::get<Failed>(outcome).reason.empty() ? "failed" : std::get<Failed>(outcome).reason;
}

void put_also(Json& json, const NamedValues& also) {
    for (const auto& [name, value] : also) json["also"][name] = value;
}

}  // namespace

std::string fresh_key() {
    std::random_device device;  // the kernel's
    constexpr const char* digits = "0123456789abcdef";
    std::string key;
    for (int i = 0; i < 32; ++i) key += digits[device() & 15U];
    return key;
}

RemoteStudy::RemoteStudy(const ServerAddress& server, const std::string& name, double patience_seconds)
    : url_(server.url), name_(name), patience_seconds_(patience_seconds), line_(server), asking_(server) {
    reading(get("/studies/" + escaped(name)), [&](const Json& json) {
        space_ = study::space_from_json(json.at("parameters").dump());
        options_ = options_from_json(json.at("options").dump());
        settings_ = study::settings_from_json(json.at("settings").dump());
        batch_size_ = json.at("batch_size");
        created_at_ = json.at("created_at");
    });
    clock_offset_ = reading(get("/"), [](const Json& json) { return json.at("now").get<double>(); }) - wall_seconds();
}

double RemoteStudy::now() const {
    return wall_seconds() + clock_offset_;
}

std::string RemoteStudy::below(const std::string& part) const {
    return "/studies/" + escaped(name_) + "/" + part;
}

std::string RemoteStudy::below(std::int64_t trial, const std::string& verb) const {
    return below("trials/" + std::to_string(trial) + (verb.empty() ? "" : "/" + verb));
}

std::string RemoteStudy::call(Line& line, const std::string& method, const std::string& path, const std::string& body,
                              const std::string& key, const std::stop_token& stop) const {
    const std::lock_guard guard(line.mutex);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience_seconds_);
    for (auto nap = std::chrono::milliseconds(50);; nap = std::min(nap * 2, std::chrono::milliseconds(2000))) {
        const bool last = std::chrono::steady_clock::now() >= deadline;
        try {
            const HttpReply reply = line.client.request(method, path, body, key, stop);
            if (reply.status < 400) return reply.body;
            if (!may_pass(reply.status) || last) rethrow(reply);
        } catch (const Unreachable&) {
            if (last) throw;
        }
        if (stop.stop_requested()) throw Interrupted();
        std::this_thread::sleep_for(nap);
    }
}

std::string RemoteStudy::get(const std::string& path) const {
    return call(line_, "GET", path);
}

std::string RemoteStudy::post(const std::string& path, const std::string& body, const std::string& key) const {
    return call(line_, "POST", path, body, key);
}

std::vector<Trial> RemoteStudy::ask(const AskRequest& request) {
    Json body = Json::object();
    if (request.count > 0) body["count"] = request.count;
    if (!request.worker.empty()) body["worker"] = request.worker;
    if (request.lease_seconds) body["lease_seconds"] = *request.lease_seconds;
    const std::string text = call(asking_, "POST", below("ask"), dumped(body),
                                  request.key.empty() ? fresh_key() : request.key, request.stop);
    return reading(text, [&](const Json& json) {
        std::vector<Trial> trials;
        for (const Json& trial : json.at("trials")) trials.push_back(study::trial_from_json(*space_, trial.dump()));
        return trials;
    });
}

std::string RemoteStudy::tell_body(const Outcome& outcome, const TellRequest& request) const {
    Json body = Json::object();
    put_outcome(body, outcome);
    put_also(body, request.also);
    if (!request.worker.empty()) body["worker"] = request.worker;
    if (request.attempt) body["attempt"] = *request.attempt;
    if (request.log) body["log"] = log_json(*request.log);
    return dumped(body);
}

TellResult RemoteStudy::send_tell(std::int64_t id, const std::string& body, const std::string& key) {
    const std::string text = post(below(id, "tell"), body, key);
    return reading(text, [](const Json& json) {
        const std::string word = json.at("result");
        return word == "accepted"   ? TellResult::accepted
               : word == "repeated" ? TellResult::repeated
                                    : TellResult::kept_as_late;
    });
}

TellResult RemoteStudy::tell(std::int64_t id, const Outcome& outcome, const TellRequest& request) {
    return send_tell(id, tell_body(outcome, request), request.key.empty() ? fresh_key() : request.key);
}

bool RemoteStudy::correct(std::int64_t id, const Outcome& outcome, const TellRequest& request) {
    const std::string text =
        post(below(id, "correct"), tell_body(outcome, request), request.key.empty() ? fresh_key() : request.key);
    return reading(text, [](const Json& json) { return json.at("result") == "accepted"; });
}

AddResult RemoteStudy::add(const std::vector<Evaluation>& data, const std::string& key) {
    Json list = Json::array();
    for (const Evaluation& one : data) {
        Json json = {{"parameters", Json::parse(study::point_to_json(*space_, one.values))}};
        put_outcome(json, one.outcome);
        put_also(json, one.also);
        list.push_back(std::move(json));
    }
    const std::string text = post(below("add"), dumped({{"evaluations", list}}), key.empty() ? fresh_key() : key);
    return reading(text, [](const Json& json) {
        return AddResult{json.at("ids").get<std::vector<std::int64_t>>(), false};
    });
}

std::vector<std::int64_t> RemoteStudy::enqueue(const std::vector<Point>& points, const std::string& key) {
    Json list = Json::array();
    for (const Point& point : points) list.push_back(Json::parse(study::point_to_json(*space_, point)));
    const std::string text = post(below("enqueue"), dumped({{"points", list}}), key.empty() ? fresh_key() : key);
    return reading(text, [](const Json& json) { return json.at("ids").get<std::vector<std::int64_t>>(); });
}

void RemoteStudy::rerun(std::int64_t id) {
    post(below(id, "rerun"), "");
}

void RemoteStudy::abandon(std::int64_t id) {
    post(below(id, "abandon"), "");
}

void RemoteStudy::retry(const storage::AttemptRecord& failed, double lease_seconds) {
    post(below(failed.trial, "retry"), dumped({{"lease_seconds", lease_seconds}, {"attempt", log_json(failed)}}));
}

void RemoteStudy::keep_logs(const std::vector<storage::AttemptRecord>& running) {
    for (const storage::AttemptRecord& log : running)
        post(below(log.trial, "log"), dumped({{"attempt", log_json(log)}}));
}

void RemoteStudy::renew(const std::string& worker, double lease_seconds) {
    post(below("renew"), dumped({{"worker", worker}, {"lease_seconds", lease_seconds}}));
}

void RemoteStudy::release(const std::string& worker) {
    post(below("release"), dumped({{"worker", worker}}));
}

void RemoteStudy::set_paused(bool paused) {
    call(line_, "PATCH", "/studies/" + escaped(name_), dumped({{"paused", paused}}));
}

void RemoteStudy::set_budget(std::optional<std::int64_t> trials) {
    const Json budget = trials ? Json(*trials) : Json(nullptr);
    call(line_, "PATCH", "/studies/" + escaped(name_), dumped({{"budget", budget}}));
}

bool RemoteStudy::paused() const {
    return reading(get("/studies/" + escaped(name_)), [](const Json& json) { return json.at("paused").get<bool>(); });
}

std::vector<Trial> RemoteStudy::trials() const {
    constexpr std::size_t page = 5000;
    std::vector<Trial> trials;
    for (std::size_t total = 1; trials.size() < total;) {
        const std::string text =
            get(below("trials?limit=" + std::to_string(page) + "&offset=" + std::to_string(trials.size())));
        const std::size_t before = trials.size();
        total = reading(text, [&](const Json& json) {
            for (const Json& trial : json.at("trials")) trials.push_back(study::trial_from_json(*space_, trial.dump()));
            return json.at("total").get<std::size_t>();
        });
        if (trials.size() == before) break;
    }
    return trials;
}

std::optional<Trial> RemoteStudy::trial(std::int64_t id) const {
    try {
        return study::trial_from_json(*space_, get(below(id, "")));
    } catch (const NotFound&) {
        return {};
    }
}

std::optional<Trial> RemoteStudy::best() const {
    return reading(get(below("best")), [&](const Json& json) {
        const Json& best = json.at("best");
        return best.is_null() ? std::nullopt : std::optional(study::trial_from_json(*space_, best.dump()));
    });
}

std::optional<Recommended> RemoteStudy::recommended() const {
    return reading(get(below("recommended")), [&](const Json& json) -> std::optional<Recommended> {
        const Json& found = json.at("recommended");
        if (found.is_null()) return {};
        return Recommended{found.at("id"),     study::point_from_json(*space_, found.at("parameters").dump()),
                           found.at("value"),  found.at("mean"),
                           found.at("stddev"), found.at("noise_stddev"),
                           found.at("noisy"),  found.at("best_doubted")};
    });
}

storage::Counts RemoteStudy::counts() const {
    return reading(get("/studies/" + escaped(name_)), [](const Json& json) {
        const Json& c = json.at("counts");
        storage::Counts counts;
        counts.waiting = c.at("waiting");
        counts.running = c.at("running");
        counts.lost = c.at("lost");
        counts.completed = c.at("completed");
        counts.failed = c.at("failed");
        counts.abandoned = c.at("abandoned");
        counts.added = c.at("added");
        return counts;
    });
}

std::vector<storage::AttemptRecord> RemoteStudy::attempts(std::int64_t trial) const {
    return reading(get(below(trial, "")), [&](const Json& json) {
        std::vector<storage::AttemptRecord> found;
        for (const Json& a : json.at("attempts"))
            found.push_back({trial, a.at("attempt"), a.at("worker"), a.at("started_at"), a.at("ended_at"),
                             a.at("outcome"), a.at("output"), a.at("error")});
        return found;
    });
}

std::vector<storage::LateAnswer> RemoteStudy::late_answers(std::int64_t trial) const {
    return reading(get(below(trial, "")), [&](const Json& json) {
        std::vector<storage::LateAnswer> found;
        for (const Json& a : json.at("late_answers"))
            found.push_back({trial, "", a.at("at"), number_from(a.at("value")), "", a.at("reason")});
        return found;
    });
}

std::vector<EarlierAnswer> RemoteStudy::earlier_answers(std::int64_t trial) const {
    return reading(get(below(trial, "")), [&](const Json& json) {
        std::vector<EarlierAnswer> found;
        for (const Json& a : json.at("earlier_answers"))
            found.push_back({a.at("at"), number_from(a.at("value")), a.at("reason")});
        return found;
    });
}

StructureView RemoteStudy::structure() const {
    return study::structure_from_json(get(below("structure")));
}

std::vector<std::string> served_studies(const ServerAddress& server) {
    HttpClient client(server);
    const HttpReply reply = client.request("GET", "/studies", "", "");
    if (reply.status != 200) rethrow(reply);
    return reading(reply.body, [](const Json& json) {
        std::vector<std::string> names;
        for (const Json& study : json.at("studies")) names.push_back(study.at("name"));
        return names;
    });
}

}  // namespace summand::server
