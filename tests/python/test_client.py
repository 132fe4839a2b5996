# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import summand
from summand import Client, SearchSpace


class Server:
    def __init__(self, command: str, folder: Path, port: int = 0) -> None:
        self.process = subprocess.Popen(
            [command, "serve", "studies.db", "--port", str(port)], cwd=folder, text=True, stdout=subprocess.PIPE
        )
        assert self.process.stdout is not None
        found = re.search(r"(http://[\d.]+:(\d+))/", self.process.stdout.readline())
        assert found is not None
        self.url, self.port = found[1], int(found[2])

    def stop(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)
        self.process.wait(timeout=60)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def server(command: str, tmp_path: Path) -> Iterator[Server]:
    if "serve" not in subprocess.run([command, "--help"], capture_output=True, text=True).stdout:
        pytest.skip("the command was built without its server")
    running = Server(command, tmp_path)
    yield running
    running.stop()


def test_a_client_has_the_methods_of_a_study(server: Server, mixed_space: SearchSpace) -> None:
    study = Client(server.url, "mixed", mixed_space, goal="maximize", batch_size=2, budget=9, initial_points=100)
    assert study.space == mixed_space and study.budget == 9 and study.options["batch_size"] == 2
    first, second = study.ask()
    assert study.space.checked(first.parameters) == first.parameters
    assert study.tell(first, 2.0, also={"seconds": 3.0}) == "accepted"
    assert study.tell(first.id, 2.0, also={"seconds": 3.0}) == "repeated"
    assert study.tell(second, failed="no") == "accepted"
    assert study.correct(first, 2.5) == "accepted"
    assert study.add(first.parameters, 1.0) == 3
    assert study.enqueue(second.parameters) == [4]
    assert study.ask(1)[0].parameters == second.parameters
    best = study.best()
    assert best is not None and (best.id, best.value) == (1, 2.5)
    assert [t.state for t in study.trials()] == ["completed", "failed", "completed", "running"]
    assert [t.id for t in study.pending()] == [4]
    study.abandon(4)
    study.rerun(2)
    assert study.counts()["waiting"] == 1 and study.evaluation_count == 2 and study.failure_count == 0
    assert study.structure().names == mixed_space.names and study.importance() == {} and study.group_slices() == []
    assert study.recommended() is None
    study.pause()
    assert study.ask() == []
    study.resume()
    study.set_budget(3)
    assert Client(server.url, "mixed").space == mixed_space
    study.delete()
    with pytest.raises(summand.InvalidArgument, match="no study"):
        study.best()


def test_choices_may_be_anything(server: Server) -> None:
    space = SearchSpace({"x": (0.0, 1.0), "layers": [1, 2, None], "fast": [True, False]})
    study = Client(server.url, "any", space, initial_points=100)
    trial = study.ask(1)[0]
    assert trial["fast"] in (True, False) and trial["layers"] in (1, 2, None)
    assert study.add(trial.parameters, 1.0) == 2


def test_mistakes_are_sentences(server: Server, plane: SearchSpace) -> None:
    with pytest.raises(summand.InvalidArgument, match="there is no study"):
        Client(server.url, "nobody")
    with pytest.raises(summand.InvalidArgument, match="must look like"):
        Client("ftp://localhost", "x")
    study = Client(server.url, "plane", plane)
    with pytest.raises(summand.InvalidArgument, match="there is no trial 7"):
        study.tell(7, 1.0)
    with pytest.raises(summand.InvalidArgument, match="just one of them"):
        study.tell(1)
    with pytest.raises(summand.InvalidArgument, match="2 points and 1 values"):
        study.add([{"x": 0.0, "y": 0.0}, {"x": 1.0, "y": 1.0}], [1.0])
    with pytest.raises(summand.StorageError, match="does not answer"):
        Client("http://127.0.0.1:1", "x", patience_seconds=0.1)


def test_a_client_survives_a_server_that_is_killed(command: str, tmp_path: Path, plane: SearchSpace) -> None:
    first = Server(command, tmp_path)
    study = Client(first.url, "plane", plane, initial_points=100)
    trial = study.ask(1)[0]
    first.stop(signal.SIGKILL)
    told: list[str] = []
    waiting = threading.Thread(target=lambda: told.append(study.tell(trial, 1.0)))
    waiting.start()
    time.sleep(0.2)
    second = Server(command, tmp_path, first.port)
    waiting.join(timeout=60)
    assert told == ["accepted"] and study.evaluation_count == 1
    second.stop()


def test_arguments_of_foreign_kinds_are_taken_or_are_sentences(server: Server, plane: SearchSpace) -> None:
    study = Client(server.url, "plane", plane, initial_points=100)
    trial, other = study.ask(2)
    assert study.tell(np.int64(trial.id), np.float32(2.0)) == "accepted"  # type: ignore[arg-type]
    assert study.tell(other, failed="exit 1: \udcff") == "accepted"
    assert study.trials()[1].reason == r"exit 1: \udcff"
    assert study.add({"x": np.float32(0.5), "y": np.array(1)}, 1.0) == 3 and study.add(study.trials()[:1], [1.0]) == [4]
    assert study.enqueue(study.best()) == [5]
    mean, stddev = study.predict([trial, other])
    assert mean.shape == stddev.shape == (2,)
    for call, sentence in (
        (lambda: study.tell("a", 1.0), "no trial"),  # type: ignore[arg-type]
        (lambda: study.tell(2**70, 1.0), "there is no trial"),
        (lambda: study.tell(1, float("nan")), "only finite numbers"),
        (lambda: study.tell(1, 1.0, also={"seconds": float("nan")}), "finite number"),
        (lambda: study.add({"x": None, "y": 0.0}, 1.0), '"x" was given None'),
        (lambda: study.ask(lease_seconds=float("nan")), "finite number"),
        (lambda: Client(server.url, "other", plane, lengthscale=float("nan")), "finite number"),
        (lambda: Client("http://127.0.0.1:99999", "plane"), "must look like"),
        (lambda: Client(3, "plane"), "must look like"),  # type: ignore[arg-type]
        (lambda: Client(server.url, 3), "must be a str"),  # type: ignore[arg-type]
    ):
        with pytest.raises(summand.InvalidArgument, match=sentence):
            call()


def test_what_cannot_stand_in_a_header_is_refused_without_showing_it() -> None:
    for given in ({"token": "sec ret\n\nmore"}, {"token": "geh\u00e9im"}, {"token": 3}):
        with pytest.raises(summand.InvalidArgument, match="token must be") as refused:
            summand.Client("http://127.0.0.1:9", "p", patience_seconds=0.0, **given)  # type: ignore[arg-type]
        assert "sec" not in str(refused.value)
    with pytest.raises(summand.StorageError, match="does not answer"):  # a line end, as of a file, is left out
        summand.Client("http://127.0.0.1:9", "p", patience_seconds=0.0, token="secret\n")
    with pytest.raises(summand.InvalidArgument, match="nofile"):
        summand.Client("https://127.0.0.1:9", "p", ca_file="/nofile")
