#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# test_arm.sh [TESTS]: compiles the library and its fast tests for 64-bit ARM with Debian's cross compiler and runs those whose names fit
# the regular expression TESTS (default: all that are labelled fast) in an emulator. The ARM libraries lie in build/arm-root.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh
install_packages g++-aarch64-linux-gnu qemu-user-static debootstrap

root=$PWD/build/arm-root
libraries=libeigen3-dev,libboost1.81-dev,libcli11-dev,libtomlplusplus-dev,nlohmann-json3-dev,libsqlite3-dev,libbox2d-dev,libgtest-dev,libstdc++-12-dev,libc6-dev,libbenchmark-dev
if [ ! -e "$root/complete" ]; then
    say "Getting the libraries for ARM"
    sudo=""; [ "$(id -u)" -eq 0 ] || sudo=sudo
    rm -rf "$root"; mkdir -p build
    # The first stage only unpacks; nothing of it is ever run as a system.
    $sudo debootstrap --foreign --arch=arm64 --variant=minbase --include="$libraries" bookworm "$root" >build/arm-root.log 2>&1 ||
        { tail -5 build/arm-root.log >&2; fail "debootstrap could not get the ARM packages (build/arm-root.log)"; }
    for package in "$root"/var/cache/apt/archives/*.deb; do $sudo dpkg-deb -x "$package" "$root"; done
    $sudo touch "$root/complete"
fi

say "Building for ARM, into build/arm"
SUMMAND_ARM_ROOT=$root cmake -S . -B build/arm -G Ninja -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/aarch64.cmake" -DCMAKE_BUILD_TYPE=Release \
    -DSUMMAND_WITH_SERVER=OFF -DSUMMAND_WITH_POSTGRES=OFF -DSUMMAND_BENCHMARKS=OFF -DSUMMAND_WERROR=ON >build/arm-configure.log 2>&1 ||
    { tail -20 build/arm-configure.log >&2; fail "CMake could not configure build/arm"; }
cmake --build build/arm --target fast_tests summand_cli
say "Running the fast tests in an emulator"
ctest --test-dir build/arm --output-on-failure --parallel "$(nproc)" --label-regex fast ${1:+--tests-regex "$1"}
