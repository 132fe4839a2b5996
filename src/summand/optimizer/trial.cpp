// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/optimizer.hpp"

namespace summand {
namespace {

[[noreturn]] void throw_wrong_type(std::string_view name, const char* wanted, const Value& value) {
    throw InvalidArgument("Trial: parameter \"" + std::string(name) + "\" is not " + wanted + "; its value is " +
                          to_text(value));
}

}  // namespace

const Value& Trial::value(std::string_view name) const {
    const auto j = space ? space->find(name) : std::nullopt;
    if (j) return values[*j];
    const auto near = space ? nearest_name(name, space->names()) : std::nullopt;
    throw InvalidArgument("Trial: there is no parameter \"" + std::string(name) + "\"" +
                          (near ? "; did you mean \"" + *near + "\"?" : "; use a name from the search space"));
}

double Trial::real(std::string_view name) const {
    const Value& found = value(name);
    if (const auto* number = std::get_if<double>(&found)) return *number;
    if (const auto* whole = std::get_if<std::int64_t>(&found)) return static_cast<double>(*whole);
    throw_wrong_type(name, "a number", found);
}

std::int64_t Trial::integer(std::string_view name) const {
    const Value& found = value(name);
    if (const auto* whole = std::get_if<std::int64_t>(&found)) return *whole;
    throw_wrong_type(name, "an integer", found);
}

const std::string& Trial::choice(std::string_view name) const {
    const Value& found = value(name);
    if (const auto* word = std::get_if<std::string>(&found)) return *word;
    throw_wrong_type(name, "a choice", found);
}

}  // namespace summand
