#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# headers_test.sh SOURCE CXXFLAGS...: every header of src/summand compiles alone.
set -euo pipefail
source=$1; shift
find "$source/src/summand" -name '*.hpp' | sort | xargs -P "$(nproc)" -I{} g++ -std=c++20 -fsyntax-only -Wall -Werror -Wno-pragma-once-outside-header "-I$source/src" "$@" -x c++ {}
