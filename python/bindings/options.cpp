// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/options.hpp"

#include "module.hpp"
#include "summand/base/error.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

// What the optimiser's options are, from the engine that reads them: there is no second list of them.
namespace summand::python {
namespace nb = nanobind;
namespace {

/// The engine's complaint about an option's value; empty if there is none. Each option belongs to some preset.
std::string complaint(const std::string& key, const std::string& json) {
    std::string text;
    for (const std::string& preset : words_of<Preset>()) {
        try {
            options_from_json((key == "preset" ? "{" : "{\"preset\": \"" + preset + "\", ") + "\"" + key +
                              "\": " + json + "}");
            return {};
        } catch (const InvalidArgument& error) {
            text = error.what();
            if (text.find("does not belong to") == std::string::npos) return text;
        }
    }
    return text;
}

bool mentions(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

/// The words between quotes after "use".
std::vector<std::string> listed_words(const std::string& text) {
    std::vector<std::string> words;
    const std::size_t end = text.find(" (did you mean");
    std::size_t at = text.find("use \"");
    while (at != std::string::npos && (at = text.find('"', at)) < end) {
        const std::size_t close = text.find('"', at + 1);
        words.push_back(text.substr(at + 1, close - at - 1));
        at = close + 1;
    }
    return words;
}

/// "int", "float", "groups", "word" or "any", and the words if there are some: as the engine tells them when it is given
/// an object in the option's place.
nb::tuple described(const std::string& key) {
    const std::string text = complaint(key, "{}");
    std::vector<std::string> words = listed_words(complaint(key, "\"?\""));
    const char* kind = !words.empty()                      ? "word"
                       : mentions(text, "a whole number")  ? "int"
                       : mentions(text, "a list of lists") ? "groups"
                       : mentions(text, "a number")        ? "float"
                                                           : "any";
    return nb::make_tuple(key, kind, words);
}

}  // namespace

void bind_options(nb::module_& module) {
    using namespace nb::literals;
    module.def("option_keys", &option_keys, "The names of the optimiser's options, in order.");
    module.def(
        "check_options", [](const std::string& json) { options_from_json(json); }, "json"_a);
    module.def("describe_options", [] {
        nb::list all;
        for (const std::string& key : option_keys()) all.append(described(key));
        return all;
    });
}

}  // namespace summand::python
