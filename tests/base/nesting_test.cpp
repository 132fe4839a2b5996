// SPDX-License-Identifier: Apache-2.0
#include "summand/base/nesting.hpp"

#include "summand/base/error.hpp"

#include <gtest/gtest.h>

namespace summand {
namespace {

TEST(Nesting, CountsWhatIsOpenOutsideOfStrings) {
    EXPECT_EQ(nesting_of(""), 0);
    EXPECT_EQ(nesting_of("[1, {\"a\": [2]}, []]"), 3);
    EXPECT_EQ(nesting_of(R"({"[[[[": "\"[[[[\\", "b": [1]})"), 2);
    EXPECT_EQ(nesting_of("]]]["), 0);
}

TEST(Nesting, WhatWouldEndTheProgramIsRefused) {
    EXPECT_NO_THROW(check_nesting(std::string(64, '['), "here"));
    EXPECT_THROW(check_nesting(std::string(65, '['), "here"), InvalidArgument);
}

}  // namespace
}  // namespace summand
