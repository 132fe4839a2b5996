# SPDX-License-Identifier: Apache-2.0
"""A user's program: must pass ``mypy --strict`` against the installed package."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import optuna

import summand
from summand import Choice, Integer, Optimizer, Real, SearchSpace, Study
from summand.optuna import SummandSampler


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
weights: dict[str, summand.Importance] = optimizer.importance()

with ThreadPoolExecutor(2) as executor:
    result = summand.minimize(loss, space, budget=4, batch_size=2, executor=executor)
lowest: float = result.value
highest: float = summand.maximize(loss, space, budget=2).value
groups: list[list[str]] = result.structure.groups

study = Study(":memory:", space, budget=3)
state: str = study.tell(study.ask(1)[0], failed="no licence")
for asked in study.ask(2, key="request-1"):
    study.tell(asked, loss(asked.parameters))
records: list[summand.Trial] = study.trials()
slices: list[summand.GroupSlice] = optimizer.group_slices()


def objective(trial: optuna.Trial) -> float:
    return trial.suggest_float("x", 0.0, 1.0) + trial.suggest_int("n", 1, 4)


optuna.logging.set_verbosity(optuna.logging.WARNING)
tuned = optuna.create_study(sampler=SummandSampler(seed=1, budget=4))
tuned.optimize(objective, n_trials=4)
found: float = tuned.best_value
posterior = summand.learn_structure(np.random.default_rng(0).uniform(size=(30, 2)), np.arange(30.0), samples=2)
probability: float = posterior.probability("x1", "x2")
print(value, lowest, highest, groups, state, probability, identity, identities, weights, records, slices, found)
