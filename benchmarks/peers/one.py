# SPDX-License-Identifier: Apache-2.0
"""one.py METHOD PROBLEM SEED EVALUATIONS BATCH: one run, as one line of JSON."""
import json
import os
import sys
import time

for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import methods  # noqa: E402
import problem  # noqa: E402


def run(method, name, seed, evaluations, batch):
    function = problem.make(name, seed)
    optimizer = methods.make(method, function.space, evaluations, batch, seed)
    values, seconds = [], []
    while len(values) < evaluations:
        start = time.process_time()
        points = optimizer.ask(min(batch, evaluations - len(values)))
        asked = time.process_time() - start
        y = function(points)
        start = time.process_time()
        optimizer.tell(points, y)
        seconds.append(getattr(optimizer, "seconds", asked + time.process_time() - start))
        values += y
    return {"method": method, "problem": name, "seed": seed, "evaluations": evaluations, "batch_size": batch,
            "best_known": function.best_known, "device": methods.DEVICE, "values": values, "suggest_seconds": seconds}


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))))
