# SPDX-License-Identifier: Apache-2.0
"""A Summand problem as peers see it: a function of the unit cube that is MAXIMISED, batch by batch."""
import json
import os
import subprocess

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMAND = os.environ.get("SUMMAND_COMMAND", os.path.join(ROOT, "build/release/bin/summand"))


class Problem:
    def __init__(self, name: str, seed: int):
        self.name, self.seed = name, seed
        shown = subprocess.run([COMMAND, "problem", "show", name, "--seed", str(seed), "--json"], check=True, capture_output=True, text=True)
        facts = json.loads(shown.stdout)
        self.maximize = facts["goal"] == "maximize"
        self.best_known = (facts.get("best_known") or {}).get("value")
        self.names = [p["name"] for p in facts["parameters"]]
        self.low = np.array([p["low"] for p in facts["parameters"]])
        self.high = np.array([p["high"] for p in facts["parameters"]])
        self.dimension = len(self.low)

    def __call__(self, unit: np.ndarray) -> np.ndarray:
        """Values at the rows of `unit`, negated where the problem is minimised."""
        points = self.low + np.clip(unit, 0, 1) * (self.high - self.low)
        points = np.minimum(np.maximum(points, self.low), self.high)
        text = ",".join(self.names) + "\n" + "\n".join(",".join(repr(float(v)) for v in row) for row in points) + "\n"
        done = subprocess.run([COMMAND, "problem", "eval", self.name, "--seed", str(self.seed), "--csv", "-"], input=text,
                              check=True, capture_output=True, text=True)
        values = np.array([float(line) for line in done.stdout.split()])
        return values if self.maximize else -values
