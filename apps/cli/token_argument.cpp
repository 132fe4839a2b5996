// SPDX-License-Identifier: Apache-2.0
#include "token_argument.hpp"

#include "summand/base/error.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace summand::cli {

std::string token_from(const std::string& file, const char* variable) {
    constexpr std::size_t shortest = 16;
    std::string token;
    if (!file.empty()) {
        std::ifstream stream(file);
        std::getline(stream, token);
        if (!stream) throw InvalidArgument("the token file " + file + " cannot be read, or is empty");
        using std::filesystem::perms;
        const perms all = std::filesystem::status(file).permissions();
        if ((all & (perms::group_read | perms::others_read)) != perms::none)
            throw InvalidArgument("the token file " + file + " can be read by others; chmod 600 " + file);
    } else if (const char* given = std::getenv(variable)) {
        token = given;
    }
    while (!token.empty() && (token.back() == '\r' || token.back() == ' ')) token.pop_back();
    if (!token.empty() && token.size() < shortest)
        throw InvalidArgument("the token has " + std::to_string(token.size()) +
                              " characters; at least 16 are needed: head -c 24 /dev/urandom | base64");
    return token;
}

}  // namespace summand::cli
