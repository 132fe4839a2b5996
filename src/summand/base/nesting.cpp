// SPDX-License-Identifier: Apache-2.0
#include "summand/base/nesting.hpp"

#include "summand/base/error.hpp"

#include <algorithm>

namespace summand {

int nesting_of(std::string_view json) {
    int open = 0, most = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (in_string && c == '\\')
            ++i;
        else if (c == '"')
            in_string = !in_string;
        else if (!in_string && (c == '[' || c == '{'))
            most = std::max(most, ++open);
        else if (!in_string && (c == ']' || c == '}'))
            --open;
    }
    return most;
}

void check_nesting(std::string_view json, const std::string& where) {
    if (nesting_of(json) > deepest_nesting)
        throw InvalidArgument(where + ": the JSON is nested deeper than " + std::to_string(deepest_nesting) +
                              " levels; nothing that is read here has more than a few");
}

}  // namespace summand
