// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "summand/storage/storage.hpp"

namespace summand::storage {

/// Studies that live as long as the process: for programs that embed the library, and for tests.
std::unique_ptr<Storage> open_memory();

}  // namespace summand::storage
