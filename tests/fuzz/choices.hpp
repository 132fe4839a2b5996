// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

namespace summand::fuzz {

/// A promise of the library that must hold whatever it is given.
inline void require(bool holds, const char* promise) {
    if (!holds) throw std::logic_error(std::string("broken promise: ") + promise);
}

/// Decisions read from bytes, so that a fuzzer that changes bytes changes decisions. After the last byte all are 0.
class Choices {
  public:
    Choices(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

    bool empty() const { return left_ == 0; }
    std::uint8_t byte() {
        if (left_ == 0) return 0;
        --left_;
        return *data_++;
    }
    int below(int count) { return byte() % count; }
    bool coin() { return byte() % 2 == 1; }
    double unit() { return (byte() * 256.0 + byte()) / 65535.0; }  ///< in [0, 1]
    double any() {  ///< any eight bytes as a number: also NaN and infinity
        std::uint64_t bits = 0;
        for (int i = 0; i < 8; ++i) bits = bits << 8 | byte();
        double value = 0.0;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
    /// All that is left.
    std::string rest() {
        std::string text(reinterpret_cast<const char*>(data_), left_);
        left_ = 0;
        return text;
    }

  private:
    const std::uint8_t* data_;
    std::size_t left_;
};

}  // namespace summand::fuzz
