// SPDX-License-Identifier: Apache-2.0
#include "summand/base/error.hpp"
#include "summand/optimizer/options.hpp"
#include "summand/space/search_space.hpp"

#include <algorithm>

namespace summand {

// The words, in the order of the enumerators.
template <>
std::vector<std::string> words_of<Goal>() {
    return {"maximize", "minimize"};
}
template <>
std::vector<std::string> words_of<Preset>() {
    return {"default", "paper-sequential", "paper-batch"};
}
template <>
std::vector<std::string> words_of<InitialDesign>() {
    return {"auto", "uniform", "sobol", "latin-hypercube", "structure-finding"};
}
template <>
std::vector<std::string> words_of<LearnerName>() {
    return {"gibbs", "known", "none", "full", "best-of-visited", "best-of-five"};
}
template <>
std::vector<std::string> words_of<AcquisitionName>() {
    return {"ucb", "ei", "pi", "mes", "thompson"};
}
template <>
std::vector<std::string> words_of<BatchName>() {
    return {"rand", "ucb-pe", "ucb-dpp", "ucb-pe-fnc", "ucb-dpp-fnc", "thompson"};
}
template <>
std::vector<std::string> words_of<KernelName>() {
    return {"squared-exponential", "matern52"};
}
template <>
std::vector<std::string> words_of<HyperparameterSource>() {
    return {"given", "learned"};
}

namespace {

template <class Enum>
std::string word(Enum value) {
    return words_of<Enum>()[static_cast<std::size_t>(value)];
}

std::string list(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + ("\"" + words[i] + "\"");
    return text;
}

}  // namespace

std::string to_string(Goal value) {
    return word(value);
}
std::string to_string(Preset value) {
    return word(value);
}
std::string to_string(InitialDesign value) {
    return word(value);
}
std::string to_string(LearnerName value) {
    return word(value);
}
std::string to_string(AcquisitionName value) {
    return word(value);
}
std::string to_string(BatchName value) {
    return word(value);
}
std::string to_string(KernelName value) {
    return word(value);
}
std::string to_string(HyperparameterSource value) {
    return word(value);
}

template <class Enum>
Enum from_string(std::string_view given, std::string_view what) {
    const std::vector<std::string> words = words_of<Enum>();
    const auto found = std::find(words.begin(), words.end(), given);
    if (found != words.end()) return static_cast<Enum>(found - words.begin());
    const auto near = nearest_name(given, words);
    throw InvalidArgument(std::string(what) + ": \"" + std::string(given) + "\" is not known; use " + list(words) +
                          (near ? " (did you mean \"" + *near + "\"?)" : ""));
}

template Goal from_string(std::string_view, std::string_view);
template Preset from_string(std::string_view, std::string_view);
template InitialDesign from_string(std::string_view, std::string_view);
template LearnerName from_string(std::string_view, std::string_view);
template AcquisitionName from_string(std::string_view, std::string_view);
template BatchName from_string(std::string_view, std::string_view);
template KernelName from_string(std::string_view, std::string_view);
template HyperparameterSource from_string(std::string_view, std::string_view);

}  // namespace summand
