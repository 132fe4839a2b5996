// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/executor.hpp"

#include <charconv>
#include <cstring>

namespace summand::executor {

namespace {

// What text that is left out amounts to: its bytes, a line of left_out in it as what that stands for.
std::uint64_t bytes_of(const std::string& text) {
    for (auto line = text.find("\n["); line != text.npos; line = text.find("\n[", line + 1)) {
        std::uint64_t bytes = 0;
        const auto [end, error] = std::from_chars(text.data() + line + 2, text.data() + text.size(), bytes);
        const std::string expected = left_out(bytes);
        if (error == std::errc{} && text.compare(line, expected.size(), expected) == 0)
            return text.size() - expected.size() + bytes;
    }
    return text.size();
}

}  // namespace

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
    return text.substr(0, half) + left_out(bytes_of(middle)) + text.substr(text.size() - half);
}

}  // namespace summand::executor
