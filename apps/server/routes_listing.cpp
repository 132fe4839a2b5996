// SPDX-License-Identifier: Apache-2.0
#include "api.hpp"
#include "errors.hpp"
#include "query.hpp"
#include "summand/study/trial_filter.hpp"
#include "views.hpp"

#include <algorithm>

// What reads trials.
namespace summand::server {

namespace {

study::TrialQuery query_of(const Target& target) {
    study::TrialQuery query;
    for (const std::string& list : target.values("state"))
        for (std::size_t begin = 0; begin <= list.size();) {
            const std::size_t end = std::min(list.find(',', begin), list.size());
            query.states.push_back(trial_state_from(list.substr(begin, end - begin), "\"state\""));
            begin = end + 1;
        }
    query.conditions = target.values("where");
    query.sort = target.value("sort").value_or("id");
    query.descending = word_in(target, "descending", {"false", "true"}) == "true";
    return query;
}

std::string list_trials(Api& api, const Call& call) {
    const bool columns = word_in(call.target, "form", {"rows", "columns"}) == "columns";
    const auto offset = static_cast<std::size_t>(whole_in(call.target, "offset", 0, 1'000'000'000).value_or(0));
    const auto limit = whole_in(call.target, "limit", 1, 100'000);
    const auto digits = whole_in(call.target, "digits", 2, 17);
    const study::TrialQuery query = query_of(call.target);
    const StudyHandle study = api.shelf().find(call.study());
    std::vector<Trial> trials = study::select_trials(study->reading.space(), study->reading.trials(), query);
    const std::size_t total = trials.size();
    const std::size_t most = limit ? static_cast<std::size_t>(*limit) : columns ? total : 100;
    const std::size_t begin = std::min(offset, total), end = std::min(total, begin + most);
    trials = {std::make_move_iterator(trials.begin() + static_cast<std::ptrdiff_t>(begin)),
              std::make_move_iterator(trials.begin() + static_cast<std::ptrdiff_t>(end))};
    std::string page;
    if (columns) {
        page = "\"columns\":" +
               columns_json(*study, trials, digits ? std::optional(static_cast<int>(*digits)) : std::nullopt);
    } else {
        std::vector<std::string> texts;
        for (const Trial& trial : trials) texts.push_back(trial_json(*study, trial));
        page = "\"trials\":" + list_json(texts);
    }
    return "{\"total\":" + std::to_string(total) + ",\"offset\":" + std::to_string(offset) + "," + page + "}";
}

std::string show_trial(Api& api, const Call& call) {
    const StudyHandle study = api.shelf().find(call.study());
    const auto trial = study->reading.trial(call.trial());
    if (!trial)
        throw NotFound("there is no trial " + std::to_string(call.trial()) + " in study \"" + study->record.name +
                       "\"");
    return trial_detail_json(*study, *trial);
}

std::string best(Api& api, const Call& call) {
    const StudyHandle study = api.shelf().find(call.study());
    const auto found = study->reading.best();
    return "{\"best\":" + (found ? trial_detail_json(*study, *found) : "null") + "}";
}

std::string progress(Api& api, const Call& call) {
    const auto digits = whole_in(call.target, "digits", 2, 17).value_or(6);
    return progress_json(api.shelf(), api.shelf().find(call.study())->record, static_cast<int>(digits));
}

std::string failures(Api& api, const Call& call) {
    return failures_json(api.shelf().find(call.study())->reading.trials());
}

}  // namespace

std::vector<Route> listing_routes() {
    return {{"GET", {"studies", "{study}", "trials"}, at_once(list_trials)},
            {"GET", {"studies", "{study}", "trials", "{trial}"}, at_once(show_trial)},
            {"GET", {"studies", "{study}", "best"}, at_once(best)},
            {"GET", {"studies", "{study}", "progress"}, at_once(progress)},
            {"GET", {"studies", "{study}", "failures"}, at_once(failures)}};
}

}  // namespace summand::server
