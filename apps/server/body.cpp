// SPDX-License-Identifier: Apache-2.0
#include "body.hpp"

#include "errors.hpp"
#include "summand/study/json.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

namespace summand::server {

using Json = nlohmann::ordered_json;

namespace {

constexpr double year_seconds = 31536000.0;

std::string shown(const Json& json) {
    const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

[[noreturn]] void refuse(const std::string& key, const Json& given, const std::string& needed) {
    throw HttpError(400, "\"" + key + "\" is " + shown(given) + "; " + needed + " is needed");
}

Json parsed(const std::string& text) {
    constexpr int deepest = 32;  // what reads it goes one call deeper for each level
    const auto shallow = [](int depth, Json::parse_event_t, Json&) {
        if (depth > deepest) throw HttpError(400, "the JSON is nested deeper than 32 levels");
        return true;
    };
    try {
        return Json::parse(text, shallow);
    } catch (const Json::exception& error) {
        throw HttpError(400, std::string("the body is not JSON: ") + error.what());
    }
}

std::string list_of(const std::vector<std::string>& keys) {
    std::string list;
    for (const std::string& key : keys) list += (list.empty() ? "" : ", ") + key;
    return list.empty() ? "none" : list;
}

void allow(const Json& json, const std::vector<std::string>& keys) {
    if (!json.is_object()) throw HttpError(400, "the body is " + shown(json) + "; a JSON object is needed");
    for (const auto& [key, value] : json.items())
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            throw HttpError(400, "there is no key \"" + key + "\" here; allowed: " + list_of(keys));
}

double finite(const std::string& key, const Json& json) {
    if (!json.is_number() || !std::isfinite(json.get<double>())) refuse(key, json, "a finite number");
    return json.get<double>();
}

const std::vector<Json>& list(const Json& json, const std::string& key, std::size_t most) {
    static const std::vector<Json> none;
    if (!json.contains(key)) throw HttpError(400, "\"" + key + "\" is missing");
    const Json& given = json.at(key);
    if (!given.is_array() || given.empty() || given.size() > most)
        refuse(key, given, "a list of 1 to " + std::to_string(most) + " entries");
    return given.get_ref<const std::vector<Json>&>();
}

NamedValues also_of(const Json& json) {
    NamedValues also;
    if (!json.contains("also")) return also;
    const Json& given = json.at("also");
    if (!given.is_object() || given.size() > 1000) refuse("also", given, "an object of at most 1000 numbers");
    for (const auto& [name, value] : given.items()) also.emplace_back(name, finite("also." + name, value));
    return also;
}

Outcome outcome_of(const Json& json) {
    const bool value = json.contains("value"), failed = json.contains("failed");
    if (value == failed) throw HttpError(400, "give either \"value\" (a number) or \"failed\" (the reason)");
    if (value) return finite("value", json.at("value"));
    const Json& reason = json.at("failed");
    if (!reason.is_string() || reason.get_ref<const std::string&>().empty()) refuse("failed", reason, "the reason");
    return Failed{reason.get<std::string>()};
}

Point point_of(const SearchSpace& space, const Json& json) {
    if (!json.is_object()) refuse("parameters", json, "an object with a value for each parameter");
    return study::point_from_json(space, json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

struct Body::Impl {
    Json json = Json::object();

    const Json* find(const std::string& key) const {
        const auto found = json.find(key);
        return found == json.end() ? nullptr : &*found;
    }
};

std::string content_type(const Request& request) {
    std::string type = request.header("content-type");
    type.erase(std::min(type.find(';'), type.size()));
    while (!type.empty() && type.back() == ' ') type.pop_back();
    std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::tolower(c); });
    return type;
}

Body::Body(const Request& request, const std::vector<std::string>& keys) : impl_(std::make_unique<Impl>()) {
    if (request.body.empty()) return;
    if (content_type(request) != "application/json")
        throw HttpError(415, "the Content-Type is \"" + content_type(request) + "\"; application/json is needed");
    impl_->json = parsed(request.body);
    allow(impl_->json, keys);
}

Body::Body(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Body::~Body() = default;

bool Body::has(const std::string& key) const {
    return impl_->find(key) != nullptr;
}

bool Body::is_null(const std::string& key) const {
    return has(key) && impl_->find(key)->is_null();
}

std::optional<double> Body::number(const std::string& key) const {
    const Json* given = impl_->find(key);
    return given == nullptr ? std::nullopt : std::optional(finite(key, *given));
}

std::optional<std::int64_t> Body::whole(const std::string& key, std::int64_t least, std::int64_t most) const {
    const Json* given = impl_->find(key);
    if (given == nullptr) return {};
    const double value = given->is_number() ? given->get<double>() : std::nan("");
    if (!(value >= static_cast<double>(least) && value <= static_cast<double>(most)) || std::floor(value) != value)
        refuse(key, *given, "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return static_cast<std::int64_t>(value);
}

std::optional<std::string> Body::text(const std::string& key, std::size_t longest) const {
    const Json* given = impl_->find(key);
    if (given == nullptr) return {};
    if (!given->is_string() || given->get_ref<const std::string&>().size() > longest)
        refuse(key, *given, "a text of at most " + std::to_string(longest) + " bytes");
    return given->get<std::string>();
}

std::optional<bool> Body::truth(const std::string& key) const {
    const Json* given = impl_->find(key);
    if (given == nullptr) return {};
    if (!given->is_boolean()) refuse(key, *given, "true or false");
    return given->get<bool>();
}

double Body::seconds(const std::string& key) const {
    const auto given = number(key);
    if (!given) throw HttpError(400, "\"" + key + "\" is missing");
    if (*given <= 0.0 || *given > year_seconds) refuse(key, *impl_->find(key), "a number above 0, at most 31536000");
    return *given;
}

std::string Body::required_text(const std::string& key, std::size_t longest) const {
    const auto given = text(key, longest);
    if (!given || given->empty()) throw HttpError(400, "\"" + key + "\" is missing or empty");
    return *given;
}

Outcome Body::outcome() const {
    return outcome_of(impl_->json);
}

NamedValues Body::also() const {
    return also_of(impl_->json);
}

std::vector<Point> Body::points(const SearchSpace& space) const {
    std::vector<Point> points;
    for (const Json& point : list(impl_->json, "points", 1000)) points.push_back(point_of(space, point));
    return points;
}

std::vector<Evaluation> Body::evaluations(const SearchSpace& space) const {
    std::vector<Evaluation> found;
    for (const Json& one : list(impl_->json, "evaluations", 10000)) {
        allow(one, {"parameters", "value", "failed", "also"});
        if (!one.contains("parameters")) throw HttpError(400, "an evaluation has no \"parameters\"");
        found.push_back({point_of(space, one.at("parameters")), outcome_of(one), also_of(one)});
    }
    return found;
}

std::optional<storage::AttemptRecord> Body::attempt_log(const std::string& key, std::int64_t trial) const {
    const Json* given = impl_->find(key);
    if (given == nullptr) return {};
    const std::vector<std::string> keys = {"attempt", "worker", "started_at", "ended_at", "outcome", "output", "error"};
    allow(*given, keys);
    for (const std::string& needed : keys)
        if (!given->contains(needed)) throw HttpError(400, "\"" + key + "\" has no \"" + needed + "\"");
    auto inner = std::make_unique<Impl>();
    inner->json = *given;
    const Body log(std::move(inner));
    constexpr std::size_t longest = 4 << 20;
    storage::AttemptRecord record;
    record.trial = trial;
    record.attempt = static_cast<int>(*log.whole("attempt", 1, 1000000));
    record.worker = *log.text("worker", 200);
    record.started_at = *log.number("started_at");
    record.ended_at = *log.number("ended_at");
    record.outcome = *log.text("outcome", 10000);
    record.output = *log.text("output", longest);
    record.error = *log.text("error", longest);
    return record;
}

}  // namespace summand::server
