// SPDX-License-Identifier: Apache-2.0
#include "answer_argument.hpp"

#include "summand/base/error.hpp"
#include "summand/study/quantities.hpp"

#include <CLI/CLI.hpp>

namespace summand::cli {

std::pair<std::string, std::string> assignment(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw InvalidArgument("\"" + text + "\" is not of the form NAME=VALUE");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

Outcome AnswerArgument::outcome(const std::string& command) const {
    if (value.empty() == failed.empty()) throw InvalidArgument(command + ": give either a value or --failed REASON");
    if (!failed.empty()) return Failed{failed};
    if (const auto number = study::parse_number(value)) return *number;
    throw InvalidArgument(command + ": the value is \"" + value + "\"; a number is needed (or --failed REASON)");
}

TellRequest AnswerArgument::request() const {
    TellRequest request;
    request.key = key;
    for (const std::string& text : also) {
        const auto [name, given] = assignment(text);
        const auto number = study::parse_number(given);
        if (!number) throw InvalidArgument("--also " + text + ": \"" + given + "\" is not a number");
        request.also.emplace_back(name, *number);
    }
    return request;
}

void add_answer_argument(CLI::App& command, AnswerArgument& answer) {
    command.add_option("ID", answer.id, "The trial")->required();
    command.add_option("VALUE", answer.value, "Its value");
    command.add_option("--failed", answer.failed, "Why it has none")->type_name("REASON");
    command.add_option("--also", answer.also, "A further value to keep and show: accuracy=0.93 (may be repeated)")
        ->allow_extra_args(false)
        ->type_name("NAME=VALUE");
    command.add_option("--key", answer.key,
                       "A key for this request: repeated, it changes nothing; a key belongs to one request");
}

}  // namespace summand::cli
