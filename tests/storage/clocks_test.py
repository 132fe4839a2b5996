#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clocks_test.py SUMMAND SHIFTED_CLOCK: two machines whose clocks differ by twenty minutes run one study.

On PostgreSQL leases are measured by the server's clock, so nobody takes the other's trials for lost. The same two on one SQLite
file, where each goes by its own clock, must be found out by the same check.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

SERVER = pathlib.Path(__file__).resolve().parents[1] / "support/postgres_server.sh"
STUDY = """name = "clocks"
goal = "minimize"
budget = 16
command = ["/bin/sh", "-c", "sleep 0.5; echo {{x}}"]
database = "{database}"
[run]
workers = 2
asynchronous = true
[optimizer]
initial_points = 16
[parameters]
x = {{ type = "real", low = 0.0, high = 1.0 }}
"""


def attempts(summand, clock, folder, name, database):
    """How many attempts the trials of a study took, run by both machines at once."""
    (folder / name).mkdir()
    (folder / name / "study.toml").write_text(STUDY.format(database=database))
    machines = [
        subprocess.Popen([summand, "run", "study.toml", "--quiet"], cwd=folder / name,
                         env={"PATH": "/usr/bin:/bin", "LD_PRELOAD": clock, "SUMMAND_CLOCK_SHIFT": shift})
        for shift in ("600", "-600")
    ]
    for machine in machines:
        assert machine.wait(timeout=120) == 0, "a run has failed"
    exported = subprocess.run([summand, "export", "study.toml", "--format", "json"], cwd=folder / name, check=True, capture_output=True)
    trials = json.loads(exported.stdout)
    assert [trial["state"] for trial in trials] == ["completed"] * 16, trials
    return sum(trial["attempt"] for trial in trials)


def main():
    summand, clock = sys.argv[1:3]
    with tempfile.TemporaryDirectory(prefix="summand-clocks-") as name:
        folder = pathlib.Path(name)
        subprocess.run([SERVER, "start", folder / "server"], check=True)
        try:
            if not (folder / "server/url").exists():
                return 77
            by_server = attempts(summand, clock, folder, "server-time", (folder / "server/url").read_text().strip())
            assert by_server == 16, f"{by_server} attempts for 16 trials: a trial was taken for lost"
            by_file = attempts(summand, clock, folder, "own-time", "study.db")
            assert by_file > 16, "two clocks on one file went unnoticed: this test finds nothing"
        finally:
            subprocess.run([SERVER, "stop", folder / "server"], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
