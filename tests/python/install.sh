#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the package into a virtual environment of the build folder, linked with the library that was built there. The
# environment is made once, and again when the requirements change.
set -euo pipefail
: "${PYTHON:?}" "${SOURCE:?}" "${BUILD:?}"

venv=$BUILD/python-venv
requirements=$SOURCE/tests/python/requirements.txt
wanted=$({ "$PYTHON" --version; cat "$requirements"; } | sha256sum)
if [ "$(cat "$venv/summand-stamp" 2>/dev/null)" != "$wanted" ]; then
    rm -rf "$venv"
    "$PYTHON" -m venv "$venv" || { echo "python -m venv failed; on Debian install python3-venv" >&2; exit 1; }
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" ||
        { echo "pip could not install tests/python/requirements.txt; check the network and run this test again" >&2; exit 1; }
    printf '%s\n' "$wanted" >"$venv/summand-stamp"
fi

cmake --install "$BUILD" --prefix "$BUILD/python-prefix" >/dev/null
"$venv/bin/pip" install --quiet --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall "$SOURCE" \
    --config-settings=build-dir="$BUILD/python-package" --config-settings=cmake.define.summand_DIR="$(dirname "$(find "$BUILD/python-prefix" -name summandConfig.cmake)")"
"$venv/bin/python" -c 'import summand; print("summand", summand.__version__, "in", summand.__file__)'
