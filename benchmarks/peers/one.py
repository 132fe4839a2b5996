# SPDX-License-Identifier: Apache-2.0
"""one.py METHOD PROBLEM SEED EVALUATIONS BATCH OUT: one run of one peer. Written after every batch, so a run that is
stopped keeps what it reached ("complete": false) and goes on from there, as if nothing had been, when it is started again."""
import json
import os
import pickle
import sys
import time

import numpy as np

from methods import DEVICE, METHODS
from problem import Problem


def torch_state():
    """The states of torch's random numbers, on the processor and on the GPU; None for methods without torch."""
    torch = sys.modules.get("torch")
    return torch and (torch.get_rng_state(), torch.cuda.get_rng_state_all() if DEVICE == "cuda" else [])


def replace(path, content):
    """A file that is whole at any time."""
    with open(path + ".part", "wb") as file:
        file.write(content)
    os.replace(path + ".part", path)


def main(method, name, seed, evaluations, batch, out):
    problem = Problem(name, seed)
    optimizer = METHODS[method](problem.dimension, evaluations, batch, seed)
    values, seconds, state = [], [], out + ".state"
    if os.path.exists(state):
        with open(state, "rb") as file:
            optimizer, values, seconds, random = pickle.load(file)
        if random:
            import torch
            torch.set_num_threads(1)
            torch.set_rng_state(random[0])
            torch.cuda.set_rng_state_all(random[1])
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
        replace(out, json.dumps(record).encode())
        replace(state, pickle.dumps((optimizer, values, seconds, torch_state())))
    if os.path.exists(state):
        os.remove(state)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]), sys.argv[6])
