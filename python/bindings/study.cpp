// SPDX-License-Identifier: Apache-2.0
#include "summand/study/study.hpp"

#include "insight.hpp"
#include "interruptible.hpp"
#include "module.hpp"
#include "summand/base/error.hpp"
#include "summand/report/collect.hpp"
#include "summand/report/page.hpp"
#include "summand/storage/open_storage.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace summand::python {
namespace {

struct PythonStudy {
    explicit PythonStudy(Study opened) : study(std::move(opened)), space(study.space()) {}
    Study study;
    Space space;
};

/// Runs without the GIL: the storage may wait for another process.
template <class Work>
auto quietly(Work&& work) {
    const nb::gil_scoped_release no_gil;
    return work();
}

nb::tuple to_python(const Space& space, const Trial& trial) {
    return nb::make_tuple(trial.id, summand::python::to_python(space, trial.values), to_string(trial.state),
                          trial.value, trial.reason, trial.added);
}

nb::list to_python(const Space& space, const std::vector<Trial>& trials) {
    nb::list result;
    for (const Trial& trial : trials) result.append(to_python(space, trial));
    return result;
}

/// A server that cannot be reached is a warning; Ctrl-C ends the waiting.
void warn(const std::string& sentence) {
    const nb::gil_scoped_acquire guard;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!sentence.empty()) nb::module_::import_("warnings").attr("warn")(sentence);
}

PythonStudy open_study(const std::string& path, const std::string& name) {
    return PythonStudy(quietly([&] { return Study::open_path(path, name, warn); }));
}

/// The settings of a study that exists already; otherwise the defaults.
StudySettings stored_settings(const std::string& database, const std::string& name) {
    const bool server = storage::is_postgres(database);
    if (server || (!database.empty() && std::filesystem::exists(database))) {
        try {
            return Study::open(database, name, warn).settings();
        } catch (const InvalidArgument&) {
            // Another study's database: ours is about to be made.
        } catch (const StorageError&) {
            if (!server) throw;  // a server without our tables: they are about to be made
        }
    }
    return {.directory = std::filesystem::current_path()};
}

template <class T>
void set_if_given(const nb::dict& settings, const char* key, T& field) {
    if (settings.contains(key)) field = nb::cast<T>(settings[key]);
}

/// The study of this name, made if need be. Settings that are not given stay as they are.
PythonStudy open_or_create(const std::string& database, const std::string& name, const Space& space,
                           const std::string& options, const nb::dict& settings) {
    StudyDefinition definition{.name = name, .space = space.space, .options = options_from_json(options)};
    definition.database = database;
    definition.settings = quietly([&] { return stored_settings(database, name); });
    set_if_given(settings, "literals", definition.settings.literals);
    set_if_given(settings, "command", definition.settings.command);
    set_if_given(settings, "budget", definition.settings.budget);
    set_if_given(settings, "optimum", definition.settings.optimum);
    set_if_given(settings, "workers", definition.settings.workers);
    set_if_given(settings, "asynchronous", definition.settings.asynchronous);
    set_if_given(settings, "retries", definition.settings.retries);
    set_if_given(settings, "time_limit_seconds", definition.settings.time_limit_seconds);
    set_if_given(settings, "lease_seconds", definition.settings.lease_seconds);
    return PythonStudy(quietly(
        [&] { return database.empty() ? Study::in_memory(definition) : Study::open_or_create(definition, warn); }));
}

nb::list ask(PythonStudy& self, int count, const std::string& worker, const std::optional<double>& lease_seconds,
             const std::string& key) {
    return to_python(self.space, interruptible([&](const std::stop_token& stop) {
                         return self.study.ask({count, worker, lease_seconds, key, stop});
                     }));
}

const char* tell(PythonStudy& self, std::int64_t id, const OutcomeArgument& value, const std::string& reason,
                 const std::string& worker, const std::string& key) {
    const TellResult result =
        quietly([&] { return self.study.tell(id, outcome_from(value, reason), {.worker = worker, .key = key}); });
    if (result == TellResult::accepted) return "accepted";
    return result == TellResult::repeated ? "repeated" : "kept-as-late";
}

std::vector<std::int64_t> add(PythonStudy& self, const nb::list& points, const std::vector<OutcomeArgument>& values,
                              const std::string& key) {
    if (points.size() != values.size())
        throw InvalidArgument("add: " + std::to_string(points.size()) + " points and " + std::to_string(values.size()) +
                              " values were given; there must be as many of each");
    std::vector<Evaluation> data;
    for (std::size_t i = 0; i < values.size(); ++i)
        data.push_back({point_from(self.space, nb::cast<nb::dict>(points[i])), outcome_from(values[i], "")});
    return quietly([&] { return self.study.add(data, key).ids; });
}

