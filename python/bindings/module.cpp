// SPDX-License-Identifier: Apache-2.0
#include "module.hpp"

#include "convert.hpp"
#include "summand/optimizer/optimizer.hpp"

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
}

}  // namespace
}  // namespace summand::python

NB_MODULE(_core, module) {
    using namespace summand::python;
    nb::register_exception_translator(translate, nullptr);
    bind_space(module);
    bind_optimizer(module);
    bind_structure(module);
    bind_study(module);
}
