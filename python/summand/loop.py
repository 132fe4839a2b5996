# SPDX-License-Identifier: Apache-2.0
"""The loop of ``minimize`` and ``maximize``: keeps the workers busy and the study informed."""

from __future__ import annotations

import itertools
import os
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import dataclass
from typing import Optional

from . import _core
from .errors import ExecutorError, SpaceExhausted
from .evaluate import Answer, Function
from .progress import ProgressBar
from .result import Result
from .study import Study
from .trial import State, Trial
from .workers import Workers, answer_of

__all__ = ["Callback", "Loop", "LoopSettings"]

Callback = Callable[[Result, Trial], Optional[bool]]

_POLL_SECONDS = 0.2
_run_numbers = itertools.count(1)


@dataclass(frozen=True)
class LoopSettings:
    trials: int
    batch_size: int
    asynchronous: bool
    reissues: int
    callbacks: Sequence[Callback]
    timeout: Optional[float]


def _warn(sentence: str) -> None:
    """In the name of the user's line that called the package."""
    here, level, frame = os.path.join(os.path.dirname(__file__), ""), 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(here):
        frame, level = frame.f_back, level + 1
    warnings.warn(sentence, RuntimeWarning, stacklevel=level)


class Loop:
    """Every finished evaluation is told at once; in a batch of a study in memory by id, when the batch ends, so that who was
    faster does not matter."""

    def __init__(self, function: Function, study: Study, workers: Workers, settings: LoopSettings, bar: ProgressBar) -> None:
        self.function, self.study, self.workers, self.settings, self.bar = function, study, workers, settings, bar
        self.worker = f"{_core.this_worker()} {next(_run_numbers)}"  # each run gives back its own trials, and no other's
        self.callbacks = settings.callbacks
        self.left = settings.trials
        self.ends_at = None if settings.timeout is None else time.monotonic() + settings.timeout
        self.at_once = settings.asynchronous or self.workers.inline or bool(study.database)
        self.waiting: list[Trial] = []
        self.running: dict[Future[Answer], Trial] = {}
        self.answered: dict[int, tuple[Trial, Answer]] = {}
        self.losses: dict[int, int] = {}
        self.suspects: list[Trial] = []  # for a last attempt each, alone: a worker's death takes others' trials with it
        self.warned = self.stopped = self.any_answered = False

    def run(self) -> None:
        try:
            while self.start():
                self.finish()
        except BaseException:
            self.callbacks = ()
            with suppress(Exception):  # the error that ended the run is the one to be told of
                try:
                    self.keep_finished()
                finally:
                    self.end()
            raise
        self.end()

    def keep_finished(self) -> None:
        """Evaluations that end together with the one that raised appear in the pool's books a moment after it."""
        self.running = {future: trial for future, trial in self.running.items() if not future.cancel()}
        wait(self.running, timeout=_POLL_SECONDS)
        for future, trial in self.running.items():
            if future.done() and not future.cancelled() and future.exception() is None and future.result().error is None:
                self.answered[trial.id] = (trial, future.result())
        self.tell_answered()

    def end(self) -> None:
        """What was handed out to this run and is not answered may be issued again at once."""
        try:
            self.study.release(self.worker)
        finally:
            self.workers.close()
        self.bar.show(self.study, 0, last=True)

    def is_stopped(self) -> bool:
        return self.stopped or (self.ends_at is not None and time.monotonic() >= self.ends_at)

    def start(self) -> bool:
        """Asks for what there is room for, and hands out; false when nothing runs and nothing is left."""
        may_ask = not self.waiting and not self.suspects and (self.settings.asynchronous or not self.running)
        if self.left > 0 and not self.is_stopped() and may_ask:
            self.waiting = self.ask(min(self.settings.batch_size - len(self.running), self.left))
        while self.waiting and not self.suspects and not self.is_stopped():
            self.running[self.workers.submit(self.function, self.waiting[0])] = self.waiting[0]
            del self.waiting[0]
            if self.workers.inline:  # one after the other, each told at once
                break
        return bool(self.running or (self.suspects and not self.is_stopped()))

    def ask(self, count: int) -> list[Trial]:
        if count < 1:
            return []
        try:
            trials = self.study.ask(count, worker=self.worker)
        except SpaceExhausted:
            trials = []
        mine = {trial.id for trial in self.running.values()}  # whose lease has ended, though they run
        fresh = [trial for trial in trials if trial.id not in mine]
        self.left = self.left - len(fresh) if trials else 0
        return fresh

    def finish(self) -> None:
        """Waits for the batch, or for one answer, and tells."""
        while self.running or self.suspects:
            if self.is_stopped():
                self.suspects.clear()
                self.cancel_queued()
            if self.suspects and not self.running:
                trial = self.suspects.pop(0)
                self.running[self.workers.submit(self.function, trial, self.losses[trial.id] + 1)] = trial
            done, _ = wait(self.running, timeout=self.patience(), return_when=FIRST_COMPLETED)
            for future in sorted(done, key=lambda each: self.running[each].id):
                self.settle(self.running[future], answer_of(future))
                del self.running[future]
            self.bar.show(self.study, len(self.running))
            if self.at_once and self.answered:
                break
        self.tell_answered()

    def patience(self) -> float:
        left = 0.0 if self.ends_at is None else self.ends_at - time.monotonic()
        return left if 0.0 < left < _POLL_SECONDS else _POLL_SECONDS

    def cancel_queued(self) -> None:
        """Takes back what a pool has not begun. An executor whose futures never say that they run (Dask's) would give up
        what does run, so there everything is waited for."""
        if self.workers.say_what_runs or any(future.running() for future in self.running):
            self.running = {future: trial for future, trial in self.running.items() if not future.cancel()}

    def settle(self, trial: Trial, answer: Optional[Answer]) -> None:
        """Keeps the answer; a lost trial is issued again until it has been lost too often."""
        if answer is None:
            losses = self.losses[trial.id] = self.losses.get(trial.id, 0) + 1
            if losses <= self.settings.reissues:
                if losses == self.settings.reissues:
                    self.suspects.append(trial)
                elif not self.is_stopped():
                    self.running[self.workers.submit(self.function, trial, losses + 1)] = trial
                return
            given_up = sum(count > self.settings.reissues for count in self.losses.values())
            if given_up > 1 and not self.any_answered:
                raise ExecutorError(
                    f"no worker has answered yet: those of {given_up} trials died each time; see what they need "
                    "(a script that starts processes needs `if __name__ == '__main__':`), then run again: the trials are kept"
                )
            answer = Answer(reason=f"lost: its worker died {losses} times")
        else:
            self.any_answered = True
        if answer.error is not None:
            raise answer.error
        self.answered[trial.id] = (trial, answer)

    def tell_answered(self) -> None:
        for id in sorted(self.answered):
            self.tell(*self.answered[id])

    def tell(self, trial: Trial, answer: Answer) -> None:
        self.study.tell(trial, answer.value, failed=answer.reason if answer.value is None else None)
        del self.answered[trial.id]
        if answer.value is None and not self.warned:
            self.warned = True
            _warn(f"trial {trial.id} failed ({answer.reason}); later failures are only counted")
        self.bar.show(self.study, len(self.running))
        self.call_back(trial, answer)

    def call_back(self, trial: Trial, answer: Answer) -> None:
        state: State = "failed" if answer.value is None else "completed"
        record = Trial(trial.id, trial.parameters, state, answer.value, answer.reason)
        for callback in self.callbacks:
            if callback(Result(self.study), record):
                self.stopped = True
