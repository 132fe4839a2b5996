// SPDX-License-Identifier: Apache-2.0
#include "insight.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace summand::python {
namespace {

std::pair<std::optional<double>, std::string> parts(const Outcome& outcome) {
    if (const double* value = std::get_if<double>(&outcome)) return {*value, ""};
    return {std::nullopt, std::get<Failed>(outcome).reason};
}

Outcome outcome_at(const nb::tuple& event, std::size_t position) {
    return outcome_from(nb::cast<std::optional<double>>(event[position]), nb::cast<std::string>(event[position + 1]));
}

/// Throws std::bad_cast unless an event has that many parts: nanobind does not look.
void need(const nb::tuple& event, std::size_t parts) {
    if (event.size() != parts) throw std::bad_cast();
}

Event checked_event(const Space& space, const nb::tuple& event) {
    if (event.size() < 2) throw std::bad_cast();
    const auto kind = nb::cast<std::string>(event[0]);
    const auto id = nb::cast<std::int64_t>(event[1]);
    need(event, kind == "added" ? 5 : kind == "asked" || kind == "told" ? 4 : 2);
    if (kind == "asked")
        return Asked{id, point_from(space, nb::cast<nb::dict>(event[2])), nb::cast<std::int64_t>(event[3])};
    if (kind == "told") return Told{id, outcome_at(event, 2)};
    if (kind == "added") return Added{id, point_from(space, nb::cast<nb::dict>(event[2])), outcome_at(event, 3)};
    if (kind == "abandoned") return Abandoned{id};
    if (kind == "reopened") return Reopened{id};
    throw InvalidArgument("Optimizer: the history holds an event \"" + kind +
                          "\"; the kinds are asked, told, added, abandoned and reopened");
}

}  // namespace

nb::dict to_python(const StructureView& view) {
    nb::list structures, models;
    for (const WeightedStructure& each : view.structures) structures.append(nb::make_tuple(each.groups, each.weight));
    for (const WeightedModel& each : view.models) models.append(nb::make_tuple(each.name, each.weight));
    nb::dict result;
    result["names"] = view.names;
    result["groups"] = view.groups;
    result["found"] = view.found;
    result["sentences"] = in_sentences(view);
    result["pair_probability"] = view.pair_probability;
    result["verdict"] = view.verdict;
    result["log_likelihood"] = view.log_likelihood;
    result["structures"] = structures;
    result["models"] = models;
    return result;
}

nb::dict to_python(const GroupSlice& slice) {
    nb::list axes;
    for (const std::vector<Value>& values : slice.axes) {
        nb::list axis;
        for (const Value& value : values) axis.append(to_python(value));
        axes.append(axis);
    }
    nb::dict result;
    result["group"] = slice.group;
    result["parameters"] = slice.parameters;
    result["axes"] = axes;
    result["mean"] = slice.mean;
    result["stddev"] = slice.stddev;
    result["additive"] = slice.additive;
    return result;
}

nb::tuple to_python(const Space& space, const Event& event) {
    if (const auto* asked = std::get_if<Asked>(&event))
        return nb::make_tuple("asked", asked->id, to_python(space, asked->values), asked->ask);
    if (const auto* told = std::get_if<Told>(&event)) {
        const auto [value, reason] = parts(told->outcome);
        return nb::make_tuple("told", told->id, value, reason);
    }
    if (const auto* added = std::get_if<Added>(&event)) {
        const auto [value, reason] = parts(added->outcome);
        return nb::make_tuple("added", added->id, to_python(space, added->values), value, reason);
    }
    if (const auto* reopened = std::get_if<Reopened>(&event)) return nb::make_tuple("reopened", reopened->id);
    return nb::make_tuple("abandoned", std::get<Abandoned>(event).id);
}

Event event_from(const Space& space, const nb::handle& event) {
    const auto refuse = [&]() -> Event {
        throw InvalidArgument("Optimizer: the history holds " + shown(event) + "; give what Optimizer.history gave");
    };
    if (!nb::isinstance<nb::tuple>(event) && !nb::isinstance<nb::list>(event)) return refuse();
    try {
        return checked_event(space, nb::tuple(event));
    } catch (const std::bad_cast&) {
        return refuse();
    }
}

}  // namespace summand::python
