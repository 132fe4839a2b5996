// SPDX-License-Identifier: Apache-2.0
#include "convert.hpp"

#include "summand/base/error.hpp"

#include <memory>
#include <utility>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace summand::python {
namespace {

std::vector<nb::object> python_names(const SearchSpace& space) {
    std::vector<nb::object> names;
    for (const std::string& name : space.names()) names.push_back(nb::cast(name));
    return names;
}

Scale scale_from(const std::string& word) {
    if (word == "linear") return Scale::linear;
    if (word == "log") return Scale::log;
    throw InvalidArgument("SearchSpace: scale is \"" + word + "\"; it must be \"linear\" or \"log\"");
}

const char* word_of(Scale scale) {
    return scale == Scale::log ? "log" : "linear";
}

/// A str as it is; what UTF-8 or a C string cannot hold as Python writes it, which is nothing that the engine knows.
std::string text_from(const nb::handle& text) {
    std::string found;
    if (nb::try_cast(text, found) && found.find('\0') == std::string::npos) return found;
    return nb::cast<std::string>(nb::steal(PyObject_ASCII(text.ptr())));
}

/// A number of any kind that Python or NumPy has, or a word.
Value value_from(const nb::handle& object, const Parameter& parameter) {
    PyObject* const raw = object.ptr();
    if (PyFloat_Check(raw)) return PyFloat_AsDouble(raw);
    if (PyUnicode_Check(raw)) return text_from(object);
    if (const nb::object whole = nb::steal(PyIndex_Check(raw) ? PyNumber_Index(raw) : nullptr); whole.is_valid()) {
        const long long number = PyLong_AsLongLong(whole.ptr());
        if (PyErr_Occurred() == nullptr) return static_cast<std::int64_t>(number);
        PyErr_Clear();
        throw InvalidArgument("parameter \"" + name_of(parameter) +
                              "\": the whole number is beyond 64 bits; give a smaller one");
    }
    PyErr_Clear();  // arrays and tensors of one element have __index__, and refuse it unless they hold a whole number
    const double number = PyFloat_AsDouble(raw);
    if (PyErr_Occurred() == nullptr) return number;
    PyErr_Clear();
    throw InvalidArgument(
        "parameter \"" + name_of(parameter) + "\" was given " + shown(object) + "; allowed is " +
        (std::holds_alternative<Choice>(parameter) ? "one of its words, each a str" : "a number in its range"));
}

void refuse_unknown_names(const Space& space, const nb::dict& values) {
    for (const auto& [key, value] : values) {
        const std::string name = text_from(nb::str(key));
        if (space.space.find(name)) continue;
        const auto nearest = nearest_name(name, space.space.names());
        throw InvalidArgument("the search space has no parameter \"" + name + "\"" +
                              (nearest ? "; did you mean \"" + *nearest + "\"?" : "; leave it out"));
    }
}

}  // namespace

Space::Space(std::vector<Parameter> parameters) : space(std::move(parameters)), names(python_names(space)) {}
Space::Space(SearchSpace of) : space(std::move(of)), names(python_names(space)) {}

Parameter parameter_from(const nb::tuple& description) {
    const auto type = nb::cast<std::string>(description[0]);
    auto name = nb::cast<std::string>(description[1]);
    if (type == "real")
        return Real{std::move(name), nb::cast<double>(description[2]), nb::cast<double>(description[3]),
                    scale_from(nb::cast<std::string>(description[4]))};
    if (type == "integer")
        return Integer{std::move(name), nb::cast<std::int64_t>(description[2]), nb::cast<std::int64_t>(description[3]),
                       scale_from(nb::cast<std::string>(description[4]))};
    if (type == "choice") return Choice{std::move(name), nb::cast<std::vector<std::string>>(description[2])};
    return Levels{std::move(name), nb::cast<std::vector<double>>(description[2]),
                  scale_from(nb::cast<std::string>(description[3]))};
}

