# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import summand
from summand import Optimizer, SearchSpace, Study


def bowl(point: dict[str, Any]) -> float:
    return float((point["x"] - 0.5) ** 2 + (point["y"] + 1.0) ** 2)


def test_a_study_outlives_the_object_and_goes_on(plane: SearchSpace, tmp_path: Path) -> None:
    path = tmp_path / "bowl.db"
    first = Study(path, plane, batch_size=3, seed=4, budget=9)
    for trial in first.ask():
        assert first.tell(trial, bowl(trial.parameters)) == "accepted"
    del first
    study = Study(path)
    assert (study.name, study.space, study.budget, study.options["batch_size"]) == ("bowl", plane, 9, 3)
    assert study.database == str(path) and study.evaluation_count == 3
    for trial in study.ask(99):
        study.tell(trial, bowl(trial.parameters))
    assert study.ask() == [] and study.counts()["completed"] == 9, "the budget is exact"
    assert "9 completed, 0 failed, 0 open, best" in repr(study)
    best = study.best()
    assert best is not None and best.value == min(t.value for t in study.trials() if t.value is not None)


def test_the_same_answers_give_the_same_asks_as_an_optimizer(plane: SearchSpace) -> None:
    study = Study(":memory:", plane, batch_size=4, seed=9)
    optimizer = Optimizer(plane, batch_size=4, seed=9)
    for _ in range(4):
        trials = study.ask()
        assert trials == optimizer.ask()
        for trial in trials:
            study.tell(trial, bowl(trial.parameters))
            optimizer.tell(trial, bowl(trial.parameters))
    assert study.optimizer().ask() == optimizer.ask()
    assert study.structure().groups == optimizer.structure().groups


def test_answers_are_kept_once_and_requests_with_a_key_are_idempotent(plane: SearchSpace) -> None:
    study = Study(":memory:", plane)
    [trial] = study.ask(1, key="first")
    assert study.ask(1, key="first") == [trial]
    assert study.tell(trial, 2.0) == "accepted"
    assert study.tell(trial, 2.0) == "repeated"
    assert study.tell(trial, 3.0) == "kept-as-late"
    [failed, unwanted] = study.ask(2)
    study.tell(failed, failed="no signal")
    study.abandon(unwanted)
    assert study.add({"x": 0.0, "y": 0.0}, 1.0) == 4
    assert study.add([{"x": 0.5, "y": 0.0}], [None]) == [5]
    assert [(t.state, t.value, t.reason, t.added) for t in study.trials()] == [
        ("completed", 2.0, "", False),
        ("failed", None, "no signal", False),
        ("abandoned", None, "", False),
        ("completed", 1.0, "", True),
        ("failed", None, "", True),
    ]


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda s, p: Study(p / "missing.db"), summand.StorageError, "missing.db"),
        (lambda s, p: Study(p / "s.db", {"z": (0.0, 1.0)}), summand.InvalidArgument, "other parameters"),
        (lambda s, p: Study(p / "s.db", s.space, seed=99), summand.InvalidArgument, "other optimiser options"),
        (lambda s, p: Study(p / "s.db", name="t"), summand.InvalidArgument, '"t"'),
        (lambda s, p: s.tell(7, 1.0), summand.InvalidArgument, "7"),
        (lambda s, p: s.ask(0), summand.InvalidArgument, "at least 1"),
        (lambda s, p: s.add([{"x": 0.0, "y": 0.0}], []), summand.InvalidArgument, "as many of each"),
        (lambda s, p: s.tell(1), summand.InvalidArgument, "just one"),
    ],
)
def test_mistakes_are_sentences(
    plane: SearchSpace, tmp_path: Path, call: Any, kind: type[Exception], sentence: str
) -> None:
    study = Study(tmp_path / "s.db", plane)
    with pytest.raises(kind) as raised:
        call(study, tmp_path)
    assert sentence in str(raised.value)


def test_a_file_that_is_no_database_is_refused_and_left_alone(plane: SearchSpace, tmp_path: Path) -> None:
    foreign = tmp_path / "notes.db"
    foreign.write_text("not a database")
    with pytest.raises(summand.StorageError, match="notes.db"):
        Study(foreign, plane)
    assert foreign.read_text() == "not a database"


