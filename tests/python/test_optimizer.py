# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pickle
import threading

import numpy as np
import pytest

import summand
from summand import Optimizer, SearchSpace


def bowl(point: dict[str, float]) -> float:
    return (point["x"] - 0.5) ** 2 + (point["y"] + 1.0) ** 2


def run(optimizer: Optimizer, rounds: int) -> None:
    for _ in range(rounds):
        for trial in optimizer.ask():
            optimizer.tell(trial, bowl(trial.parameters))


def test_ask_and_tell_find_the_bottom_of_a_bowl(plane: SearchSpace) -> None:
    optimizer = Optimizer(plane, batch_size=4, seed=1, budget=60)
    run(optimizer, 15)
    best = optimizer.best()
    # 60 uniform points of a square of side 4 come within 0.02 of the optimum with probability
    # 60 * 0.02 * pi / 16 = 0.24 (area of the disc of values below 0.02: pi * 0.02); a model does much better.
    assert best is not None and best.value < 0.02
    assert optimizer.evaluation_count == 60 and optimizer.pending() == []
    assert repr(optimizer).startswith("Optimizer(2 parameters, minimize: 60 told, 0 failed, 0 pending, best ")


def test_the_same_seed_and_history_give_the_same_asks(plane: SearchSpace) -> None:
    first, second, other = (Optimizer(plane, batch_size=3, seed=seed) for seed in (5, 5, 6))
    for optimizer in (first, second, other):
        run(optimizer, 5)
    assert first.history == second.history
    assert first.history != other.history
    restored = Optimizer(plane, batch_size=3, seed=5, history=first.history)
    copied = pickle.loads(pickle.dumps(first))
    expected = first.ask()
    assert restored.ask() == expected
    assert copied.ask() == expected


def test_points_are_plain_dicts_in_the_types_of_their_parameters(mixed_space: SearchSpace) -> None:
    optimizer = Optimizer(mixed_space, goal="maximize", seed=3)
    for trial in optimizer.ask(8):
        assert type(trial.parameters) is dict
        assert [type(value) for value in trial.parameters.values()] == [float, int, str, float]
        assert mixed_space.checked(trial.parameters) == trial.parameters
        assert trial["solver"] in ("sgd", "adam")


def test_pending_failed_abandoned_and_added_trials_are_told_apart(plane: SearchSpace) -> None:
    optimizer = Optimizer(plane, seed=2)
    pending, failed, abandoned, told = optimizer.ask(4)
    optimizer.tell(failed, failed="exit status 137")
    optimizer.abandon(abandoned)
    optimizer.tell(told.id, 3)
    added = optimizer.add({"x": 0.25, "y": 1}, 7.5)
    lost = optimizer.add({"x": 0.5, "y": 1}, None)
    states = {record.id: (record.state, record.value, record.added) for record in optimizer.trials()}
    assert states == {
        pending.id: ("running", None, False),
        failed.id: ("failed", None, False),
        abandoned.id: ("abandoned", None, False),
        told.id: ("completed", 3.0, False),
        added: ("completed", 7.5, True),
        lost: ("failed", None, True),
    }
    assert [trial.id for trial in optimizer.pending()] == [pending.id]
    assert optimizer.failure_count == 2
    assert optimizer.best() == summand.Best(told.id, told.parameters, 3.0)
    optimizer.tell(abandoned, 1.0)  # late, and still data
    assert optimizer.evaluation_count == 3


def test_many_points_warm_start_an_optimizer(plane: SearchSpace) -> None:
    random = np.random.default_rng(0)
    points = [{"x": float(x), "y": float(y)} for x, y in random.uniform(-2, 2, (50, 2))]
    optimizer = Optimizer(plane, goal="maximize", seed=1)
    ids = optimizer.add(points, np.array([-bowl(p) for p in points]))
    assert ids == list(range(1, 51)) and optimizer.evaluation_count == 50
    [trial] = optimizer.ask()
    # The design is skipped with this much data: the first ask is the model's, close to the top at (0.5, -1).
    assert bowl(trial.parameters) < min(bowl(p) for p in points) + 0.5


