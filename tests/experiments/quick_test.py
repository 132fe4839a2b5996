#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""quick_test.py SUMMAND: every experiment runs at smoke size, and what it writes has the right shape."""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

SUMMAND = sys.argv[1]
LEARNERS = {"NP", "FP", "PL-1", "PL-2", "Gibbs", "default"}
BATCHES = {"Rand", "UCB-PE", "UCB-DPP", "UCB-PE-Fnc", "UCB-DPP-Fnc", "default"}
# name: panels, methods, figures, iterations of the longest run
RACES = {
    "decompositions": ({"D=2", "D=4"}, LEARNERS | {"Known"}, [""], 24),
    "robot": ({"robot"}, LEARNERS, [""], 24),
    "walker": ({"walker", "walker-paper"}, LEARNERS | {"Gibbs-L"}, [""], 20),
    "batch": ({"D=2", "D=4"}, BATCHES | {"default-known"}, ["-relative", "-absolute"], 3),
    "batch-walker": ({"walker"}, BATCHES, [""], 4),
    "batch-robot": ({"B=5", "B=10"}, BATCHES, [""], 4),
}


def run(*arguments, expect=0):
    done = subprocess.run([SUMMAND, "experiment", *arguments], capture_output=True, text=True)
    assert done.returncode == expect, f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def check_svg(path):
    assert xml.parse(path).getroot().tag.endswith("svg"), path
    assert "nan" not in path.read_text().lower(), f"{path} draws what is not a number"


def check_race(folder, name):
    panels, methods, figures, iterations = RACES[name]
    final = rows(folder / f"{name}-quick.csv")
    assert {row["panel"] for row in final} == panels and {row["method"] for row in final} == methods, final
    assert len(final) == len(panels) * len(methods) and all(row["repeats"] == "2" for row in final), final
    curves = rows(folder / f"{name}-quick-curves.csv")
    assert max(int(row["t"]) for row in curves) == iterations, name
    for row in curves:
        assert 0 <= float(row["simple_regret"]) <= float(row["cumulative_regret"]) + 1e-9, row
    for suffix in figures:
        check_svg(folder / f"{name}-quick{suffix}.svg")
    cells = list((folder / f"{name}-quick").glob("*.json"))
    assert len(cells) == 2 * len(panels) * len(methods), name
    cell = json.loads(cells[0].read_text())
    assert cell["definition"]["options"]["seed"] == cell["repeat"] and cell["numbers"]["seconds"] > 0, cell


def check_search(folder, name, panels, searchers):
    table = rows(folder / f"{name}-quick.csv")
    shares = [row for row in table if row["quantity"] in ("together", "separated", "rand_index", "precision", "f1")]
    assert shares and all(0 <= float(row["mean"]) <= 1 and row["functions"] == "2" for row in shares), name
    assert len({(row["dimension"], row["points"]) for row in table}) == panels, name
    assert len({row["searcher"] for row in table}) == searchers, name
    assert any(row["paper_mean"] for row in table), f"{name}: the paper's figures are missing"
    check_svg(folder / f"{name}-quick.svg")


def main():
    assert len(run("list").stdout.splitlines()) == 11
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        done = run("run", "all", "--quick", "--out", temporary)
        assert "about" in done.stderr and "The paper:" in done.stdout
        check_search(folder, "recovery", 6, 4)
        check_search(folder, "alpha", 1, 5)
        for name in RACES:
            check_race(folder, name)
        check_svg(folder / "improvement-quick.svg")
        assert {row["method"] for row in rows(folder / "improvement-quick.csv")} == {"Gibbs", "default"}

        before = (folder / "robot-quick.csv").read_text()
        (folder / "robot-quick.csv").unlink()
        again = run("run", "robot", "--quick", "--out", temporary)
        assert "0 cells computed" in again.stdout, "a finished experiment was run again"
        assert (folder / "robot-quick.csv").read_text() == before
        run("plot", "robot", "--quick", "--out", temporary)
    assert "did you mean" in run("run", "recovry", expect=2).stderr
    assert "2/8" in run("run", "alpha", "--quick", "--part", "3", "--out", temporary, expect=2).stderr
    print("every experiment runs")


main()
