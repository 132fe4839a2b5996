// SPDX-License-Identifier: Apache-2.0
#include "learned.hpp"

#include "errors.hpp"
#include "steady_seconds.hpp"
#include "summand/report/collect.hpp"
#include "summand/study/json_text.hpp"
#include "summand/study/view_json.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace summand::server {

using Json = nlohmann::ordered_json;
using study::dumped;

namespace {

constexpr std::size_t most_kept = 64;
constexpr double share_of_time = 0.1;

Json value_json(const Value& value) {
    return std::visit([](const auto& known) { return Json(known); }, value);
}

/// Seven significant digits: nobody sees more in a picture, and a study of 20 parameters has 50,000 such numbers.
Json rounded(const std::vector<double>& values) {
    Json list = Json::array();
    for (const double value : values) {
        char text[32];
        std::snprintf(text, sizeof text, "%.7g", value);
        list.push_back(std::strtod(text, nullptr));
    }
    return list;
}

Json slice_json(const GroupSlice& slice) {
    Json axes = Json::array();
    for (const std::vector<Value>& axis : slice.axes) {
        Json values = Json::array();
        for (const Value& value : axis) values.push_back(value_json(value));
        axes.push_back(std::move(values));
    }
    return {{"group", slice.group},        {"parameters", slice.parameters},  {"axes", axes},
            {"mean", rounded(slice.mean)}, {"stddev", rounded(slice.stddev)}, {"additive", slice.additive}};
}

/// A JSON object with the sequence number, and a note if there is one.
std::string finished(Json json, std::int64_t sequence, const std::string& note) {
    json["sequence"] = sequence;
    if (!note.empty()) json["note"] = note;
    return dumped(json);
}

struct Model {
    StructureView structure = {};
    ModelView view = {};
    std::optional<Recommended> recommended = {};
    std::string note = {};
};

Model rebuilt(const Study& study, const std::stop_token& stop) {
    Model model;
    model.structure.names = study.space().names();
    report::CollectOptions plan_options;
    std::size_t left_out = 0;
    try {
        const Optimizer optimizer = study.optimizer(stop);
        model.structure = optimizer.structure();
        model.recommended = optimizer.recommended();
        model.view = optimizer.explain(
            [&](const ModelView& view) {
                report::SlicePlan plan =
                    report::plan_slices(view.groups, study.space().names(), view.importance, plan_options);
                left_out = plan.left_out;
                return plan.axes;
            },
            plan_options.resolution, plan_options.most_points);
    } catch (const Interrupted&) {
        throw;
    } catch (const Error& error) {
        model.note = std::string("The model could not be rebuilt: ") + error.what();
    }
    if (left_out > 0) model.note = std::to_string(left_out) + " slices of less important groups are left out.";
    if (model.note.empty() && model.view.importance.empty())
        model.note = "There is no model yet: it comes with the first suggestions after the initial points.";
    return model;
}

}  // namespace

Learned::Learned(Shelf& shelf, Pool& pool) : shelf_(shelf), lane_(pool) {}

std::shared_ptr<const Lesson> Learned::fresh(const StudyHandle& study) {
    std::int64_t sequence = 0;
    shelf_.with_progress(study->record, [&](const Progress& progress) { sequence = progress.sequence(); });
    const std::lock_guard guard(mutex_);
    const auto found = lessons_.find(study->record.id);
    if (found == lessons_.end()) return nullptr;
    const Lesson& lesson = *found->second;
    const bool recent = steady_seconds() < lesson.made_at + lesson.seconds / share_of_time;
    return lesson.sequence == sequence || recent ? found->second : nullptr;
}

void Learned::make(const StudyHandle& study) {
    auto lesson = std::make_shared<Lesson>();
    const double begin = steady_seconds();
    shelf_.with_progress(study->record, [&](const Progress& progress) { lesson->sequence = progress.sequence(); });
    const Study own = shelf_.open(study->record.name);  // reads of others need not wait
    const Model model = rebuilt(own, stop_.get_token());
    Json slices = Json::array();
    for (const GroupSlice& slice : model.view.slices) slices.push_back(slice_json(slice));
    const std::vector<std::string> names = own.space().names();
    lesson->structure = finished(Json::parse(study::structure_to_json(model.structure)), lesson->sequence, model.note);
    lesson->slices = finished({{"slices", slices}}, lesson->sequence, model.note);
    Json importance = {
        {"names", Json::array()}, {"importance", Json::array()}, {"low", Json::array()}, {"high", Json::array()}};
    for (std::size_t j = 0; j < model.view.importance.size(); ++j) {
        const Importance& of = model.view.importance[j];
        importance["names"].push_back(names[j]);
        importance["importance"].push_back(of.share);
        importance["low"].push_back(of.low);
        importance["high"].push_back(of.high);
    }
    lesson->importance = finished(std::move(importance), lesson->sequence, model.note);
    const Json recommended =
        model.recommended
            ? Json::parse(study::recommended_to_json(own.space(), study->settings.literals, *model.recommended))
            : Json(nullptr);
    lesson->recommended = finished({{"recommended", recommended}}, lesson->sequence, model.note);
    lesson->made_at = steady_seconds();
    lesson->seconds = lesson->made_at - begin;
    const std::lock_guard guard(mutex_);
    if (lessons_.size() >= most_kept) lessons_.erase(lessons_.begin());
    lessons_[study->record.id] = std::move(lesson);
}

void Learned::reply_with(const StudyHandle& study, std::string Lesson::*part, Reply reply) {
    if (const auto known = fresh(study)) return reply({.body = (*known).*part});
    lane_.run([this, study, part, reply = std::move(reply)] {
        try {
            auto known = fresh(study);  // whoever waited before us may have had it made
            if (!known) make(study), known = fresh(study);
            if (!known) throw HttpError(503, "the study moves on faster than it can be read; try again");
            reply({.body = (*known).*part});
        } catch (...) {
            reply(error_response(std::current_exception()));
        }
    });
}

}  // namespace summand::server
