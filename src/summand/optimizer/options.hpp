// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// CONTRACT DRAFT: owner of optimizer/ refines. Kept free of heavy headers.
namespace summand {

enum class Goal { maximize, minimize };

struct Options {
    Goal goal = Goal::minimize;
    int batch_size = 1;               ///< points per ask()
    std::uint64_t seed = 0;           ///< same seed, same history: same asks
    std::optional<int> threads = {};  ///< empty = all cores; never changes a result
    std::optional<int> budget = {};   ///< evaluations planned in all, if known: sizes the initial design
    std::string preset = "default";   ///< default | paper-sequential | paper-batch
};

}  // namespace summand
