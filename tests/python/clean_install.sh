#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clean_install.sh [PYTHON]: makes a wheel from a clean clone as a user would, with nothing prepared, installs it into a fresh
# virtual environment, and uses it away from the sources. Compiles the engine, so it takes minutes; not part of ./test.sh.
set -euo pipefail
python=${1:-python3}
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

git clone --quiet "$source" "$work/clone"
"$python" -m venv "$work/build" && "$python" -m venv "$work/use"
(cd "$work/clone" && "$work/build/bin/pip" wheel --quiet --disable-pip-version-check --no-deps . -w "$work/dist")
rm -rf "$work/clone" "$work/build"
"$work/use/bin/pip" install --quiet --disable-pip-version-check "$work"/dist/summand-*.whl
cd "$work" && "$work/use/bin/python" - <<'PYTHON'
import summand

result = summand.minimize(lambda p: (p["x"] - 1) ** 2, {"x": (-3.0, 3.0)}, trials=20, seed=1)
assert result.value < 0.1, result
summand.Study("wheel.db", {"x": (0.0, 1.0)}).ask(2)
print("installed from a wheel and used:", result.best)
PYTHON
ls -l "$work"/dist
