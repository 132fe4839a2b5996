# SPDX-License-Identifier: Apache-2.0
"""Runs every method on every problem and seed, each in its own process with one thread. See README.md."""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# Problem: evaluations. The last four test the rule that decides on the initial design where it could be wrong.
PROBLEMS = {"additive-20": 500, "additive-50": 1000, "rover": 500, "robot-push": 500, "levy-30": 300, "ackley-20": 300,
            "hartmann6-embedded-50": 300, "walker": 500, "rosenbrock-20": 400, "styblinski-tang-40": 400,
            "additive-50@300": 300, "ackley-20@2000": 2000, "rover@2000": 2000}
METHODS = ["summand", "turbo", "qlogei", "tpe", "gp", "cmaes", "cma", "random"]


def finished(path):
    try:
        with open(path) as file:
            return json.load(file)["complete"]
    except (OSError, ValueError, KeyError):
        return False


def run(method, problem, seed, options):
    path = os.path.join(options.out, method, f"{problem}-{seed}.json")
    if finished(path):
        return f"{path}: there already"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    name, evaluations = problem.split("@")[0], str(PROBLEMS[problem])
    if method.startswith("summand"):
        program = os.environ.get("SUMMAND_PEER_RUN", os.path.join(ROOT, "build/release/bin/summand_peer_run"))
        command = [program, name, str(seed), evaluations, str(options.batch), path, options.summand_options]
    else:
        command = [sys.executable, os.path.join(HERE, "one.py"), method, name, str(seed), evaluations, str(options.batch), path]
    one_thread = {name: "1" for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    start = time.time()
    try:
        done = subprocess.run(command, env={**os.environ, **one_thread}, capture_output=True, text=True, timeout=options.limit)
        state = "done" if done.returncode == 0 else "FAILED: " + (done.stderr.strip().splitlines() or ["no message"])[-1]
    except subprocess.TimeoutExpired:
        state = "stopped at the time limit"
    return f"{path}: {state} after {time.time() - start:.0f} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True, help="folder of the results")
    parser.add_argument("--problems", nargs="+", default=list(PROBLEMS), choices=list(PROBLEMS))
    parser.add_argument("--methods", nargs="+", default=METHODS)
    parser.add_argument("--seeds", nargs="+", type=int, default=[101, 102, 103, 104, 105])
    parser.add_argument("--batch", type=int, default=10)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=float, default=None, help="seconds for one run; what it reached is kept")
    parser.add_argument("--summand-options", default="{}", help="Summand's options as JSON; default: its defaults")
    options = parser.parse_args()
    jobs = [(m, p, s) for m in options.methods for s in options.seeds for p in options.problems]
    with concurrent.futures.ThreadPoolExecutor(options.workers) as pool:
        futures = [pool.submit(run, *job, options) for job in jobs]
        for count, future in enumerate(concurrent.futures.as_completed(futures), 1):
            print(f"[{count}/{len(jobs)}] {future.result()}", flush=True)


if __name__ == "__main__":
    main()
