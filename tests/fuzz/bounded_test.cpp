// SPDX-License-Identifier: Apache-2.0
// The fuzz targets for a few seconds: every input of the corpus, and inputs made from it by a fixed seed.
#include "fuzz/targets.hpp"
#include "summand/base/random.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace summand::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::vector<Bytes> corpus_of(const std::string& target) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(SUMMAND_FUZZ_CORPUS) / target))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::vector<Bytes> inputs;
    for (const auto& file : files) {
        std::ostringstream text;
        text << std::ifstream(file, std::ios::binary).rdbuf();
        const std::string bytes = text.str();
        inputs.emplace_back(bytes.begin(), bytes.end());
    }
    return inputs;
}

Bytes noise(std::int64_t size, Rng& rng) {
    Bytes bytes(static_cast<std::size_t>(size));
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(rng.below(256));
    return bytes;
}

/// A few bytes changed, taken out or put in.
Bytes changed(Bytes bytes, Rng& rng) {
    for (std::int64_t edits = 1 + rng.below(4); edits > 0 && !bytes.empty(); --edits) {
        const auto place = bytes.begin() + rng.below(static_cast<std::int64_t>(bytes.size()));
        const auto byte = static_cast<std::uint8_t>(rng.below(256));
        if (rng.coin(0.5))
            *place = byte;
        else if (rng.coin(0.5))
            bytes.erase(place);
        else
            bytes.insert(place, byte);
    }
    return bytes;
}

std::string hex(const Bytes& bytes) {
    std::ostringstream text;
    for (const auto byte : bytes) text << "\\x" << std::hex << static_cast<int>(byte);
    return text.str();
}

/// More than the few seconds' worth, by hand: SUMMAND_FUZZ_COUNT=100000 SUMMAND_FUZZ_SEED=7 test_fuzz --gtest_filter=...
std::int64_t from_environment(const char* name, std::int64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::atoll(text);
}

void expect_kept(const NamedTarget& target, const Bytes& input) {
    try {
        target.run(input.data(), input.size());
    } catch (const std::exception& error) {
        ADD_FAILURE() << error.what() << "\ninput: " << hex(input);
    }
}

class Bounded : public testing::TestWithParam<NamedTarget> {};
INSTANTIATE_TEST_SUITE_P(Targets, Bounded, testing::ValuesIn(targets()),
                         [](const auto& target) { return target.param.name; });

TEST_P(Bounded, KeepsItsPromisesOnTheCorpusAndOnInputsLikeIt) {
    const NamedTarget& target = GetParam();
    const std::int64_t count = from_environment("SUMMAND_FUZZ_COUNT", target.computes ? 40 : 200);
    const std::vector<Bytes> corpus = corpus_of(target.name);
    ASSERT_FALSE(corpus.empty());
    for (const Bytes& input : corpus) expect_kept(target, input);
    const Rng root = Rng::from_seed(static_cast<std::uint64_t>(from_environment("SUMMAND_FUZZ_SEED", 20)));
    for (std::int64_t i = 0; i < count; ++i) {
        Rng rng = root.stream("input", {i});
        const auto& one = corpus[static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(corpus.size())))];
        expect_kept(target, rng.coin() ? changed(one, rng) : noise(1 + rng.below(200), rng));
    }
}

}  // namespace
}  // namespace summand::fuzz
