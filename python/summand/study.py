# SPDX-License-Identifier: Apache-2.0
"""Studies: optimisers whose history lives in an SQLite file, shared with the ``summand`` command."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union, overload

import numpy as np

from . import _core
from .errors import InvalidArgument
from .insight import GroupSlice, Structure
from .optimizer import Optimizer
from .options import to_json
from .space import Parameter, SearchSpace, Value
from .trial import Best, Recommended, Trial, TrialRecord

__all__ = ["Study"]

Path = Union[str, "os.PathLike[str]"]


class Study:
    """An optimiser whose history lives in a file: it outlasts the process and is shared with other processes.

    ::

        study = Study("push.db", space, goal="maximize", batch_size=5, budget=200)   # opens it or makes it
        study = Study("push.db")                                                     # opens what is there
        study = Study("push.toml")                                                   # a study file of the command line

    The ``summand`` command works on the same file, at the same time if you like: ``summand status push.db``,
    ``summand run push.toml``. What ``tell`` has acknowledged is stored for good; no trial is handed to two workers unless its
    lease ended or its worker died; no more trials than ``budget`` are ever issued. Safe for several threads.

    :param path: the database (a file or postgresql://...), or (without a space) a study file. ":memory:" with a space: nothing is stored.
    :param name: needed only if the database holds several studies; a new one is called like its file.
    :param command: what ``summand run`` starts for a trial, with ``{name}`` placeholders. This and the other settings
        (workers, asynchronous, retries, time_limit_seconds, lease_seconds, budget, optimum) may change later; None keeps what
        is stored.
    :param optimum: the best value there is, if it is known: reports then show the regret.
    :param options: the optimiser's, as for ``Optimizer``; fixed once the study exists.
    """

    def __init__(
        self,
        path: Path,
        space: Union[SearchSpace, Sequence[Parameter], Mapping[str, object], None] = None,
        *,
        name: Optional[str] = None,
        goal: str = "minimize",
        batch_size: int = 1,
        seed: int = 0,
        budget: Optional[int] = None,
        optimum: Optional[float] = None,
        command: Optional[Sequence[str]] = None,
        workers: Optional[int] = None,
        asynchronous: Optional[bool] = None,
        retries: Optional[int] = None,
        time_limit_seconds: Optional[float] = None,
        lease_seconds: Optional[float] = None,
        **options: object,
    ) -> None:
        self._optimizer: Optional[tuple[tuple[int, ...], Optimizer]] = None
        if space is None:
            self._core = _core.open_study(os.fspath(path), name or "")
        else:
            given = space if isinstance(space, SearchSpace) else SearchSpace(space)
            text = to_json({"goal": goal, "batch_size": batch_size, "seed": seed, "budget": budget, **options})
            settings = {
                "command": None if command is None else [str(part) for part in command],
                "budget": budget, "optimum": optimum, "workers": workers,
                "asynchronous": asynchronous, "retries": retries, "time_limit_seconds": time_limit_seconds,
                "lease_seconds": lease_seconds,
            }  # fmt: skip
            memory = os.fspath(path) == ":memory:"
            server = str(path).startswith(("postgresql://", "postgres://"))
            database = "" if memory else str(path) if server else os.path.abspath(path)
            called = name or ("study" if memory or server else os.path.splitext(os.path.basename(path))[0])
            chosen = {key: value for key, value in settings.items() if value is not None}
            self._core = _core.open_or_create_study(database, called, given._core, text, chosen)
        self._space = SearchSpace._wrap(self._core.space())

    @property
    def name(self) -> str:
        return self._core.name()

    @property
    def space(self) -> SearchSpace:
        return self._space

    @property
    def options(self) -> dict[str, Any]:
        """The optimiser's options with the preset's values filled in."""
        resolved: dict[str, Any] = json.loads(self._core.options())
        return resolved

    @property
    def budget(self) -> Optional[int]:
        """The most trials that are ever issued; None: no limit."""
        return self._core.budget()

    @property
    def database(self) -> str:
        """Where it is stored; empty: in memory."""
        return self._core.database()

    def ask(
        self,
        count: Optional[int] = None,
        *,
        worker: Optional[str] = None,
        lease_seconds: Optional[float] = None,
        key: str = "",
    ) -> list[Trial]:
        """Trials to evaluate (default: batch_size): lost ones first, then new ones. Fewer, or none, when the budget is used
        up or a finite space has no other point left.

        :param worker: who evaluates them; None: this process, and its death gives them back at once.
        :param lease_seconds: after that the trials may be issued again.
        :param key: the same key again gives the same trials.
        """
        if count is not None and count < 1:
            raise InvalidArgument(f"ask: count is {count}; ask for at least one trial")
        name = _core.this_worker() if worker is None else worker
        return [Trial(id, point) for id, point, *_ in self._core.ask(count or 0, name, lease_seconds, key)]

    def tell(
        self,
        trial: Union[Trial, int],
        value: Optional[float] = None,
        *,
        failed: Optional[str] = None,
        worker: str = "",
        key: str = "",
    ) -> str:
        """The value at a trial (or its id), or ``failed="the reason"``.

        Returns "accepted", "repeated" (this very answer was there already) or "kept-as-late" (the trial had another answer:
        this one is kept beside it and changes nothing).
        """
        if (value is None) == (failed is None):
            raise TypeError("tell takes a value or failed=REASON, and just one of them")
        id = trial if isinstance(trial, int) else trial.id
        return self._core.tell(id, None if value is None else float(value), failed or "", worker, key)

    @overload
    def add(self, points: Mapping[str, Value], values: Optional[float], *, key: str = "") -> int: ...
    @overload
    def add(
        self,
        points: Sequence[Mapping[str, Value]],
        values: Sequence[Optional[float]] | np.ndarray[Any, Any],
        *,
        key: str = "",
    ) -> list[int]: ...

    def add(self, points: Any, values: Any, *, key: str = "") -> Union[int, list[int]]:
        """The user's own data, outside the budget; all or nothing. None as a value means failed. Returns the ids."""
        if isinstance(points, Mapping):
            return self.add([points], [values], key=key)[0]
        outcomes = [None if v is None else float(v) for v in values]
        return self._core.add([dict(p) for p in points], outcomes, key)

    def abandon(self, trial: Union[Trial, int]) -> None:
        """The answer to this trial is not wanted any more."""
        self._core.abandon(trial if isinstance(trial, int) else trial.id)

    def renew(self, worker: str, lease_seconds: float) -> None:
        """The worker is alive: extends the leases of all it runs."""
        self._core.renew(worker, lease_seconds)

    def release(self, worker: Optional[str] = None) -> None:
        """The worker (default: this process) stops: what it runs may be issued again at once."""
        self._core.release(_core.this_worker() if worker is None else worker)

    def best(self) -> Optional[Best]:
        found = self._core.best()
        return None if found is None else Best(found[0], found[1], found[3] or 0.0)

    def recommended(self) -> Optional[Recommended]:
        """The told point that the model expects most of, without noise; None before there is a model."""
        found = self._core.recommended()
        return None if found is None else Recommended(*found)

    def trials(self) -> list[TrialRecord]:
        """All trials with what became of them, by id."""
        return [TrialRecord(*each) for each in self._core.trials()]

    def pending(self) -> list[Trial]:
        """Handed out and not answered, by id."""
        return [Trial(t.id, t.parameters) for t in self.trials() if t.state in ("running", "lost")]

    def counts(self) -> dict[str, int]:
        """How many trials are running, lost, completed, failed, abandoned; how many were added."""
        return self._core.counts()

    @property
    def evaluation_count(self) -> int:
        return self.counts()["completed"]

    @property
    def failure_count(self) -> int:
        return self.counts()["failed"]

    def optimizer(self) -> Optimizer:
        """A separate optimiser with the study's history: for what has been learned, or to try things out."""
        history, snapshot = self._core.optimizer_state()
        return Optimizer(self._space, history=history, snapshot=snapshot, **self.options)

    def _learned(self) -> Optimizer:
        """The same, kept until the study has moved on."""
        counts = tuple(self.counts().values())
        if self._optimizer is None or self._optimizer[0] != counts:
            self._optimizer = (counts, self.optimizer())
        return self._optimizer[1]

    def structure(self) -> Structure:
        """Which parameters belong together, as of the last ask."""
        return self._learned().structure()

    def importance(self) -> dict[str, float]:
        """The share of the model's variation that each parameter is responsible for."""
        return self._learned().importance()

    def group_slices(self, resolution: int = 50) -> list[GroupSlice]:
        """The posterior of each group along its parameters; see ``Optimizer.group_slices``."""
        return self._learned().group_slices(resolution)

    def __repr__(self) -> str:
        best, counts = self.best(), self.counts()
        found = f"best {best.value:.6g}" if best else "nothing told yet"
        where = self.database or "in memory"
        return (
            f"Study({self.name!r}, {where}: {len(self._space)} parameters, {counts['completed']} completed, "
            f"{counts['failed']} failed, {counts['running'] + counts['lost']} open, {found})"
        )
