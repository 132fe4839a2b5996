#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# headers_test.sh SOURCE CXXFLAGS...: every header of src/summand compiles alone.
set -euo pipefail
source=$1; shift
cd "$source/src"
find summand -name '*.hpp' | sort |
    xargs -P "$(nproc)" -I{} sh -c 'echo "#include \"$0\"" | g++ -std=c++20 -fsyntax-only -Wall -Werror -I. "$@" -x c++ - || { echo "$0 does not compile alone"; exit 1; }' {} "$@"
