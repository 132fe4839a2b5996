// SPDX-License-Identifier: Apache-2.0
// One program for each target, driven by libFuzzer: fuzz_TARGET CORPUS_FOLDER -max_total_time=60 (docs/robustness.md).
#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    summand::fuzz::SUMMAND_FUZZ_TARGET(data, size);
    return 0;
}
