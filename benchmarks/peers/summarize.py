# SPDX-License-Identifier: Apache-2.0
"""summarize.py RUNS.jsonl.xz --out FOLDER: peers.csv (median final regret and suggestion time) and peers-evaluations.svg
(median regret over evaluations, quartiles shaded)."""
import argparse
import collections
import csv
import json
import lzma
import os
import statistics

import matplotlib
import numpy as np

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "summand"  # the same file for the same results
import matplotlib.pyplot as plt  # noqa: E402

COLOURS = {"summand": "#d55e00", "turbo": "#0072b2", "qlogei": "#009e73", "saasbo": "#56b4e9", "tpe": "#cc79a7", "gp": "#e69f00",
           "cmaes": "#777777", "cma": "#000000", "random": "#bbbbbb"}


def load(path):
    """One run a line: {"row": problem and budget, "method": ..., "values": ..., "suggest_seconds": ...}."""
    runs = collections.defaultdict(list)
    with lzma.open(path, "rt") as file:
        for line in file:
            record = json.loads(line)
            runs[record["row"], record["method"]].append(record)
    return runs


def regret(record, best_seen):
    """Best-so-far distance to the best known value, or to the best that any run reached where none is known."""
    sign = 1.0 if record["goal"] == "maximize" else -1.0
    goal = record["best_known"] if record["best_known"] is not None else best_seen
    return sign * goal - np.maximum.accumulate(sign * np.array(record["values"]))


def best_seen(runs, problem):
    found = [r for (p, _), records in runs.items() if p.split("@")[0] == problem.split("@")[0] for r in records]
    pick = max if found[0]["goal"] == "maximize" else min
    return pick(pick(r["values"]) for r in found)


def table(runs, path):
    rows = []
    for problem in sorted({p for p, _ in runs}):
        goal = best_seen(runs, problem)
        medians = {}
        for (p, method), records in runs.items():
            whole = [r for r in records if r["complete"]]
            if p == problem and whole:
                finals = sorted(float(regret(r, goal)[-1]) for r in whole)
                seconds = [statistics.mean(r["suggest_seconds"]) for r in whole]
                last = [statistics.mean(r["suggest_seconds"][-3:]) for r in whole]
                medians[method] = (statistics.median(finals), len(whole), statistics.median(seconds), statistics.median(last), finals)
        peers = {m: v[0] for m, v in medians.items() if not m.startswith("summand")}
        best_peer = min(peers, key=peers.get) if peers else ""
        for method, (median, count, mean_seconds, last_seconds, finals) in sorted(medians.items(), key=lambda item: item[1][0]):
            ratio = median / peers[best_peer] if best_peer and peers[best_peer] > 0 else float("nan")
            rows.append([problem, method, count, f"{median:.4g}", f"{ratio:.3g}", best_peer, f"{mean_seconds:.3g}", f"{last_seconds:.3g}",
                         " ".join(f"{v:.3g}" for v in finals)])
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["problem", "method", "seeds", "median_regret", "ratio_to_best_peer", "best_peer", "mean_suggest_seconds_per_batch",
                         "last_suggest_seconds_per_batch", "regrets"])
        writer.writerows(rows)
    for row in rows:
        print("{:22} {:14} {:2} {:>10} {:>8}  {:>8}s {:>8}s  {}".format(row[0], row[1], row[2], row[3], row[4], row[6], row[7], row[8]))


def plot(runs, path):
    problems = sorted({p for p, _ in runs})
    columns = min(4, len(problems))
    lines = -(-len(problems) // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(4.2 * columns, 3.2 * lines), squeeze=False)
    for axis, problem in zip(axes.flat, problems):
        goal = best_seen(runs, problem)
        for (p, method), records in sorted(runs.items()):
            whole = [r for r in records if r["complete"]]
            if p != problem or not whole:
                continue
            curves = np.maximum(np.array([regret(r, goal)[r["batch_size"] - 1::r["batch_size"]] for r in whole]), 1e-6)
            x = np.arange(1, curves.shape[1] + 1) * whole[0]["batch_size"]
            colour = COLOURS.get(method, "#333333")
            axis.plot(x, np.median(curves, axis=0), label=method, color=colour, linewidth=2.2 if method.startswith("summand") else 1.2)
            axis.fill_between(x, *np.quantile(curves, [0.25, 0.75], axis=0), color=colour, alpha=0.12, linewidth=0)
        axis.set_title(problem)
        axis.set_yscale("log")
        axis.set_xlabel("evaluations")
        axis.set_ylabel("regret")
        axis.grid(alpha=0.25)
    for axis in list(axes.flat)[len(problems):]:
        axis.axis("off")
    handles = {}
    for axis in axes.flat:
        handles.update(dict(zip(*reversed(axis.get_legend_handles_labels()))))
    figure.legend(handles.values(), handles.keys(), loc="lower center", ncol=min(9, len(handles)))
    figure.tight_layout(rect=(0, 0.04, 1, 1))
    figure.savefig(path, metadata={"Date": None})
    plt.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("results")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    runs = load(options.results)
    table(runs, os.path.join(options.out, "peers.csv"))
    plot(runs, os.path.join(options.out, "peers-evaluations.svg"))


if __name__ == "__main__":
    main()
