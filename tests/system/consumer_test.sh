#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# consumer_test.sh BUILD SOURCE: installs BUILD into an empty folder; tests/consumer finds the library there with CMake,
# and again with pkg-config, builds and runs. Every installed public header compiles alone.
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
