// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/executor.hpp"

#include <cstring>
#include <regex>

namespace summand::executor {

std::string describe(const Finished& finished) {
    switch (finished.ending) {
        case Ending::exited:
            return "exit status " + std::to_string(finished.code);
        case Ending::signalled:
            return "signal " + std::to_string(finished.code) + " (" + strsignal(finished.code) + ")";
        case Ending::time_limit:
            return "time limit";
        case Ending::stopped:
            return "stopped";
        case Ending::scheduler:
            return finished.cause;
    }
    return "";
}

std::string left_out(std::uint64_t bytes) {
    return "\n[" + std::to_string(bytes) + " bytes left out]\n";
}

std::string end_of(const std::string& text, std::size_t limit) {
    if (text.size() <= limit) return text;
    const std::string end = text.substr(text.size() - limit);
    const std::size_t line = end.find('\n') + 1;  // 0: there is none
    return end.substr(line <= limit / 4 ? line : 0);
}

std::string shortened(const std::string& text, std::size_t limit) {
    if (text.size() <= limit) return text;
    const std::size_t half = limit / 2;
    const std::string middle = text.substr(half, text.size() - 2 * half);
    std::uint64_t missing = middle.size();
    std::smatch line;
    if (std::regex_search(middle, line, std::regex("\n\\[([0-9]{1,18}) bytes left out\\]\n")))
        missing += std::stoull(line[1].str()) - static_cast<std::uint64_t>(line.length());
    return text.substr(0, half) + left_out(missing) + text.substr(text.size() - half);
}

}  // namespace summand::executor
