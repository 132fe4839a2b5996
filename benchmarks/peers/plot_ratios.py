# SPDX-License-Identifier: Apache-2.0
"""plot_ratios.py RUNS.csv OUT.svg: regret of every peer as a multiple of Summand's, a dot a function, the median marked, on runs of
judge.py at 20 parameters."""
import csv
import statistics
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "summand"
import matplotlib.pyplot as plt  # noqa: E402

NAMES = {"turbo": "TuRBO", "turbo-enn": "TuRBO-ENN", "cma": "CMA-ES", "tpe": "TPE", "ngopt": "NGOpt"}


def main(runs, out):
    regret = {}
    with open(runs, newline="") as file:
        for row in csv.DictReader(file):
            if row["problem"].startswith("bbob-f") and row["problem"].endswith("-d20"):
                regret[row["problem"], row["method"]] = float(row["regret"])
    figure, axis = plt.subplots(figsize=(7.2, 2.8))
    for y, method in enumerate(reversed(NAMES)):
        ratios = [value / regret[problem, "summand"] for (problem, m), value in regret.items() if m == method]
        axis.scatter(ratios, [y] * len(ratios), s=22, color="#0072b2", alpha=0.55, linewidths=0)
        middle = statistics.median(ratios)
        axis.plot([middle, middle], [y - 0.3, y + 0.3], color="#d55e00", linewidth=2.5)
        axis.annotate(f"median {middle:.2g}", (middle, y + 0.32), ha="center", va="bottom", fontsize=8, color="#d55e00")
    axis.axvline(1.0, color="#333333", linewidth=1)
    axis.set_xscale("log")
    axis.set_yticks(range(len(NAMES)), list(reversed(NAMES.values())))
    axis.set_ylim(-0.6, len(NAMES) - 0.3)
    axis.set_xlabel("regret as a multiple of Summand's (right of the line: Summand is better); a dot is a function of COCO's bbob")
    axis.xaxis.label.set_size(8)
    axis.grid(axis="x", alpha=0.25)
    figure.tight_layout()
    figure.savefig(out, metadata={"Date": None})


if __name__ == "__main__":
    main(*sys.argv[1:])
