# SPDX-License-Identifier: Apache-2.0
"""Functions that every method is run on: `make(name, seed)` gives one with a `space` (as a study stores it), and values of points
({name: value}) that are MAXIMISED.

    ackley-20, walker, ...       a problem of Summand's own (`summand problem list`); the seed draws the function where it is random
    bbob-f21-i4-d20              COCO's suite [Hansen et al. 2021, doi 10.1080/10556788.2020.1808977], function 21, instance 4, 20 parameters
    bbob-mixint-f3-i1-d10        its mixed-integer suite
    bbob-largescale-f3-i1-d80    its suite of many parameters
    tune-svm, ...                a model of scikit-learn (tuning.py)
"""
import json
import os
import re
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMAND = os.environ.get("SUMMAND_COMMAND", os.path.join(ROOT, "build/release/bin/summand"))


def make(name, seed):
    if name.startswith("bbob"):
        return Coco(name)
    if name.startswith("tune-"):
        import tuning
        return tuning.Tuning(name, seed)
    return Builtin(name, seed)


class Builtin:
    def __init__(self, name, seed):
        self.name, self.seed = name, seed
        shown = subprocess.run([COMMAND, "problem", "show", name, "--seed", str(seed), "--json"], check=True, capture_output=True, text=True)
        facts = json.loads(shown.stdout)
        self.sign = 1.0 if facts["goal"] == "maximize" else -1.0
        best = (facts.get("best_known") or {}).get("value")
        self.best_known = None if best is None else self.sign * best
        self.space = [{"name": p["name"], "type": "real", "low": p["low"], "high": p["high"]} for p in facts["parameters"]]

    def __call__(self, points):
        names = [p["name"] for p in self.space]
        text = ",".join(names) + "\n" + "".join(",".join(repr(float(p[n])) for n in names) + "\n" for p in points)
        done = subprocess.run([COMMAND, "problem", "eval", self.name, "--seed", str(self.seed), "--csv", "-"], input=text,
                              check=True, capture_output=True, text=True)
        return [self.sign * float(line) for line in done.stdout.split()]


class Coco:
    def __init__(self, name):
        import cocoex
        suite, function, instance, dimension = re.fullmatch(r"(bbob(?:-mixint|-largescale)?)-f(\d+)-i(\d+)-d(\d+)", name).groups()
        self.suite = cocoex.Suite(suite, "", f"function_indices:{function} dimensions:{dimension} instance_indices:{instance}")
        self.problem = next(iter(self.suite))
        self.best_known = -self.optimum()
        low, high, integers = self.problem.lower_bounds, self.problem.upper_bounds, self.problem.number_of_integer_variables
        self.space = [{"name": f"x{j}", "type": "integer" if j < integers else "real",
                       "low": int(low[j]) if j < integers else float(low[j]), "high": int(high[j]) if j < integers else float(high[j])}
                      for j in range(len(low))]

    def optimum(self):
        """COCO tells where it is in a file of the folder that it runs in."""
        import numpy as np
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            self.problem._best_parameter("print")
            best = np.loadtxt("._bbob_problem_best_parameter.txt")
            os.chdir(before)
        return float(self.problem(best))

    def __call__(self, points):
        import numpy as np
        return [-float(self.problem(np.array([float(p[q["name"]]) for q in self.space]))) for p in points]
