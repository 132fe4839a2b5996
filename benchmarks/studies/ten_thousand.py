# SPDX-License-Identifier: Apache-2.0
"""Makes a study of 10,000 trials and times what reads it: ten_thousand.py SUMMAND"""
import pathlib
import random
import subprocess
import sys
import tempfile
import time

summand = str(pathlib.Path(sys.argv[1]).resolve())
random.seed(1)
names = [f"p{i}" for i in range(14)]
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder)
    (path / "big.toml").write_text(
        'name = "big"\ngoal = "maximize"\n[optimizer]\nbatch_size = 5\n[parameters]\n'
        + "".join(f'{name} = {{ type = "real", low = 0.0, high = 1.0 }}\n' for name in names))
    rows = [",".join(names + ["value"])]
    for _ in range(10_000):
        point = [random.random() for _ in names]
        rows.append(",".join(map(repr, point + [-sum((x - 0.3) ** 2 for x in point)])))
    (path / "big.csv").write_text("\n".join(rows) + "\n")
    for command in (["add", "big.toml", "big.csv"], ["status", "big.toml"], ["best", "big.toml"], ["trials", "big.toml", "--sort", "value"],
                    ["export", "big.toml", "-o", "out.csv"], ["ask", "big.toml"], ["report", "big.toml", "-o", "report.html"]):
        start = time.perf_counter()
        subprocess.run([summand, *command], cwd=path, check=True, capture_output=True)
        print(f"{command[0]:8} {1e3 * (time.perf_counter() - start):8.0f} ms")
    print(f"report   {(path / 'report.html').stat().st_size / 1e6:8.2f} MB")
