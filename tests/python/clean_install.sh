#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clean_install.sh [PYTHON]: in a clean clone, as a user would: `pip install .` into a fresh virtual environment, then `pip wheel .`
# and that wheel into another one; both are used away from the sources. Compiles the engine, so it takes minutes: part of .ci/run,
# not of ./test.sh.
set -euo pipefail
python=${1:-python3}
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/use.py" <<'PYTHON'
import sys

import summand

result = summand.minimize(lambda p: (p["x"] - 1) ** 2, {"x": (-3.0, 3.0)}, budget=20, seed=1)
assert result.value < 0.1, result
summand.Study(sys.argv[1], {"x": (0.0, 1.0)}).ask(2)
print(f"CPython {sys.version.split()[0]}, {sys.argv[1]}: {summand.__file__}", result.best)
PYTHON

git clone --quiet "$source" "$work/clone"
# One build folder for both: the engine is compiled once.
options="--quiet --disable-pip-version-check --config-settings=build-dir=build/pip"
"$python" -m venv "$work/installed" && "$python" -m venv "$work/other"
(cd "$work/clone" && "$work/installed/bin/pip" install $options .)
(cd "$work" && "$work/installed/bin/python" use.py install.db)
(cd "$work/clone" && "$work/installed/bin/pip" wheel $options --no-deps . -w "$work/dist")
rm -rf "$work/clone" "$work/installed"
"$work/other/bin/pip" install --quiet --disable-pip-version-check "$work"/dist/summand-*.whl
(cd "$work" && "$work/other/bin/python" use.py wheel.db)
(cd "$work/dist" && ls -l)