def test_a_finite_space_runs_out_with_a_sentence() -> None:
    optimizer = Optimizer([summand.Choice("c", ["a", "b", "c"])])
    assert sorted(trial["c"] for trial in optimizer.ask(10)) == ["a", "b", "c"]
    with pytest.raises(summand.SpaceExhausted, match="pending"):
        optimizer.ask()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"batch_sise": 3}, "batch_size"),
        ({"goal": "minimise"}, "minimize"),
        ({"batch_size": 0}, "batch_size"),
        ({"preset": "papers"}, "paper"),
        ({"groups": [["x", "z"]]}, '"z"'),
        ({"seed": "one"}, "seed"),
    ],
)
def test_every_mistake_in_the_options_is_a_sentence(plane: SearchSpace, options: dict[str, object], sentence: str) -> None:
    with pytest.raises(summand.InvalidArgument) as raised:
        Optimizer(plane, **options)  # type: ignore[arg-type]
    assert sentence in str(raised.value)


def test_mistakes_in_tell_change_nothing(plane: SearchSpace) -> None:
    optimizer = Optimizer(plane)
    [trial] = optimizer.ask()
    for call in (
        lambda: optimizer.tell(trial, float("nan")),
        lambda: optimizer.tell(99, 1.0),
        lambda: optimizer.add([{"x": 0.0, "y": 0.0}], [1.0, 2.0]),
        lambda: optimizer.add([{"x": 0.0, "y": 0.0}, {"x": 9.0, "y": 0.0}], [1.0, 2.0]),
    ):
        with pytest.raises(summand.InvalidArgument):
            call()
    with pytest.raises(summand.InvalidArgument, match="just one"):
        optimizer.tell(trial)
    assert len(optimizer.history) == 1


def test_options_come_back_resolved_and_keys_are_listed(plane: SearchSpace) -> None:
    options = Optimizer(plane, seed=np.int64(4), batch_size=2).options
    assert options["seed"] == 4 and options["batch_size"] == 2 and options["goal"] == "minimize"
    assert {"seed", "batch_size", "goal", "preset", "budget"} <= set(summand.option_keys())


def test_the_gil_is_free_while_the_engine_computes_and_threads_may_share_an_optimizer(plane: SearchSpace) -> None:
    optimizer = Optimizer(plane, seed=1, initial_points=5)
    optimizer.add([{"x": x / 100 - 1, "y": -x / 150} for x in range(150)], [float(x) for x in range(150)])
    counted, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1

    counter = threading.Thread(target=count)
    askers = [threading.Thread(target=lambda: [optimizer.tell(t, 1.0) for t in optimizer.ask(2)]) for _ in range(3)]
    counter.start()
    for thread in askers:
        thread.start()
    for thread in askers:
        thread.join()
    stop.set()
    counter.join()
    assert optimizer.evaluation_count == 156
    assert counted[0] > 100


def test_what_was_learned_comes_in_names_and_units() -> None:
    names = ["a", "b", "c", "d"]
    space = SearchSpace({name: (0.0, 2.0) for name in names})
    optimizer = Optimizer(space, groups=[["a", "b"], ["c", "d"]], seed=1, initial_points=20)
    random = np.random.default_rng(1)
    points = [dict(zip(names, map(float, row))) for row in random.uniform(0, 2, (60, 4))]
    optimizer.add(points, [p["a"] * p["b"] + np.sin(2 * p["c"] + p["d"]) for p in points])
    assert repr(Optimizer(space).structure()) == "Structure(Nothing has been learned yet: the initial design is not finished.)"
    optimizer.ask(1)
    structure = optimizer.structure()
    assert structure.groups == [["a", "b"], ["c", "d"]]
    assert structure.pair_probability.shape == (4, 4) and structure.probability("a", "b") == 1.0
    importance = optimizer.importance()
    assert list(importance) == names and sum(importance.values()) == pytest.approx(1.0)
    assert all(0.0 <= share.low <= share <= share.high <= 1.0 for share in importance.values())
    assert any(share.low < share.high for share in importance.values())
    first = importance[names[0]]
    assert (again := pickle.loads(pickle.dumps(first))) == first and (again.low, again.high) == (first.low, first.high)
    view = optimizer.slice("a", "b", resolution=7)
    assert view.mean.shape == view.stddev.shape == (7, 7) and view.axes[0][-1] == 2.0
    # a * b has its largest value in the corner (2, 2).
    assert np.unravel_index(view.mean.argmax(), (7, 7)) == (6, 6)
    assert {tuple(s.group) for s in optimizer.group_slices(5)} == {("a", "b"), ("c", "d")}
    with pytest.raises(summand.InvalidArgument, match="one group"):
        optimizer.slice("a", "c")
