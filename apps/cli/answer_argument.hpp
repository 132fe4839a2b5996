// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/study/study.hpp"

#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
}

namespace summand::cli {

/// ID VALUE | ID --failed REASON, and what else there is to an answer: for `tell` and `correct`.
struct AnswerArgument {
    std::int64_t id = 0;
    std::string value = {};
    std::string failed = {};
    std::vector<std::string> also = {};  ///< NAME=VALUE
    std::string key = {};

    Outcome outcome(const std::string& command) const;
    TellRequest request() const;
};

void add_answer_argument(CLI::App& command, AnswerArgument& answer);

/// "NAME=VALUE" as its two parts; throws InvalidArgument without a name.
std::pair<std::string, std::string> assignment(const std::string& text);

}  // namespace summand::cli
