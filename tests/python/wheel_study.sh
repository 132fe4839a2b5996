#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Uses an installed wheel as a newcomer would: `python` and `summand` are those of its environment, and nothing of the sources.
set -euo pipefail
python - <<'PYTHON'
import summand

result = summand.minimize(lambda p: (p["x"] - 1) ** 2, {"x": (-3.0, 3.0)}, budget=20, batch_size=4, seed=1, study="wheel.db")
assert result.value < 0.1, result
print(f"summand {summand.__version__} in {summand.__file__}: {result.best}")
PYTHON
summand --version
summand best wheel.db
cat >study.toml <<'TOML'
name = "shell"
goal = "minimize"
budget = 6
command = ["sh", "-c", "echo {x}"]
[parameters]
x = { type = "real", low = 0.0, high = 1.0 }
TOML
summand run study.toml --quiet
summand report study.toml -o report.html
test -s report.html
