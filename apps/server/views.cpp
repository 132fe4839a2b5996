// SPDX-License-Identifier: Apache-2.0
#include "views.hpp"

#include "summand/base/error.hpp"
#include "summand/optimizer/options.hpp"
#include "summand/study/json.hpp"
#include "summand/study/json_text.hpp"
#include "summand/study/shell_command.hpp"
#include "summand/study/trial_filter.hpp"
#include "summand/study/view_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

namespace summand::server {

using Json = nlohmann::ordered_json;
using study::dumped;

namespace {

constexpr std::size_t sparkline_points = 40;

template <class T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json counts_json(const storage::Counts& counts) {
    return {{"waiting", counts.waiting},     {"running", counts.running}, {"lost", counts.lost},
            {"completed", counts.completed}, {"failed", counts.failed},   {"abandoned", counts.abandoned},
            {"added", counts.added},         {"issued", counts.issued()}};
}

Json summary(Shelf& shelf, const storage::StudyRecord& record) {
    const auto best = shelf.storage().best(record.id);
    Json json = {{"name", record.name},
                 {"goal", to_string(record.goal)},
                 {"created_at", record.created_at},
                 {"budget", or_null(record.budget)},
                 {"paused", study::settings_from_json(record.settings).paused},
                 {"counts", counts_json(shelf.storage().counts(record.id, shelf.now()))},
                 {"best", best ? Json{{"id", best->id}, {"value", *best->value}} : Json(nullptr)}};
    shelf.with_progress(record, [&](const Progress& progress) {
        json["sparkline"] = progress.sparkline(record.goal, sparkline_points);
        json["last_at"] = or_null(progress.last_at());
        json["sequence"] = progress.sequence();
    });
    return json;
}

/// A number with so many significant digits; all of them if none are given.
class Numbers {
  public:
    explicit Numbers(std::optional<int> digits) : digits_(digits) {}
    std::string operator()(double value) const {
        if (!std::isfinite(value)) return "null";
        if (!digits_) return Json(value).dump();
        char text[40];
        std::snprintf(text, sizeof text, "%.*g", *digits_, value);
        return text;
    }
    std::string operator()(const std::optional<double>& value) const { return value ? (*this)(*value) : "null"; }

