# SPDX-License-Identifier: Apache-2.0
"""A user's program: must pass ``mypy --strict`` against the installed package."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

import summand
from summand import Choice, Integer, Optimizer, Real, SearchSpace, Study


def loss(parameters: dict[str, Any]) -> float:
    return float(parameters["rate"]) * int(parameters["width"])


space = SearchSpace([Real("rate", 1e-5, 1e-1, scale="log"), Integer("width", 8, 512), Choice("solver", ["sgd", "adam"])])
optimizer = Optimizer(space, goal="minimize", batch_size=8, seed=7)
for trial in optimizer.ask(count=4):
    optimizer.tell(trial, loss(trial.parameters))
identity: int = optimizer.add({"rate": 0.01, "width": 16, "solver": "sgd"}, 0.5)
identities: list[int] = optimizer.add([{"rate": 0.01, "width": 17, "solver": "adam"}], np.array([0.25]))
best = optimizer.best()
value: float = best.value if best is not None else float("nan")
weights: dict[str, float] = optimizer.importance()

with ThreadPoolExecutor(2) as executor:
    result = summand.minimize(loss, space, trials=4, batch_size=2, executor=executor)
lowest: float = result.value
groups: list[list[str]] = result.structure.groups

study = Study(":memory:", space, budget=3)
state: str = study.tell(study.ask(1)[0], failed="no licence")
posterior = summand.learn_structure(np.random.default_rng(0).uniform(size=(30, 2)), np.arange(30.0), samples=2)
probability: float = posterior.probability("x1", "x2")
print(value, lowest, groups, state, probability, identity, identities, weights)
