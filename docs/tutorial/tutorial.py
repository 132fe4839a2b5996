# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Tuning a simulator of 20 parameters
#
# This file runs from top to bottom (``python docs/tutorial/tutorial.py``; ``--quick`` is the smaller run of the continuous
# integration) and reads like a notebook: every ``# %%`` starts a cell in editors that know them.
#
# The simulator next to it, ``quadcopter.py``, flies to a point in a gust of wind. It has four control loops (x, y, z, yaw)
# with five settings each. Nobody tells the optimiser that the loops are separate; at the end it finds out.

# %%
from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import quadcopter  # noqa: E402

import summand  # noqa: E402

QUICK = "--quick" in sys.argv
TRIALS = 60 if QUICK else 400
BATCH = 10

# %% [markdown]
# ## The search space
#
# Gains and time constants work by ratios, so they get a log scale.

# %%
space = summand.SearchSpace(
    [
        summand.Real(f"{axis}_{name}", low, high, scale="linear" if name == "weight" else "log")
        for axis in quadcopter.AXES
        for name, (low, high, _) in quadcopter.SETTINGS.items()
    ]
)
start = quadcopter.cost(quadcopter.defaults())
print(f"{len(space)} parameters; the cost of the hand-set values is {start:.3f}")


# %% [markdown]
# ## One line
#
# ``study=`` keeps everything in a file. Two processes evaluate at a time; a flight that leaves the room raises, and is told as
# a failure. If the run is killed, the same call goes on where it stopped.

# %%
def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="summand-tutorial-"))
    database = folder / "quadcopter.db"
    program = Path(quadcopter.__file__).resolve()
    study = summand.Study(
        database, space, goal="minimize", batch_size=BATCH, seed=1, budget=TRIALS,
        command=[sys.executable, str(program), *(f"{name}={{{name}}}" for name in space.names)], workers=2,
    )  # fmt: skip
    # Known data come first: the hand-set values.
    study.add(quadcopter.defaults(), start)
    with ProcessPoolExecutor(2) as executor:
        result = summand.minimize(
            quadcopter.cost, space, budget=TRIALS - 2 * BATCH, batch_size=BATCH, executor=executor, study=study
        )
    print(result.source)
    print(f"best so far {result.value:.3f}, hand-set {start:.3f}")

    # %% [markdown]
    # ## Look at the groups
    #
    # Which parameters belong together, and how sure is that? Settings of one loop interact with each other, settings of
    # different loops only add up. But the points of a search crowd around good settings and tell little about the rest:
    # read the verdict before you believe the groups. Points made for finding groups come further below.

    # %%
    structure = result.structure
    for sentence in structure.sentences:
        print(sentence)
    for name, share in list(result.importance.items())[:5]:
        print(f"   {name:10s} is responsible for {100 * share:.0f} % of what the model sees")
    try:
        result.plot().savefig(folder / "result.png")
        print("plots:", folder / "result.png")
    except ImportError:
        print("no matplotlib, no plots")

    # %% [markdown]
    # ## Points made for finding groups
    #
    # ``initial_design="structure-finding"`` gives points at two levels of each parameter, from which the groups can be
    # learned. Flights that leave the room are left out. With 140 points the gains of x, y and z come out together, each loop
    # for itself; filters and weights matter too little to be placed.

    # %%
    count = 60 if QUICK else 140
    finder = summand.Optimizer(space, initial_design="structure-finding", initial_points=count, seed=1)
    rows, costs = [], []
    for trial in finder.ask(count):
        try:
            costs.append(quadcopter.cost(trial.parameters))
            rows.append([math.log(v) if space[n].scale == "log" else v for n, v in trial.parameters.items()])
        except ArithmeticError:
            pass
    posterior = summand.learn_structure(rows, costs, names=space.names, seed=1)
    print(posterior.verdict_text)
    for group in posterior.groups:
        if len(group) > 1:
            print("  ", ", ".join(group))

    # %% [markdown]
    # ## Go on from the command line
    #
    # The study is one file, and ``summand`` works on it too. It knows the command to run: the same simulator as a program.
    # What is left of the budget is evaluated without Python.

    # %%
    command = os.environ.get("SUMMAND", "summand")
    for arguments in (["status"], ["run", "--quiet"], ["best"]):
        print("$ summand", *arguments, database.name)
        subprocess.run([command, arguments[0], str(database), *arguments[1:]], check=True)
    best = study.best()
    assert best is not None and study.evaluation_count + study.failure_count >= TRIALS
    print(f"best of all {best.value:.3f}; the same study, opened here before the command ran: {study}")


if __name__ == "__main__":  # the workers import this file, and must not run it
    main()