  private:
    std::optional<int> digits_;
};

template <class Item, class Text>
std::string array_of(const std::vector<Item>& items, const Text& text) {
    std::string list = "[";
    for (const Item& item : items) {
        if (list.size() > 1) list += ',';
        list += text(item);
    }
    return list + "]";
}

std::string value_text(const Parameter& parameter, const Value& value, const study::Literals& literals,
                       const Numbers& number) {
    if (const auto* real = std::get_if<double>(&value)) return number(*real);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    const auto& word = std::get<std::string>(value);
    const auto bare = literals.find(name_of(parameter));
    const bool literal =
        bare != literals.end() && std::find(bare->second.begin(), bare->second.end(), word) != bare->second.end();
    return literal ? word : quoted_json(word);
}

Json other_answer(const std::optional<double>& value, const std::string& reason, double at) {
    return {{"value", or_null(value)}, {"reason", reason}, {"at", at}};
}

/// With those that nobody set; of a study that this program cannot go on with, what was stored.
Json all_options(const storage::StudyRecord& record) {
    try {
        return Json::parse(options_to_json(options_from_store(record.options).options));
    } catch (const InvalidArgument&) {
        return Json::parse(record.options);
    }
}

}  // namespace

std::string summary_json(Shelf& shelf, const storage::StudyRecord& record) {
    return dumped(summary(shelf, record));
}

std::string study_json(Shelf& shelf, const OpenStudy& study) {
    Json json = summary(shelf, study.record);
    json["parameters"] = Json::parse(study.record.space);
    json["options"] = all_options(study.record);
    json["command"] = study.settings.command;
    json["batch_size"] = study.reading.batch_size();
    json["optimum"] = or_null(study.settings.optimum);
    json["target"] = or_null(study.settings.target);
    json["settings"] = Json::parse(study.record.settings);
    return dumped(json);
}

std::string trial_json(const OpenStudy& study, const Trial& trial) {
    return study::trial_to_json(study.reading.space(), study.settings.literals, trial);
}

std::string trial_detail_json(const OpenStudy& study, const Trial& trial) {
    Json json = Json::parse(trial_json(study, trial));
    json["attempts"] = json["late_answers"] = json["earlier_answers"] = Json::array();
    for (const storage::AttemptRecord& a : study.reading.attempts(trial.id))
        json["attempts"].push_back({{"attempt", a.attempt},
                                    {"worker", a.worker},
                                    {"started_at", a.started_at},
                                    {"ended_at", a.ended_at},
                                    {"outcome", a.outcome},
                                    {"output", a.output},
                                    {"error", a.error}});
    for (const storage::LateAnswer& answer : study.reading.late_answers(trial.id))
        json["late_answers"].push_back(other_answer(answer.value, answer.reason, answer.at));
    for (const EarlierAnswer& answer : study.reading.earlier_answers(trial.id))
        json["earlier_answers"].push_back(other_answer(answer.value, answer.reason, answer.at));
    json["command"] = study.settings.command.empty()
                          ? ""
                          : study::shell_command(study.settings, study.reading.space(),
                                                 {study.record.name, trial.id, trial.attempt, trial.values, "."});
    return dumped(json);
}

std::string progress_json(Shelf& shelf, const storage::StudyRecord& record, int digits) {
    std::string text;
    const Numbers number(digits);
    shelf.with_progress(record, [&](const Progress& progress) {
        using Told = Progress::Told;
        const auto& told = progress.told();
        text = "{\"trials\":" + array_of(told, [](const Told& t) { return std::to_string(t.trial); }) +
               ",\"values\":" + array_of(told, [&](const Told& t) { return number(t.value); }) +
               ",\"ended_at\":" + array_of(told, [&](const Told& t) { return Numbers(9)(t.at - record.created_at); }) +
               ",\"improvements\":" +
               array_of(progress.improvements(record.goal),
                        [&](std::size_t i) {
                            return "{\"index\":" + std::to_string(i) + ",\"trial\":" + std::to_string(told[i].trial) +
                                   ",\"value\":" + number(told[i].value) + "}";
                        }) +
               "}";
    });
    return text;
}

std::string failures_json(const std::vector<Trial>& trials) {
    struct Cause {
        std::vector<std::int64_t> trials = {};
        std::string latest = {};
    };
    std::map<std::string, Cause> causes;
    for (const Trial& trial : trials) {
        if (trial.state != TrialState::failed) continue;
        Cause& cause = causes[trial.reason.substr(0, trial.reason.find(':'))];
        cause.trials.push_back(trial.id);
        cause.latest = trial.reason;
    }
    constexpr std::size_t most = 20;
    std::vector<Json> entries;
    for (auto& [name, cause] : causes) {
        const std::size_t count = cause.trials.size();
        std::vector<std::int64_t> latest(cause.trials.rbegin(),
                                         cause.trials.rbegin() + static_cast<std::ptrdiff_t>(std::min(most, count)));
        entries.push_back({{"cause", name}, {"count", count}, {"trials", latest}, {"latest", cause.latest}});
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Json& a, const Json& b) { return a.at("count") > b.at("count"); });
    return dumped({{"failures", entries}});
}

std::string columns_json(const OpenStudy& study, const std::vector<Trial>& trials, std::optional<int> digits) {
    const Numbers number(digits), seconds(9);
    const SearchSpace& space = study.reading.space();
    const double start = study.record.created_at;
    const auto column = [&](const auto& text) { return array_of(trials, text); };
    std::string parameters, also;
    for (std::size_t j = 0; j < space.size(); ++j)
        parameters += (j == 0 ? "" : ",") + quoted_json(name_of(space[j])) + ":" + column([&](const Trial& t) {
                          return value_text(space[j], t.values[j], study.settings.literals, number);
                      });
    for (const std::string& name : study::further_names(trials))
        also += (also.empty() ? "" : ",") + quoted_json(name) + ":" +
                column([&](const Trial& t) { return number(study::number_of(t.also, name)); });
    return "{\"id\":" + column([](const Trial& t) { return std::to_string(t.id); }) +
           ",\"state\":" + column([](const Trial& t) {
               return std::string{'"', to_string(t.state)[0], '"'};
           }) +
           ",\"value\":" + column([&](const Trial& t) { return number(t.value); }) +
           ",\"started_at\":" + column([&](const Trial& t) { return seconds(t.started_at - start); }) +
           ",\"ended_at\":" +
           column([&](const Trial& t) { return t.ended_at ? seconds(*t.ended_at - start) : std::string("null"); }) +
           ",\"parameters\":{" + parameters + "},\"also\":{" + also + "}}";
}

std::string event_json(const std::string& study, const storage::EventRecord& event) {
    Json json = {{"study", study},
                 {"sequence", event.sequence},
                 {"kind", storage::to_string(event.kind)},
                 {"trial", event.trial},
                 {"at", event.at}};
    if (event.kind == storage::EventKind::told || event.kind == storage::EventKind::added)
        json["value"] = or_null(event.value);
    return dumped(json);
}

std::string quoted_json(const std::string& text) {
    return dumped(Json(text));
}

std::string list_json(const std::vector<std::string>& entries) {
    return array_of(entries, [](const std::string& entry) { return entry; });
}

}  // namespace summand::server
