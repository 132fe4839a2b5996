// SPDX-License-Identifier: Apache-2.0
#include "summand/executor/executor.hpp"

#include <cstring>

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

std::string shortened(const std::string& text, std::size_t limit) {
    if (text.size() <= limit) return text;
    const std::size_t half = limit / 2;
    return text.substr(0, half) + "\n[" + std::to_string(text.size() - 2 * half) + " bytes left out]\n" +
           text.substr(text.size() - half);
}

}  // namespace summand::executor