nb::tuple describe(const Parameter& parameter) {
    struct Visitor {
        nb::tuple operator()(const Real& p) const {
            return nb::make_tuple("real", p.name, p.low, p.high, word_of(p.scale));
        }
        nb::tuple operator()(const Integer& p) const {
            return nb::make_tuple("integer", p.name, p.low, p.high, word_of(p.scale));
        }
        nb::tuple operator()(const Choice& p) const { return nb::make_tuple("choice", p.name, p.values); }
        nb::tuple operator()(const Levels& p) const {
            return nb::make_tuple("levels", p.name, p.values, word_of(p.scale));
        }
    };
    return std::visit(Visitor{}, parameter);
}

nb::object to_python(const Value& value) {
    return std::visit([](const auto& held) { return nb::cast(held); }, value);
}

nb::dict to_python(const Space& space, const Point& point) {
    nb::dict values;
    for (std::size_t j = 0; j < point.size(); ++j) values[space.names[j]] = to_python(point[j]);
    return values;
}

nb::tuple to_python(const Space& space, const Recommended& recommended) {
    return nb::make_tuple(recommended.id, to_python(space, recommended.values), recommended.value, recommended.mean,
                          recommended.stddev, recommended.noise_stddev, recommended.noisy, recommended.best_doubted);
}

Point point_from(const Space& space, const nb::dict& values) {
    Point point;
    point.reserve(space.names.size());
    for (std::size_t j = 0; j < space.names.size(); ++j) {
        PyObject* const value = PyDict_GetItemWithError(values.ptr(), space.names[j].ptr());
        if (value == nullptr) {
            refuse_unknown_names(space, values);
            throw InvalidArgument("parameter \"" + name_of(space.space[j]) +
                                  "\" has no value; a point needs one for each parameter");
        }
        point.push_back(value_from(value, space.space[j]));
    }
    if (values.size() != point.size()) refuse_unknown_names(space, values);
    return point;
}

std::string shown(const nb::handle& object) {
    constexpr std::size_t longest = 100;
    const nb::object ascii = nb::steal(PyObject_ASCII(object.ptr()));
    if (!ascii.is_valid()) PyErr_Clear();
    const auto text = nb::cast<std::string>(ascii.is_valid() ? ascii : object.type().attr("__name__"));
    return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

Outcome outcome_from(const OutcomeArgument& value, const std::string& reason) {
    if (value) return *value;
    return Failed{reason};
}

Matrix matrix_from(const MatrixView& array) {
    Matrix matrix(static_cast<Index>(array.shape(0)), static_cast<Index>(array.shape(1)));
    for (Index j = 0; j < matrix.cols(); ++j)
        for (Index i = 0; i < matrix.rows(); ++i)
            matrix(i, j) = array(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    return matrix;
}

Vector vector_from(const VectorView& array) {
    Vector vector(static_cast<Index>(array.shape(0)));
    for (Index i = 0; i < vector.size(); ++i) vector(i) = array(static_cast<std::size_t>(i));
    return vector;
}

nb::object to_numpy(Matrix matrix) {
    auto held = std::make_unique<Matrix>(std::move(matrix));
    Matrix* const data = held.get();
    const nb::capsule owner(held.release(), [](void* p) noexcept { delete static_cast<Matrix*>(p); });
    const auto rows = static_cast<std::size_t>(data->rows()), columns = static_cast<std::size_t>(data->cols());
    return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<2>>(data->data(), {rows, columns}, owner,
                                                                {1, static_cast<std::int64_t>(rows)}));
}

nb::object to_numpy(Vector vector) {
    auto held = std::make_unique<Vector>(std::move(vector));
    Vector* const data = held.get();
    const nb::capsule owner(held.release(), [](void* p) noexcept { delete static_cast<Vector*>(p); });
    return nb::cast(
        nb::ndarray<nb::numpy, double, nb::ndim<1>>(data->data(), {static_cast<std::size_t>(data->size())}, owner));
}

}  // namespace summand::python
