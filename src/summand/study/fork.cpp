// SPDX-License-Identifier: Apache-2.0
#include "summand/study/fork.hpp"

#include "summand/base/error.hpp"

#include <algorithm>

namespace summand {

namespace {

void refuse_other_questions(const Study& source, const StudyDefinition& definition) {
    const std::string where = "fork: study \"" + definition.name + "\" ";
    if (source.options().goal != definition.options.goal)
        throw InvalidArgument(where + "has the goal " + to_string(definition.options.goal) + " and \"" + source.name() +
                              "\" has " + to_string(source.options().goal) + "; the values would mean the opposite");
    for (const std::string& name : definition.space.names())
        if (!source.space().find(name))
            throw InvalidArgument(where + "has a parameter \"" + name + "\" that \"" + source.name() +
                                  "\" does not have, so its value in those trials is not known");
    for (const std::string& name : source.space().names())
        if (!definition.space.find(name))
            throw InvalidArgument(where + "has no parameter \"" + name + "\", which \"" + source.name() +
                                  "\" has; keep it, since its trials differ in it");
}

/// The values in the order of the new space; empty if it does not allow them.
std::optional<Point> moved(const Point& point, const SearchSpace& from, const SearchSpace& to) {
    Point values;
    for (const std::string& name : to.names()) values.push_back(point[*from.find(name)]);
    if (!to.problem_with_point(values).empty()) return {};
    return to.checked(values);
}

}  // namespace

Forked fork_study(const Study& source, const StudyDefinition& definition) {
    refuse_other_questions(source, definition);
    Forked forked;
    std::vector<Evaluation> data;
    for (const Trial& trial : source.trials()) {
        if (trial.state != TrialState::completed && trial.state != TrialState::failed) continue;
        if (auto point = moved(trial.values, source.space(), definition.space))
            data.push_back({std::move(*point), trial.value ? Outcome(*trial.value) : Failed{trial.reason}, trial.also});
        else
            ++forked.outside;
    }
    Study study = Study::open_or_create(definition);
    // One request, so that a fork that was interrupted after making the study can be repeated.
    const std::string key = "fork of " + source.name();
    if (!study.trials().empty())
        throw InvalidArgument("fork: study \"" + definition.name + "\" in " + study.database() +
                              " has trials already; give the new study another name, and its file another database");
    study.add(data, key);
    forked.taken = static_cast<std::int64_t>(data.size());
    return forked;
}

}  // namespace summand