def test_minimize_goes_on_where_it_stopped(plane: SearchSpace, tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    calls = []

    def stops_at_ten(point: dict[str, Any]) -> float:
        calls.append(point)
        if len(calls) == 10:
            raise KeyboardInterrupt
        return bowl(point)

    with pytest.raises(summand.Interrupted):
        summand.minimize(stops_at_ten, plane, budget=16, batch_size=4, study=path)
    done = {t.id: t.value for t in Study(path).trials() if t.state == "completed"}
    assert len(done) >= 8, "batches that were finished are stored"
    result = summand.minimize(bowl, plane, budget=16, batch_size=4, study=path)
    assert [t.state for t in result.trials] == ["completed"] * 16
    assert done.items() <= {t.id: t.value for t in result.trials}.items()
    more = summand.minimize(bowl, plane, budget=20, batch_size=4, study=path)
    assert len(more.trials) == 20, "a larger budget continues the study"


def test_threads_may_share_a_study(plane: SearchSpace, tmp_path: Path) -> None:
    study = Study(tmp_path / "t.db", plane, budget=24)

    def work() -> None:
        while trials := study.ask(1):
            study.tell(trials[0], bowl(trials[0].parameters))

    with ThreadPoolExecutor(4) as pool:
        for future in [pool.submit(work) for _ in range(4)]:
            future.result()
    assert study.counts()["completed"] == 24 and [t.id for t in study.trials()] == list(range(1, 25))


def ask_and_die(path: str) -> None:
    Study(path).ask(2)
    os.kill(os.getpid(), signal.SIGKILL)


def test_trials_of_a_killed_process_are_issued_again(plane: SearchSpace, tmp_path: Path) -> None:
    study = Study(tmp_path / "k.db", plane, budget=4)
    worker = multiprocessing.get_context("spawn").Process(target=ask_and_die, args=(str(tmp_path / "k.db"),))
    worker.start()
    worker.join()
    assert worker.exitcode == -signal.SIGKILL
    assert sorted(trial.id for trial in study.ask(4)) == [1, 2, 3, 4]


def run(command: str, *arguments: str) -> str:
    done = subprocess.run([command, *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_command_line_and_python_work_on_one_study(plane: SearchSpace, tmp_path: Path, command: str) -> None:
    path = str(tmp_path / "shared.db")
    script = tmp_path / "bowl.py"
    script.write_text("import sys\nx, y = map(float, sys.argv[1:])\nprint((x - 0.5) ** 2 + (y + 1.0) ** 2)\n")
    study = Study(path, plane, seed=2, budget=6, command=[sys.executable, str(script), "{x}", "{y}"])
    [mine] = study.ask(1)
    [theirs] = json.loads(run(command, "ask", path, "--count", "1", "--json"))
    assert theirs["id"] == mine.id + 1 and set(theirs["parameters"]) == {"x", "y"}
    run(command, "tell", path, str(mine.id), repr(bowl(mine.parameters)))  # each answers for the other
    assert study.tell(theirs["id"], bowl(theirs["parameters"])) == "accepted"
    run(command, "run", path, "--quiet")
    assert study.counts()["completed"] == 6
    for trial in study.trials():
        assert trial.value == bowl(trial.parameters), "to the last bit, through text and back"
    best = study.best()
    assert best is not None and json.loads(run(command, "best", path, "--json"))["value"] == best.value


def test_a_study_file_opens_in_python(tmp_path: Path) -> None:
    file = tmp_path / "push.toml"
    file.write_text(
        'name = "push"\ngoal = "maximize"\nbudget = 5\n[optimizer]\nseed = 1\n'
        "[parameters]\nx = { type = \"real\", low = -5.0, high = 5.0 }\n"
    )
    study = Study(file)
    assert (study.name, study.options["goal"], study.budget) == ("push", "maximize", 5)
    file.write_text(file.read_text().replace("real", "reel"))
    with pytest.raises(summand.InvalidArgument, match="push.toml"):
        Study(file)
