// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/base/matrix.hpp"
#include "summand/optimizer/history.hpp"
#include "summand/optimizer/optimizer.hpp"
#include "summand/space/search_space.hpp"

#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

// Between Python's values and the engine's: points are dicts, arrays are NumPy's.
namespace summand::python {
namespace nb = nanobind;

using MatrixView = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
using VectorView = nb::ndarray<const double, nb::ndim<1>, nb::device::cpu>;
using OutcomeArgument = std::optional<double>;  ///< None: failed

/// A search space and its names as Python strings, made once: building a dict then allocates no text.
struct Space {
    explicit Space(std::vector<Parameter> parameters);
    explicit Space(SearchSpace of);
    SearchSpace space;
    std::vector<nb::object> names;
};

/// One parameter from the tuple ("real", name, low, high, scale), ("integer", ...), ("choice", name, values) or
/// ("levels", name, values, scale), and back.
Parameter parameter_from(const nb::tuple& description);
nb::tuple describe(const Parameter& parameter);

nb::object to_python(const Value& value);
nb::dict to_python(const Space& space, const Point& point);
nb::tuple to_python(const Space& space, const Recommended& recommended);
/// Throws InvalidArgument for missing and unknown names, with the nearest known one, and values of foreign types.
Point point_from(const Space& space, const nb::dict& values);

/// As Python writes it, cut short: for sentences about what is not allowed.
std::string shown(const nb::handle& object);

Outcome outcome_from(const OutcomeArgument& value, const std::string& reason);

Matrix matrix_from(const MatrixView& array);  ///< one copy, into the engine's order by columns
Vector vector_from(const VectorView& array);
/// Arrays that own the engine's memory: nothing is copied.
nb::object to_numpy(Matrix matrix);
nb::object to_numpy(Vector vector);

}  // namespace summand::python
