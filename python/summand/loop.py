# SPDX-License-Identifier: Apache-2.0
"""The loop of ``minimize`` and ``maximize``: keeps the workers busy and the study informed."""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Optional

from .errors import SpaceExhausted
from .evaluate import Answer, Catch, Function
from .progress import ProgressBar
from .result import Result
from .study import Study
from .trial import State, Trial
from .workers import ExecutorLike, Workers, answer_of

__all__ = ["Callback", "Loop", "LoopSettings"]

Callback = Callable[[Result, Trial], Optional[bool]]


@dataclass(frozen=True)
class LoopSettings:
    trials: int
    batch_size: int
    executor: ExecutorLike
    asynchronous: bool
    reissues: int
    catch: Catch
    callbacks: Sequence[Callback]
    timeout: Optional[float]


def _warn(sentence: str) -> None:
    """In the name of the user's line that called the package."""
    here, level, frame = os.path.dirname(__file__), 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(here):
        frame, level = frame.f_back, level + 1
    warnings.warn(sentence, RuntimeWarning, stacklevel=level)


class Loop:
    """Every finished evaluation is told at once; in a batch of a study in memory by id, when the batch ends, so that who was
    faster does not matter."""

    def __init__(self, function: Function, study: Study, settings: LoopSettings, bar: ProgressBar) -> None:
        self.function, self.study, self.settings, self.bar = function, study, settings, bar
        self.left = settings.trials
        self.ends_at = None if settings.timeout is None else time.monotonic() + settings.timeout
        self.workers = Workers(settings.executor, settings.catch)
        self.at_once = settings.asynchronous or self.workers.inline or bool(study.database)
        self.waiting: list[Trial] = []
        self.running: dict[Future[Answer], Trial] = {}
        self.answered: dict[int, tuple[Trial, Answer]] = {}
        self.losses: dict[int, int] = {}
        self.warned = self.stopped = False

    def run(self) -> None:
        try:
            while self.start():
                self.finish()
        finally:
            self.tell_answered()
            for future in self.running:
                future.cancel()
            if self.running or self.waiting:
                self.study.release()
            self.workers.close()
            self.bar.show(self.study, 0, last=True)

    def is_stopped(self) -> bool:
        return self.stopped or (self.ends_at is not None and time.monotonic() >= self.ends_at)

    def start(self) -> bool:
        """Asks for what there is room for, and hands out; false when nothing runs and nothing is left."""
        if self.left > 0 and not self.is_stopped() and not self.waiting and (self.settings.asynchronous or not self.running):
            self.waiting = self.ask(min(self.settings.batch_size - len(self.running), self.left))
        while self.waiting and not self.is_stopped():
            trial = self.waiting.pop(0)
            self.running[self.workers.submit(self.function, trial)] = trial
            if self.workers.inline:  # one after the other, each told at once
                break
        return bool(self.running)

    def ask(self, count: int) -> list[Trial]:
        if count < 1:
            return []
        try:
            trials = self.study.ask(count)
        except SpaceExhausted:
            trials = []
        self.left = self.left - len(trials) if trials else 0
        return trials

    def finish(self) -> None:
        """Waits for the batch, or for one answer, and tells."""
        while self.running:
            done, _ = wait(self.running, timeout=0.2, return_when=FIRST_COMPLETED)
            for future in sorted(done, key=lambda each: self.running[each].id):
                trial = self.running.pop(future)
                self.settle(trial, answer_of(future))
            self.bar.show(self.study, len(self.running))
            if self.at_once and self.answered:
                break
        self.tell_answered()

    def settle(self, trial: Trial, answer: Optional[Answer]) -> None:
        """Keeps the answer; a lost trial is issued again until it has been lost too often."""
        if answer is None:
            self.losses[trial.id] = self.losses.get(trial.id, 0) + 1
            if self.losses[trial.id] <= self.settings.reissues:
                self.running[self.workers.submit(self.function, trial, self.losses[trial.id] + 1)] = trial
                return
            answer = Answer(reason=f"lost: its worker died {self.losses[trial.id]} times")
        if answer.error is not None:
            self.waiting.append(trial)  # not answered: to be given back
            raise answer.error
        self.answered[trial.id] = (trial, answer)

    def tell_answered(self) -> None:
        for id in sorted(self.answered):
            trial, answer = self.answered.pop(id)
            self.tell(trial, answer)

    def tell(self, trial: Trial, answer: Answer) -> None:
        if answer.value is None:
            self.study.tell(trial, failed=answer.reason)
            if not self.warned:
                _warn(f"trial {trial.id} failed ({answer.reason}); later failures are only counted")
            self.warned = True
        else:
            self.study.tell(trial, answer.value)
        self.bar.show(self.study, len(self.running))
        self.call_back(trial, answer)

    def call_back(self, trial: Trial, answer: Answer) -> None:
        state: State = "failed" if answer.value is None else "completed"
        record = Trial(trial.id, trial.parameters, state, answer.value, answer.reason)
        for callback in self.settings.callbacks:
            if callback(Result(self.study), record):
                self.stopped = True
