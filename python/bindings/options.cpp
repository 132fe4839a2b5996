// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/options.hpp"

#include "module.hpp"

#include <set>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

// What the optimiser's options are, from the engine that reads them: there is no second list of them.
namespace summand::python {
namespace nb = nanobind;
void bind_options(nb::module_& module) {
    using namespace nb::literals;
    module.def("option_keys", &option_keys, "The names of the optimiser's options, in order.");
    module.def(
        "check_options", [](const std::string& json) { options_from_json(json); }, "json"_a);
    module.def("describe_options", [] {
        nb::list all;
        std::set<std::string> seen;  // an option of two strategies is of the same type in both
        for (const OptionDescription& option : summand::describe_options()) {
            const char* kind = option.type == "integer" ? "int" : option.type == "real" ? "float" : option.type.c_str();
            if (seen.insert(option.name).second) all.append(nb::make_tuple(option.name, kind, option.words));
        }
        return all;
    });
}

}  // namespace summand::python
