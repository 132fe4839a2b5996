// SPDX-License-Identifier: Apache-2.0
#include "summand/report/collect.hpp"

#include "summand/base/error.hpp"
#include "summand/report/parameter_axis.hpp"
#include "summand/study/json.hpp"
#include "summand/study/study.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace summand::report {
namespace {

using Json = nlohmann::ordered_json;
using List = std::vector<std::pair<std::string, std::string>>;

std::string plain(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

// The entries of a JSON object, those of inner objects as outer.inner; null ones are left out.
void flatten(const Json& object, const std::string& prefix, List& list) {
    for (const auto& [name, value] : object.items()) {
        if (value.is_object())
            flatten(value, prefix + name + ".", list);
        else if (!value.is_null())
            list.emplace_back(prefix + name, plain(value));
    }
}

List entries(const std::string& json) {
    List list;
    flatten(Json::parse(json), "", list);
    return list;
}

std::string tail(const std::string& text, std::size_t bytes) {
    if (text.size() <= bytes) return text;
    std::size_t from = text.size() - bytes;
    while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0) == 0x80)
        ++from;  // not inside a letter
    return "… " + text.substr(from);
}

// Standard error says why a program failed, standard output what it found.
std::string log_of(const Study& study, std::int64_t trial, std::size_t bytes) {
    const std::vector<storage::AttemptRecord> attempts = study.attempts(trial);
    if (attempts.empty()) return {};
    const storage::AttemptRecord& last = attempts.back();
    std::string text = tail(last.output, bytes / 2);
    if (!last.error.empty()) text += (text.empty() ? "" : "\n") + tail(last.error, bytes - bytes / 2);
    return text;
}

// Logs of the latest failures first, then those of the best trials.
void add_logs(const Study& study, const CollectOptions& options, ReportData& data) {
    std::vector<std::int64_t> ids;
    for (auto trial = data.trials.rbegin(); trial != data.trials.rend(); ++trial)
        if (trial->state == TrialState::failed && ids.size() < options.most_logs / 2) ids.push_back(trial->id);
    for (const Trial* trial : best_first(data))
        if (ids.size() < options.most_logs && !trial->added) ids.push_back(trial->id);
    for (const std::int64_t id : ids)
        if (std::string log = log_of(study, id, options.log_bytes); !log.empty()) data.logs[id] = std::move(log);
}

// The axes of the slices of a group (see collect.hpp).
std::vector<std::vector<std::string>> axes_of(const std::vector<std::string>& group) {
    if (group.size() <= 2) return {group};
    if (group.size() == 3) return {{group[0], group[1]}, {group[0], group[2]}, {group[1], group[2]}};
    std::vector<std::vector<std::string>> axes;
    for (const std::string& name : group) axes.push_back({name});
    return axes;
}

void add_model(const Study& study, const CollectOptions& options, ReportData& data) {
    try {
        const Optimizer optimizer = study.optimizer();
        data.structure = optimizer.structure();
        data.recommended = optimizer.recommended();
        std::size_t left_out = 0;
        ModelView view = optimizer.explain(
            [&](const ModelView& model) {
                SlicePlan plan = plan_slices(model.groups, data.space.names(), model.importance, options);
                left_out = plan.left_out;
                return plan.axes;
            },
            options.resolution, options.most_points);
        data.importance = std::move(view.importance);
        data.slices = std::move(view.slices);
        if (left_out > 0)
            data.notes.push_back(std::to_string(left_out) +
                                 " slices of less important groups are left out to keep the page small.");
    } catch (const Error& error) {
        data.notes.push_back(std::string("The model could not be rebuilt, so the report lacks what it would tell: ") +
                             error.what());
    }
}

}  // namespace

SlicePlan plan_slices(std::vector<std::vector<std::string>> groups, const std::vector<std::string>& names,
                      const std::vector<Importance>& importance, const CollectOptions& options) {
    std::map<std::string, double> share;
    for (std::size_t j = 0; j < std::min(names.size(), importance.size()); ++j) share[names[j]] = importance[j].share;
    const auto most_of = [&](const std::vector<std::string>& group) {
        double most = 0;
        for (const std::string& name : group) most = std::max(most, share[name]);
        return most;
    };
    std::stable_sort(groups.begin(), groups.end(),
                     [&](const auto& a, const auto& b) { return most_of(a) > most_of(b); });
    SlicePlan plan;
    std::size_t curves = 0, maps = 0;
    for (const auto& group : groups)
        for (auto& axes : axes_of(group)) {
            std::size_t& count = axes.size() == 1 ? curves : maps;
            if (count >= (axes.size() == 1 ? options.most_curves : options.most_maps))
                ++plan.left_out;
            else
                ++count, plan.axes.push_back(std::move(axes));
        }
    return plan;
}

ReportData collect(const Study& study, const CollectOptions& options) {
    ReportData data{.name = study.name(), .space = study.space()};
    data.options = study.options();
    data.trials = study.trials();
    for (const storage::AskRecord& ask : study.asks()) data.asks.push_back({ask.ask, ask.seconds, ask.count});
    data.budget = study.settings().budget;
    data.target = study.settings().target;
    data.optimum = options.optimum ? options.optimum : study.settings().optimum;
    data.created_at = study.created_at();
    data.made_at = options.now;
    data.option_list = entries(options_to_json(study.options()));
    data.setting_list = entries(study::settings_to_json(study.settings()));
    if (!study.database().empty()) data.setting_list.emplace_back("database", study.database());
    data.version = SUMMAND_VERSION;
    data.source = options.source.empty() ? study.database() : options.source;
    add_logs(study, options, data);
    add_model(study, options, data);
    return data;
}

}  // namespace summand::report
