// SPDX-License-Identifier: Apache-2.0
#include "module.hpp"

#include "convert.hpp"
#include "summand/optimizer/optimizer.hpp"
#include "summand/space/encoding.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace summand::python {
namespace {

/// The one table from the engine's errors to Python's (python/summand/errors.py).
const char* python_class(const Error& error) {
    if (dynamic_cast<const SpaceExhausted*>(&error) != nullptr) return "SpaceExhausted";
    if (dynamic_cast<const InvalidArgument*>(&error) != nullptr) return "InvalidArgument";
    if (dynamic_cast<const NumericalError*>(&error) != nullptr) return "NumericalError";
    if (dynamic_cast<const StorageError*>(&error) != nullptr) return "StorageError";
    if (dynamic_cast<const ExecutorError*>(&error) != nullptr) return "ExecutorError";
    return "Error";
}

void translate(const std::exception_ptr& thrown, void* /*payload*/) {
    try {
        std::rethrow_exception(thrown);
    } catch (const Error& error) {
        const nb::object type = nb::module_::import_("summand.errors").attr(python_class(error));
        PyErr_SetString(type.ptr(), error.what());
    } catch (const std::bad_cast&) {
        // The package checks its arguments; what it overlooks is still the caller's mistake, not a crash.
        const nb::object type = nb::module_::import_("summand.errors").attr("InvalidArgument");
        PyErr_SetString(type.ptr(),
                        "an argument has a type that cannot be used here; see the function's documentation");
    }
}

void bind_space(nb::module_& module) {
    nb::class_<Space>(module, "Space")
        .def("__init__",
             [](Space* self, const nb::list& descriptions) {
                 std::vector<Parameter> parameters;
                 for (const nb::handle& each : descriptions)
                     parameters.push_back(parameter_from(nb::cast<nb::tuple>(each)));
                 new (self) Space(std::move(parameters));
             })
        .def("parameters",
             [](const Space& self) {
                 nb::list descriptions;
                 for (const Parameter& each : self.space.parameters()) descriptions.append(describe(each));
                 return descriptions;
             })
        .def("checked",
             [](const Space& self, const nb::dict& point) {
                 return to_python(self, self.space.checked(point_from(self, point)));
             })
        .def("__eq__", [](const Space& self, const Space& other) { return self.space == other.space; });
    module.def("unordered", [](const Space& space) { return Encoding(space.space).unordered_columns(); });
    module.def("encode", [](const Space& space, const nb::list& points) {
        const Encoding encoding(space.space);
        Matrix rows(static_cast<Index>(points.size()), encoding.dimension());
        for (Index i = 0; i < rows.rows(); ++i)
            rows.row(i) = encoding.encode(
                space.space.checked(point_from(space, nb::cast<nb::dict>(points[static_cast<std::size_t>(i)]))));
        return to_numpy(std::move(rows));
    });
}

}  // namespace
}  // namespace summand::python

NB_MODULE(_core, module) {
    using namespace summand::python;
    nb::register_exception_translator(translate, nullptr);
    bind_space(module);
    bind_options(module);
    bind_optimizer(module);
    bind_structure(module);
    bind_study(module);
}
