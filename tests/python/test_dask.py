# SPDX-License-Identifier: Apache-2.0
"""Beyond one machine: a Dask cluster of several worker processes, one of which is killed in the middle."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import summand

distributed = pytest.importorskip("distributed")


def quick(point: dict[str, Any]) -> float:
    return float((point["x"] - 0.5) ** 2 + point["y"] ** 2)


class Recorded:
    """A slow function that notes in which process each point was evaluated."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)

    def __call__(self, point: dict[str, Any]) -> float:
        with open(os.path.join(self.folder, str(os.getpid())), "a") as log:
            log.write(f"{point['x']!r}\n")
        time.sleep(0.15)
        return quick(point)


def kill_a_busy_worker(folder: Path, killed: list[int]) -> None:
    """Waits until some worker has begun its second point, and kills that one."""
    while True:
        for log in folder.iterdir():
            if len(log.read_text().splitlines()) >= 2:
                killed.append(int(log.name))
                os.kill(killed[0], signal.SIGKILL)
                return
        time.sleep(0.02)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as cluster, distributed.Client(cluster) as connected:
        yield connected


@pytest.mark.parametrize("allowed_failures", [0, 3], ids=["we issue again", "dask issues again"])
def test_nothing_is_lost_when_a_worker_is_killed(client: Any, tmp_path: Path, allowed_failures: int) -> None:
    space = {"x": (-2.0, 2.0), "y": (-2.0, 2.0)}
    expected = summand.minimize(quick, space, budget=18, batch_size=6, seed=3)
    client.run_on_scheduler(lambda dask_scheduler: setattr(dask_scheduler, "allowed_failures", allowed_failures))
    killed: list[int] = []
    killer = threading.Thread(target=kill_a_busy_worker, args=(tmp_path, killed), daemon=True)
    killer.start()
    result = summand.minimize(Recorded(tmp_path), space, budget=18, batch_size=6, seed=3, executor=client.get_executor())
    killer.join(timeout=5)
    assert len(killed) == 1
    assert len(list(tmp_path.iterdir())) >= 2, "several processes took part"
    # Every trial has its value, and the killed worker changed nothing at all: a batch is told by id.
    assert result.trials == expected.trials
