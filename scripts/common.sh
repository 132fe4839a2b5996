# SPDX-License-Identifier: Apache-2.0
# Shared by quickstart.sh, test.sh and .ci/run: say what is done, fail with a sentence, install and build only when needed.

say() { printf '\033[1m==> %s\033[0m\n' "$*"; }
fail() { printf 'summand: %s\n' "$*" >&2; exit 1; }

# What the build and the tests need on Debian 12; docs/dependencies.md says why each was chosen.
packages="g++ cmake ninja-build pkg-config libeigen3-dev libboost1.81-dev libcli11-dev libtomlplusplus-dev
  nlohmann-json3-dev libsqlite3-dev libssl-dev zlib1g-dev libpq-dev libbox2d-dev libgtest-dev libbenchmark-dev python3-venv python3-dev node-d3"

install_packages() {
    command -v dpkg-query >/dev/null || fail "this script installs Debian packages, and dpkg is not here; install a C++20 compiler, CMake 3.25 and the libraries of docs/dependencies.md by hand, then run: cmake --preset release && cmake --build --preset release"
    local missing="" package
    for package in $packages "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
    done
    [ -z "$missing" ] && return
    say "Installing packages:$missing"
    local root=""
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "packages are missing ($missing), and you are neither root nor is sudo installed; ask an administrator to run: apt-get install$missing"
        root="sudo"
    fi
    local log; log=$(mktemp)
    { $root apt-get update -qq && $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing; } >"$log" 2>&1 ||
        { tail -5 "$log" >&2; fail "apt-get could not install$missing (full log: $log); check the network and the package sources, then run this script again"; }
    rm -f "$log"
}

check_compiler() {
    local version; version=$("${CXX:-g++}" -dumpversion 2>/dev/null) || fail "no C++ compiler found (${CXX:-g++}); install g++ 12 or later"
    case "${CXX:-g++}" in *clang*) return ;; esac
    [ "${version%%.*}" -ge 11 ] || fail "g++ $version is too old for C++20; g++ 11 or later is needed (set CXX to another compiler)"
}

# build PRESET [targets...]
build() {
    local preset=$1; shift
    check_compiler
    say "Building (preset $preset, into build/$preset)"
    if [ ! -f "build/$preset/build.ninja" ] || [ -n "${CMAKE_EXTRA:-}" ]; then
        cmake --preset "$preset" ${CMAKE_EXTRA:-} >"/tmp/summand-configure.$$" 2>&1 || { tail -20 "/tmp/summand-configure.$$" >&2; fail "CMake could not configure build/$preset (see above)"; }
        rm -f "/tmp/summand-configure.$$"
    fi
    cmake --build --preset "$preset" ${1:+--target "$@"}
}
