# SPDX-License-Identifier: Apache-2.0
"""What Python costs: ``python benchmarks/python_overhead.py [--command build/release/bin/summand]``, with the package installed.

Times are of the processor (all threads of the process), so that other work on the machine does not count; for Ctrl-C, of the
clock on the wall.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import summand


def processor_seconds(work: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return statistics.median(times)


def overhead_of_ask_and_tell() -> None:
    """Design points cost the engine next to nothing: what is left is conversion, the thread and Python."""
    space = summand.SearchSpace({f"x{j}": (0.0, 1.0) for j in range(20)})
    optimizer = summand.Optimizer(space, initial_design="uniform", initial_points=100_000)

    def ask_and_tell() -> None:
        for trial in optimizer.ask(10):
            optimizer.tell(trial, 1.0)

    print(f"ask(10) and ten tells, 20 parameters, design points: {1e3 * processor_seconds(ask_and_tell, 100):.3f} ms (below 1)")


def ten_thousand_points() -> None:
    random = np.random.default_rng(0)
    names = [f"x{j}" for j in range(20)]
    points = [dict(zip(names, row)) for row in random.uniform(size=(10_000, 20)).tolist()]
    values = random.normal(size=10_000)

    space = summand.SearchSpace({name: (0.0, 1.0) for name in names})
    fresh = [summand.Optimizer(space) for _ in range(8)]
    todo = iter(fresh)

    def add_all() -> None:
        next(todo).add(points, values)

    print(f"10,000 points told, 20 parameters: {1e3 * processor_seconds(add_all, 7):.1f} ms (below 50)")


def interruption() -> None:
    """From the signal to KeyboardInterrupt, in the middle of one long call."""
    random = np.random.default_rng(0)
    X = random.uniform(size=(400, 30))
    y = X[:, 0] * X[:, 1] + random.normal(size=400)
    delays = []
    for _ in range(5):
        sent = []
        alarm = threading.Timer(0.7, lambda: (sent.append(time.perf_counter()), os.kill(os.getpid(), signal.SIGINT)))
        alarm.start()
        try:
            summand.learn_structure(X, y, learner="gibbs", sweeps=10_000, burn_in=10)
        except KeyboardInterrupt:
            delays.append(time.perf_counter() - sent[0])
    print(f"Ctrl-C in learn_structure, 400 points, 30 parameters: at most {1e3 * max(delays):.0f} ms (below 1000)")


def processor_seconds_of_program(*command: str) -> tuple[float, bytes]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run(command, check=True, capture_output=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, output


def learn_structure_beside_the_command(command: str) -> None:
    """The same data, options, seed and one thread for both. What the command needs to start (--help) is not counted."""
    random = np.random.default_rng(1)
    X = random.uniform(size=(200, 20))
    y = sum(np.sin(4 * X[:, j] * X[:, j + 1] + j) for j in range(0, 20, 2))
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.csv"
        header = ",".join([*(f"x{j + 1}" for j in range(20)), "y"])
        np.savetxt(data, np.column_stack([X, y]), delimiter=",", header=header, comments="", fmt="%.17g")
        arguments = [command, "structure", "learn", str(data), "--seed", "1", "--threads", "1", "--json"]
        here, there, start = [], [], []
        for _ in range(7):  # by turns, so that a busy machine is busy for both
            started = time.process_time()
            found = summand.learn_structure(X, y, seed=1, threads=1)
            here.append(time.process_time() - started)
            seconds, output = processor_seconds_of_program(*arguments)
            there.append(seconds)
            start.append(processor_seconds_of_program(command, "structure", "learn", "--help")[0])
    answer = json.loads(output)
    assert answer["groups"] == found.groups and answer["log_likelihood"] == found.log_likelihood, "not the same work"
    learned = min(there) - min(start)
    print(
        f"learn_structure, 200 points, 20 parameters: {min(here):.3f} s, the command {learned:.3f} s and {min(start):.3f} s to "
        f"start, ratio {min(here) / learned:.3f} (below 1.02)"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", help="the summand command, to compare learn_structure with")
    given = parser.parse_args()
    overhead_of_ask_and_tell()
    ten_thousand_points()
    interruption()
    if given.command:
        learn_structure_beside_the_command(given.command)
