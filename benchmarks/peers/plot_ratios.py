# SPDX-License-Identifier: Apache-2.0
"""plot_ratios.py RUNS.csv PARAMETERS OUT.svg: regret of every peer as a multiple of Summand's, a dot a function of COCO's (median of its
instances), the median of all marked, on runs of judge.py."""
import csv
import re
import statistics
import sys

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "summand"
import matplotlib.pyplot as plt  # noqa: E402

NAMES = {"turbo": "TuRBO", "turbo-enn": "TuRBO-ENN", "cma": "CMA-ES", "tpe": "TPE", "ngopt": "NGOpt"}

MOST_SHOWN = 1e4  # where Summand meets the optimum, ratios have no end


def ratios(runs, parameters):
    """Of each peer, its regret over Summand's on every function: the median over instances of both."""
    regret = {}
    with open(runs, newline="") as file:
        for row in csv.DictReader(file):
            name = re.fullmatch(rf"bbob(?:-largescale)?-(f\d+)-i\d+-d{parameters}", row["problem"])
            if name:
                regret.setdefault((row["method"], name[1]), {})[row["problem"]] = float(row["regret"])
    found = {}
    for (method, function), of in regret.items():
        ours = regret["summand", function]
        if method in NAMES:
            both = of.keys() & ours.keys()
            found.setdefault(method, []).append(statistics.median(of[i] for i in both) / statistics.median(ours[i] for i in both))
    return {method: found[method] for method in NAMES if method in found}


def main(runs, parameters, out):
    found = ratios(runs, parameters)
    figure, axis = plt.subplots(figsize=(7.2, 0.7 + 0.42 * len(found)))
    for y, values in enumerate(reversed(found.values())):
        axis.scatter([min(v, MOST_SHOWN) for v in values], [y] * len(values), s=22, color="#0072b2", alpha=0.55, linewidths=0)
        middle = statistics.median(values)
        axis.plot([middle, middle], [y - 0.3, y + 0.3], color="#d55e00", linewidth=2.5)
        axis.annotate(f"median {middle:.2g}", (middle, y + 0.32), ha="center", va="bottom", fontsize=8, color="#d55e00")
    axis.axvline(1.0, color="#333333", linewidth=1)
    axis.set_xscale("log")
    axis.set_yticks(range(len(found)), [NAMES[method] for method in reversed(found)])
    axis.set_ylim(-0.6, len(found) - 0.3)
    axis.set_xlabel("regret as a multiple of Summand's (10⁴: or more); a dot is a function of COCO's bbob")
    axis.xaxis.label.set_size(8)
    axis.grid(axis="x", alpha=0.25)
    figure.tight_layout()
    figure.savefig(out, metadata={"Date": None})


if __name__ == "__main__":
    main(*sys.argv[1:])
