// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>

#include <unistd.h>

namespace summand::executor {

/// Owns a file descriptor.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() { reset(); }

    int get() const { return number_; }
    bool open() const { return number_ >= 0; }
    void reset() {
        if (number_ >= 0) close(std::exchange(number_, -1));
    }

  private:
    int number_ = -1;
};

}  // namespace summand::executor
