// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/optimizer.hpp"

#include "insight.hpp"
#include "interruptible.hpp"
#include "module.hpp"

#include <mutex>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace summand::python {
namespace {

using Shares = std::vector<std::tuple<double, double, double>>;  // share, low, high
Shares shares(const std::vector<Importance>& importance) {
    Shares found;
    for (const Importance& one : importance) found.emplace_back(one.share, one.low, one.high);
    return found;
}

/// An optimiser that several Python threads may use: the engine's is for one thread at a time, and the GIL is not held
/// while it works.
struct SharedOptimizer {
    SharedOptimizer(const Space& space_given, const std::string& options, const nb::list& history,
                    const std::string& snapshot)
        : space(space_given.space), optimizer(make(space, options, history, snapshot)) {}

    static Optimizer make(const Space& space, const std::string& options, const nb::list& history,
                          const std::string& snapshot) {
        std::vector<Event> events;
        for (const nb::handle& each : history) events.push_back(event_from(space, each));
        return interruptible([&](const std::stop_token& stop) {
            return Optimizer(space.space, options_from_json(options), events, snapshot, stop);
        });
    }

    /// Calls work(optimizer) without the GIL, one caller at a time.
    template <class Work>
    auto with(Work&& work) {
        const nb::gil_scoped_release no_gil;
        const std::lock_guard lock(mutex);
        return work(optimizer);
    }

    Space space;
    Optimizer optimizer;
    std::mutex mutex = {};
};

nb::list trials_to_python(const Space& space, const std::vector<Trial>& trials) {
    nb::list result;
    for (const Trial& trial : trials) result.append(nb::make_tuple(trial.id, to_python(space, trial.values)));
    return result;
}

nb::list ask(SharedOptimizer& self, const std::optional<int>& count) {
    const std::vector<Trial> trials = interruptible([&](const std::stop_token& stop) {
        const std::lock_guard lock(self.mutex);
        return count ? self.optimizer.ask(*count, stop) : self.optimizer.ask(stop);
    });
    return trials_to_python(self.space, trials);
}

void tell(SharedOptimizer& self, std::int64_t id, const OutcomeArgument& value, const std::string& reason) {
    const Outcome outcome = outcome_from(value, reason);
    self.with([&](Optimizer& optimizer) { optimizer.tell(id, outcome); });
}

std::vector<std::int64_t> add(SharedOptimizer& self, const nb::list& points, const std::vector<OutcomeArgument>& values,
                              const std::string& reason) {
    std::vector<Point> converted;
    converted.reserve(points.size());
    for (const nb::handle& each : points) {
        converted.push_back(point_from(self.space, nb::cast<nb::dict>(each)));
        const std::string problem = self.space.space.problem_with_point(converted.back());
        if (!problem.empty()) throw InvalidArgument(problem);  // before anything has changed
    }
    if (converted.size() != values.size())
        throw InvalidArgument("add: " + std::to_string(converted.size()) + " points and " +
                              std::to_string(values.size()) + " values were given; there must be as many of each");
    return self.with([&](Optimizer& optimizer) {
        std::vector<std::int64_t> ids;
        ids.reserve(converted.size());
        for (std::size_t i = 0; i < converted.size(); ++i)
            ids.push_back(optimizer.add(std::move(converted[i]), outcome_from(values[i], reason)));
        return ids;
    });
}

nb::object best(SharedOptimizer& self) {
    const std::optional<Best> found = self.with([](Optimizer& optimizer) { return optimizer.best(); });
    if (!found) return nb::none();
    return nb::make_tuple(found->id, to_python(self.space, found->values), found->value);
}

nb::object recommended(SharedOptimizer& self) {
    const std::optional<Recommended> found = self.with([](Optimizer& optimizer) { return optimizer.recommended(); });
    return found ? nb::object(to_python(self.space, *found)) : nb::none();
}

nb::list history(SharedOptimizer& self) {
    const std::vector<Event> events = self.with([](Optimizer& optimizer) { return optimizer.history(); });
    nb::list result;
    for (const Event& event : events) result.append(to_python(self.space, event));
    return result;
}

nb::list group_slices(SharedOptimizer& self, int resolution) {
    const auto slices = interruptible([&](const std::stop_token&) {
        const std::lock_guard lock(self.mutex);
        return self.optimizer.group_slices(resolution);
    });
    nb::list result;
    for (const GroupSlice& slice : slices) result.append(to_python(slice));
    return result;
}

}  // namespace

void bind_optimizer(nb::module_& module) {
    using namespace nb::literals;
    nb::class_<SharedOptimizer>(module, "Optimizer")
        .def(nb::init<const Space&, const std::string&, const nb::list&, const std::string&>(), "space"_a, "options"_a,
             "history"_a = nb::list(), "snapshot"_a = "")
        .def("ask", &ask, "count"_a.none() = nb::none())
        .def("tell", &tell, "id"_a, "value"_a.none(), "reason"_a = "")
        .def("add", &add, "points"_a, "values"_a, "reason"_a = "")
        .def(
            "abandon", [](SharedOptimizer& self, std::int64_t id) { self.with([&](Optimizer& o) { o.abandon(id); }); },
            "id"_a)
        .def(
            "reopen", [](SharedOptimizer& self, std::int64_t id) { self.with([&](Optimizer& o) { o.reopen(id); }); },
            "id"_a)
        .def(
            "add_pending",
            [](SharedOptimizer& self, const nb::dict& values) {
                const Point point = point_from(self.space, values);
                return self.with([&](Optimizer& o) { return o.add_pending(point); });
            },
            "point"_a)
        .def("best", &best)
        .def("recommended", &recommended)
        .def("pending",
             [](SharedOptimizer& self) {
                 return trials_to_python(self.space, self.with([](Optimizer& o) { return o.pending(); }));
             })
        .def("evaluation_count",
             [](SharedOptimizer& self) { return self.with([](Optimizer& o) { return o.evaluation_count(); }); })
        .def("failure_count",
             [](SharedOptimizer& self) { return self.with([](Optimizer& o) { return o.failure_count(); }); })
        .def("history", &history)
        .def("snapshot", [](SharedOptimizer& self) { return self.with([](Optimizer& o) { return o.snapshot(); }); })
        .def("options",
             [](SharedOptimizer& self) { return self.with([](Optimizer& o) { return options_to_json(o.options()); }); })
        .def("structure",
             [](SharedOptimizer& self) { return to_python(self.with([](Optimizer& o) { return o.structure(); })); })
        .def("importance",
             [](SharedOptimizer& self) { return self.with([](Optimizer& o) { return shares(o.importance()); }); })
        .def(
            "slice",
            [](SharedOptimizer& self, const std::vector<std::string>& parameters, int resolution) {
                return to_python(self.with([&](Optimizer& o) { return o.slice(parameters, resolution); }));
            },
            "parameters"_a, "resolution"_a = 50)
        .def("group_slices", &group_slices, "resolution"_a = 50);
}

}  // namespace summand::python
