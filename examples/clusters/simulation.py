# SPDX-License-Identifier: Apache-2.0
"""The function that the examples minimise: half a second of work, and a worker that dies once in mid-run."""
import os
import pathlib
import signal
import time

SPACE = {f"x{i}": (-1.0, 1.0) for i in range(4)}
TRIALS, AT_ONCE = 24, 4


def simulate(parameters):
    time.sleep(0.5)
    accident = pathlib.Path(os.environ.get("ACCIDENT", "/nonexistent"))
    if accident.exists():  # whoever removes it dies, as if its node had lost power
        try:
            accident.unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        except FileNotFoundError:
            pass
    return sum((value - 0.3) ** 2 for value in parameters.values())


def show(result, where):
    values = [trial.value for trial in result.trials]
    assert len(values) == TRIALS and None not in values, "every trial has its value, the accident notwithstanding"
    print(f"{where}: {len(values)} trials, best {min(values):.4f}")
