# SPDX-License-Identifier: Apache-2.0
"""Compares methods, or variants of Summand's default, on many functions: paired runs, ratios of regrets as geometric means over
functions with their standard errors. See README.md.

    judge.py --suite bbob-20:choose --methods summand 'summand:{"temper_from": 1}' turbo --out judge.csv
"""
import argparse
import concurrent.futures
import csv
import json
import math
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FLOOR = 1e-8  # of a regret: COCO's own precision

TEN = {"additive-20": 500, "additive-50": 1000, "rover": 500, "robot-push": 500, "levy-30": 300, "ackley-20": 300,
       "hartmann6-embedded-50": 300, "walker": 500, "rosenbrock-20": 400, "styblinski-tang-40": 400}
TUNING = {"tune-boosting": 60, "tune-svm": 60, "tune-forest": 60, "tune-mlp": 60}
INSTANCES = {"choose": (1, 2, 3), "report": (4, 5, 6)}
SEEDS = {"choose": range(601, 605), "report": range(101, 121)}


def coco(suite, dimension, evaluations, batch):
    return lambda part: [(f"{suite}-f{f}-i{i}-d{dimension}", i, evaluations, batch) for i in INSTANCES[part] for f in range(1, 25)]


def seeded(problems, batch=10):
    return lambda part: [(name, seed, evaluations, batch) for seed in SEEDS[part] for name, evaluations in problems.items()]


SUITES = {"bbob-20": coco("bbob", 20, 300, 10), "bbob-40": coco("bbob", 40, 400, 10), "bbob-2": coco("bbob", 2, 50, 5),
          "bbob-3": coco("bbob", 3, 60, 5), "bbob-5": coco("bbob", 5, 50, 5), "mixint-10": coco("bbob-mixint", 10, 60, 4),
          "bbob-80": coco("bbob-largescale", 80, 400, 10),
          "tuning": seeded(TUNING, 4), "tuning-one": seeded(TUNING, 1), "ten": seeded(TEN), "additive": seeded({"additive-20": 300, "additive-50": 500})}


def jobs_of(suite):
    name, _, part = suite.partition(":")
    if name not in SUITES or part not in INSTANCES:
        raise SystemExit(f"judge.py: there is no suite {suite!r}; there are {', '.join(SUITES)}, each with :choose or :report")
    return SUITES[name](part)


def run(method, job):
    problem, seed, evaluations, batch = job
    done = subprocess.run([sys.executable, os.path.join(HERE, "one.py"), method, problem, str(seed), str(evaluations), str(batch)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{method} on {problem}, seed {seed}: " + (done.stderr.strip().splitlines() or ["no message"])[-1])
    record = json.loads(done.stdout)
    best = max(record["values"])
    regret = -best if record["best_known"] is None else max(record["best_known"] - best, FLOOR)
    seconds = record["suggest_seconds"]
    return {"problem": problem, "seed": seed, "evaluations": evaluations, "batch_size": batch, "method": method,
            "regret": repr(regret), "seconds": f"{sum(seconds):.3f}", "median_ask": f"{statistics.median(seconds):.4f}",
            "dearest_ask": f"{max(seconds):.4f}"}


def function_of(problem):
    """Instances of one function are no new functions."""
    return "-".join(part for part in problem.split("-") if not (part[0] == "i" and part[1:].isdigit()))


def ratios(rows, method, base):
    """log(regret / base's) of each function, instances and seeds averaged. Regrets below 0 (no known best) compare by differences: not here."""
    regret = {(r["problem"], r["seed"], r["method"]): float(r["regret"]) for r in rows}
    logs = {}
    for (problem, seed, m), value in regret.items():
        other = regret.get((problem, seed, base))
        if m == method and other is not None and value > 0 and other > 0:
            logs.setdefault(function_of(problem), []).append(math.log(value / other))
    return {f: statistics.mean(v) for f, v in logs.items()}


def ranks(rows):
    """Of each method, its place in every run that all of them made; ties share theirs."""
    methods = {r["method"] for r in rows}
    runs, places = {}, {method: [] for method in methods}
    for r in rows:
        runs.setdefault((r["problem"], r["seed"]), {})[r["method"]] = float(r["regret"])
    for run in runs.values():
        if len(run) == len(methods):
            for method, value in run.items():
                better, alike = sum(v < value for v in run.values()), sum(v == value for v in run.values())
                places[method].append(better + (alike + 1) / 2)
    return places


def table(rows, base):
    lines = ["| method | functions | ratio to " + base + " | better on | median rank | seconds a run | dearest ask / median |", "|---|---|---|---|---|---|---|"]
    places = ranks(rows)
    for method in dict.fromkeys(r["method"] for r in rows):
        logs = list(ratios(rows, method, base).values())
        if not logs:
            continue
        mean, error = statistics.mean(logs), statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else 0.0
        own = [r for r in rows if r["method"] == method]
        seconds = statistics.mean(float(r["seconds"]) for r in own)
        dearest = statistics.median(float(r["dearest_ask"]) / max(float(r["median_ask"]), 1e-9) for r in own)
        lines.append(f"| {method} | {len(logs)} | {math.exp(mean):.3f} ± {math.exp(mean) * error:.3f} | "
                     f"{sum(v < 0 for v in logs)} | {statistics.median(places[method]) if places[method] else math.nan:.1f} | {seconds:.1f} | {dearest:.1f} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", nargs="+", required=True, help="NAME:choose or NAME:report; names: " + ", ".join(SUITES))
    parser.add_argument("--methods", nargs="+", default=["summand"])
    parser.add_argument("--base", help="the method that ratios are taken to; default: the first")
    parser.add_argument("--out", required=True, help="CSV file; runs that it holds already are not made again")
    parser.add_argument("--only", type=int, default=None, help="the first N runs of each suite, to try it")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    options = parser.parse_args()
    rows = []
    if os.path.exists(options.out):
        with open(options.out, newline="") as file:
            rows = list(csv.DictReader(file))
    have = {(r["method"], r["problem"], int(r["seed"]), int(r["evaluations"])) for r in rows}
    jobs = [(m, job) for suite in options.suite for job in jobs_of(suite)[:options.only] for m in options.methods
            if (m, job[0], job[1], job[2]) not in have]
    with concurrent.futures.ThreadPoolExecutor(options.workers) as pool, open(options.out, "a", newline="") as file:
        writer = None
        for count, future in enumerate(concurrent.futures.as_completed([pool.submit(run, *job) for job in jobs]), 1):
            try:
                row = future.result()
            except RuntimeError as error:
                print(f"judge.py: {error}", file=sys.stderr, flush=True)
                continue
            if writer is None:
                writer = csv.DictWriter(file, list(row))
                if not rows:
                    writer.writeheader()
            writer.writerow(row)
            file.flush()
            rows.append(row)
            print(f"[{count}/{len(jobs)}] {row['problem']} {row['method'][:60]}: {float(row['regret']):.4g}", file=sys.stderr, flush=True)
    print(table(rows, options.base or options.methods[0]))


if __name__ == "__main__":
    main()
