#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# consumer_test.sh BUILD SOURCE: installs BUILD into an empty folder; tests/consumer finds the library there with CMake,
# and again with pkg-config, builds and runs; so does the project of docs/start/cpp.md. Every installed header compiles alone, with nothing but the standard library.
set -euo pipefail
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log" || { cat "$work/install.log"; exit 1; }

echo "find_package"
cmake -S "$source/tests/consumer" -B "$work/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
cmake --build "$work/cmake" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
"$work/cmake/consumer"

echo "pkg-config"
pc=$(dirname "$(find "$work/prefix" -name summand.pc)")
PKG_CONFIG_PATH="$pc" bash -c 'g++ "$1/tests/consumer/main.cpp" $(pkg-config --cflags --libs summand) -o "$2/consumer"' _ "$source" "$work"
"$work/consumer"

echo "docs/start/cpp.md"
snippet() { awk -v kind="$1" '$0 == "```" kind { inside = 1; next } /^```/ { inside = 0 } inside' "$source/docs/start/cpp.md"; }
mkdir "$work/page"
snippet cmake >"$work/page/CMakeLists.txt"
snippet cpp >"$work/page/tune.cpp"
cmake -S "$work/page" -B "$work/page/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }
cmake --build "$work/page/build" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
(cd "$work/page" && build/tune && build/tune | grep "trial") || exit 1  # the second time it goes on

echo "headers"
cd "$work/prefix/include"
find summand -name '*.hpp' | sort |
    xargs -P "$(nproc)" -I{} sh -c 'echo "#include <$0>" | g++ -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I. -x c++ - || { echo "$0 does not compile alone"; exit 1; }' {}
