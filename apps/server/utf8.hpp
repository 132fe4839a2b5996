// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace summand::server {

/// Whether the bytes are UTF-8 in its shortest form, without surrogates.
inline bool is_utf8(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    for (std::size_t i = 0; i < text.size();) {
        const unsigned first = byte(i);
        const std::size_t length = first < 0x80         ? 1
                                   : (first >> 5) == 6  ? 2
                                   : (first >> 4) == 14 ? 3
                                   : (first >> 3) == 30 ? 4
                                                        : 0;
        if (length == 0 || i + length > text.size()) return false;
        unsigned point = length == 1 ? first : first & (0x7FU >> length);
        for (std::size_t k = 1; k < length; ++k) {
            if ((byte(i + k) & 0xC0U) != 0x80U) return false;
            point = (point << 6U) | (byte(i + k) & 0x3FU);
        }
        constexpr unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
        if (point < least[length] || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return false;
        i += length;
    }
    return true;
}

}  // namespace summand::server
