// SPDX-License-Identifier: Apache-2.0
#pragma once
// The names a user needs.
#include "summand/base/error.hpp"
#include "summand/optimizer/optimizer.hpp"
#include "summand/optimizer/regret.hpp"
#include "summand/space/search_space.hpp"
