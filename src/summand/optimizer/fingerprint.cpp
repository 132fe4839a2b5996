// SPDX-License-Identifier: Apache-2.0
#include "summand/optimizer/fingerprint.hpp"

#include <bit>

namespace summand::optimizer {

void Fingerprint::add(std::uint64_t bits) {
    hash_ = (hash_ ^ bits) * 0x9E3779B97F4A7C15ULL;
    hash_ ^= hash_ >> 32;  // a product carries upwards only
}

void Fingerprint::add(double value) {
    add(std::bit_cast<std::uint64_t>(value));
}

void Fingerprint::add(std::string_view text) {
    add(static_cast<std::uint64_t>(text.size()));
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
}

void Fingerprint::add(const Value& value) {
    add(static_cast<std::uint64_t>(value.index()));
    if (const auto* number = std::get_if<double>(&value)) add(*number);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) add(static_cast<std::uint64_t>(*whole));
    if (const auto* word = std::get_if<std::string>(&value)) add(std::string_view(*word));
}

namespace {

void add_point(Fingerprint& fingerprint, const Point& point) {
    for (const Value& value : point) fingerprint.add(value);
}

// The reason of a failure is for people: it decides nothing.
void add_outcome(Fingerprint& fingerprint, const Outcome& outcome) {
    fingerprint.add(static_cast<std::uint64_t>(outcome.index()));
    if (const auto* value = std::get_if<double>(&outcome)) fingerprint.add(*value);
}

}  // namespace

void Fingerprint::add(const Event& event) {
    add(static_cast<std::uint64_t>(event.index()));
    std::visit([&](const auto& e) { add(static_cast<std::uint64_t>(e.id)); }, event);
    if (const auto* asked = std::get_if<Asked>(&event)) {
        add_point(*this, asked->values);
        add(static_cast<std::uint64_t>(asked->ask));
    } else if (const auto* told = std::get_if<Told>(&event)) {
        add_outcome(*this, told->outcome);
    } else if (const auto* added = std::get_if<Added>(&event)) {
        add_point(*this, added->values);
        add_outcome(*this, added->outcome);
    }
}

std::uint64_t fingerprint(const SearchSpace& space, const Options& options) {
    Fingerprint result;
    for (const Parameter& parameter : space.parameters()) {
        result.add(std::string_view(name_of(parameter)));
        result.add(std::string_view(type_name(parameter)));
        if (const auto* real = std::get_if<Real>(&parameter)) {
            result.add(real->low);
            result.add(real->high);
            result.add(static_cast<std::uint64_t>(real->scale));
        } else if (const auto* integer = std::get_if<Integer>(&parameter)) {
            result.add(static_cast<std::uint64_t>(integer->low));
            result.add(static_cast<std::uint64_t>(integer->high));
            result.add(static_cast<std::uint64_t>(integer->scale));
        } else if (const auto* choice = std::get_if<Choice>(&parameter)) {
            for (const std::string& word : choice->values) result.add(std::string_view(word));
        } else if (const auto* levels = std::get_if<Levels>(&parameter)) {
            for (const double value : levels->values) result.add(value);
            result.add(static_cast<std::uint64_t>(levels->scale));
        }
    }
    Options decisive = options;
    decisive.threads.reset();
    result.add(std::string_view(options_to_json(decisive)));
    return result.value();
}

}  // namespace summand::optimizer
