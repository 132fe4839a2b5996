// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

// summand._core: the engine's classes with plain arguments and results. python/summand wraps them in the documented API.
namespace summand::python {

void bind_options(nanobind::module_& module);
void bind_optimizer(nanobind::module_& module);
void bind_structure(nanobind::module_& module);
void bind_study(nanobind::module_& module);

}  // namespace summand::python