std::vector<std::int64_t> enqueue(PythonStudy& self, const nb::list& points, const std::string& key) {
    std::vector<Point> converted;
    for (const nb::handle& each : points) converted.push_back(point_from(self.space, nb::cast<nb::dict>(each)));
    return quietly([&] { return self.study.enqueue(converted, key); });
}

std::string report_page(PythonStudy& self, double now) {
    return interruptible(
        [&](const std::stop_token&) { return report::render_page(report::collect(self.study, {.now = now})); });
}

nb::object best(PythonStudy& self) {
    const std::optional<Trial> found = quietly([&] { return self.study.best(); });
    return found ? nb::object(to_python(self.space, *found)) : nb::none();
}

nb::object recommended(PythonStudy& self) {
    const std::optional<Recommended> found = quietly([&] { return self.study.recommended(); });
    return found ? nb::object(to_python(self.space, *found)) : nb::none();
}

nb::dict counts(PythonStudy& self) {
    const storage::Counts counted = quietly([&] { return self.study.counts(); });
    nb::dict result;
    result["running"] = counted.running;
    result["waiting"] = counted.waiting;
    result["lost"] = counted.lost;
    result["completed"] = counted.completed;
    result["failed"] = counted.failed;
    result["abandoned"] = counted.abandoned;
    result["added"] = counted.added;
    return result;
}

nb::tuple optimizer_state(PythonStudy& self) {
    std::string snapshot;
    const std::vector<Event> events = interruptible([&](const std::stop_token& stop) {
        const Optimizer optimizer = self.study.optimizer(stop);
        snapshot = optimizer.snapshot();
        return optimizer.history();
    });
    nb::list history;
    for (const Event& event : events) history.append(to_python(self.space, event));
    return nb::make_tuple(history, snapshot);
}

}  // namespace

void bind_study(nb::module_& module) {
    using namespace nb::literals;
    module.def("this_worker", &this_worker);
    module.def("open_study", &open_study, "path"_a, "name"_a);
    module.def("open_or_create_study", &open_or_create, "database"_a, "name"_a, "space"_a, "options"_a, "settings"_a);
    nb::class_<PythonStudy>(module, "Study")
        .def("name", [](const PythonStudy& self) { return self.study.name(); })
        .def("space", [](const PythonStudy& self) { return Space(self.study.space()); })
        .def("options", [](const PythonStudy& self) { return options_to_json(self.study.options()); })
        .def("budget", [](const PythonStudy& self) { return self.study.settings().budget; })
        .def("database", [](const PythonStudy& self) { return self.study.database(); })
        .def("ask", &ask, "count"_a, "worker"_a, "lease_seconds"_a.none(), "key"_a)
        .def("tell", &tell, "id"_a, "value"_a.none(), "reason"_a, "worker"_a, "key"_a)
        .def("add", &add, "points"_a, "values"_a, "key"_a)
        .def("enqueue", &enqueue, "points"_a, "key"_a)
        .def("report", &report_page, "now"_a)
        .def("literals", [](const PythonStudy& self) { return self.study.settings().literals; })
        .def("structure",
             [](PythonStudy& self) {
                 return summand::python::to_python(
                     interruptible([&](const std::stop_token&) { return self.study.structure(); }));
             })
        .def("accept_new_strategy", [](PythonStudy& self) { quietly([&] { self.study.accept_new_strategy(); }); })
        .def(
            "abandon", [](PythonStudy& self, std::int64_t id) { quietly([&] { self.study.abandon(id); }); }, "id"_a)
        .def(
            "renew",
            [](PythonStudy& self, const std::string& worker, double lease_seconds) {
                quietly([&] { self.study.renew(worker, lease_seconds); });
            },
            "worker"_a, "lease_seconds"_a)
        .def("release",
             [](PythonStudy& self, const std::string& worker) { quietly([&] { self.study.release(worker); }); })
        .def("trials",
             [](PythonStudy& self) { return to_python(self.space, quietly([&] { return self.study.trials(); })); })
        .def("best", &best)
        .def("recommended", &recommended)
        .def("counts", &counts)
        .def("optimizer_state", &optimizer_state);
}

}  // namespace summand::python
