// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/storage/records.hpp"

#include <string>

namespace summand::storage {

inline StudyRecord study_named(const std::string& name) {
    StudyRecord study;
    study.name = name;
    return study;
}

/// What the error says; empty if there is none of this kind.
template <class Error, class Body>
std::string message_of(Body body) {
    try {
        body();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace summand::storage
