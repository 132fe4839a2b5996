# SPDX-License-Identifier: Apache-2.0
"""one.py METHOD PROBLEM SEED EVALUATIONS BATCH OUT: one run of one peer. Written after every batch, so a run that is
stopped keeps what it reached ("complete": false)."""
import json
import os
import sys
import time

import numpy as np

from methods import DEVICE, METHODS
from problem import Problem


def main(method, name, seed, evaluations, batch, out):
    problem = Problem(name, seed)
    optimizer = METHODS[method](problem.dimension, evaluations, batch, seed)
    values, seconds = [], []
    while len(values) < evaluations:
        start = time.process_time()
        X = np.asarray(optimizer.ask(min(batch, evaluations - len(values))), dtype=float)
        asked = time.process_time() - start
        y = problem(X)
        start = time.process_time()
        optimizer.tell(X, y)
        seconds.append(asked + time.process_time() - start)
        values += [float(v) if problem.maximize else -float(v) for v in y]
        record = {"method": method, "problem": name, "seed": seed, "evaluations": evaluations, "batch_size": batch,
                  "goal": "maximize" if problem.maximize else "minimize", "best_known": problem.best_known,
                  "device": DEVICE, "complete": len(values) >= evaluations, "values": values, "suggest_seconds": seconds}
        with open(out + ".part", "w") as file:
            json.dump(record, file)
        os.replace(out + ".part", out)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]), sys.argv[6])
