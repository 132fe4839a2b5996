# SPDX-License-Identifier: Apache-2.0
"""Studies: optimisers whose history lives in an SQLite file, shared with the ``summand`` command."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Optional, Union, overload

import numpy as np

from . import _core
from .checks import listed, number, path_text, shown, text, trial_id, truth, whole
from .errors import InvalidArgument
from .frames import is_point, rows
from .insight import Array, GroupSlice, Importance, Structure, structure_from
from .optimizer import Optimizer, asked_count, one_outcome, outcome, outcomes
from .options import Goal, to_json
from .predict import Predictor
from .space import Choice, Point, SearchSpace, SpaceLike
from .study_view import StudyView
from .trial import Best, PointLike, Recommended, Trial, refuse_foreign
from .values import literals_of

if TYPE_CHECKING:
    from pandas import DataFrame
    from typing_extensions import Unpack

    from .option_types import OptimizerOptions

__all__ = ["Study"]

Path = Union[str, "os.PathLike[str]"]
Answered = Literal["accepted", "repeated", "kept-as-late"]


def _is_server(path: str) -> bool:
    return path.startswith(("postgresql://", "postgres://"))


def _checked_settings(given: dict[str, Any]) -> dict[str, Any]:
    """The settings that were given, of the types the engine takes."""
    settings = {key: value for key, value in given.items() if value is not None}
    if "command" in settings:
        wanted = 'given as a list, for example ["python", "train.py", "{rate}"] (no shell runs it)'
        parts = listed("Study", "command", settings["command"], wanted)
        if not parts or not all(isinstance(part, (str, os.PathLike, int, float)) for part in parts):
            raise InvalidArgument(f"Study: command is {shown(settings['command'])}; it must be {wanted}")
        settings["command"] = [text("Study", "a part of command", str(part)) for part in parts]
    for key, least in (("budget", 1), ("workers", 1), ("retries", 0)):
        if key in settings:
            settings[key] = whole("Study", key, settings[key], least)
    for key in ("time_limit_seconds", "lease_seconds"):
        if key in settings:
            settings[key] = number("Study", key, settings[key], above=0.0)
    if "optimum" in settings:
        settings["optimum"] = number("Study", "optimum", settings["optimum"])
    if "asynchronous" in settings:
        settings["asynchronous"] = truth("Study", "asynchronous", settings["asynchronous"])
    return settings


_PASSING = re.compile(r" at 0x[0-9a-f]|frozenset\(\{(?![-\d., ]*\}).*, ", re.IGNORECASE | re.DOTALL)
"""In the text of a value: an address, or the order of a set of more than numbers."""


def _refuse_passing_values(space: SearchSpace) -> None:
    """What a choice's value is called must be the same in the process that goes on with the study."""
    for choice in (p for p in space if isinstance(p, Choice)):
        for value in choice.values:
            if not isinstance(value, str) and _PASSING.search(repr(value)):
                raise InvalidArgument(
                    f'Study: choice "{choice.name}" holds {value!r}, whose text is another one in each process, so a stored '
                    "study would not know it again; give its name as a word, and let the function look it up"
                )


class Study(StudyView):
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
        space: Optional[SpaceLike] = None,
        *,
        name: Optional[str] = None,
        goal: Goal = "minimize",
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
        **options: Unpack[OptimizerOptions],
    ) -> None:
        path = path_text("Study", path)
        settings = _checked_settings({
            "command": command, "budget": budget, "optimum": optimum, "workers": workers, "asynchronous": asynchronous,
            "retries": retries, "time_limit_seconds": time_limit_seconds, "lease_seconds": lease_seconds,
        })  # fmt: skip
        called = None if name is None else text("Study", "name", name)
        self._address = path  # with the password, which database leaves out
        if space is None:
            self._open(_core.open_study(path, called or ""), None)
        else:
            all_options = {"goal": goal, "batch_size": batch_size, "seed": seed, "budget": budget, **options}
            self._create(path, called, space, all_options, settings)

    @classmethod
    def _in_memory(cls, space: SpaceLike, options: dict[str, Any]) -> Study:
        """One without a budget of its own; the options may name the budget that is planned with."""
        study = cls.__new__(cls)
        study._address = ":memory:"
        study._create(":memory:", None, space, options, {})
        return study

    def _create(
        self, path: str, name: Optional[str], space: SpaceLike, options: dict[str, Any], settings: dict[str, Any]
    ) -> None:
        given = space if isinstance(space, SearchSpace) else SearchSpace(space)
        literals = {p.name: literals_of(p.values) for p in given if isinstance(p, Choice) and literals_of(p.values)}
        memory, server = path == ":memory:", _is_server(path)
        database = "" if memory else path if server else os.path.abspath(path)
        if not memory:
            _refuse_passing_values(given)
        called = name or ("study" if memory or server else os.path.splitext(os.path.basename(path))[0])
        all_settings = {**settings, "literals": literals}
        self._open(_core.open_or_create_study(database, called, given._core, to_json(options), all_settings), given)

    def _open(self, core: _core.Study, space: Optional[SearchSpace]) -> None:
        self._core = core
        self._space = space or SearchSpace._wrap(core.space(), core.literals())
        self._source = f"{core.database()} {core.name()}" if core.database() else os.urandom(8).hex()
        self._predictor = Predictor()
        self._optimizer: Optional[tuple[tuple[int, ...], Optimizer]] = None

    def _with_values_of(self, space: SearchSpace) -> Study:
        """The same study, with the values of this space for its words."""
        view = Study.__new__(Study)
        view._address = self._address
        view._open(self._core, space)
        view._source = self._source
        return view

    def __reduce__(self) -> tuple[Any, ...]:
        if not self.database:
            raise InvalidArgument(
                "Study: one in memory cannot be pickled; store it in a file, or pickle study.optimizer(), which has its "
                "history and all that was learned"
            )
        address = self._address if _is_server(self._address) else self.database
        return (_reopened, (address, self.name, self._space))

    @property
    def name(self) -> str:
        return self._core.name()

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
        count = asked_count(count)
        name = _core.this_worker() if worker is None else text("ask", "worker", worker)
        lease = None if lease_seconds is None else number("ask", "lease_seconds", lease_seconds, above=0.0)
        issued = self._core.ask(count or 0, name, lease, text("ask", "key", key))
        return [self._trial(id, point) for id, point, *_ in issued]

    def _trial(self, id: int, point: Point) -> Trial:
        return Trial(id, self._space._from_engine(point), source=self._source)

    def tell(
        self,
        trial: Union[Trial, int],
        value: Optional[float] = None,
        *,
        failed: Optional[str] = None,
        worker: str = "",
        key: str = "",
    ) -> Answered:
        """The value at a trial (or its id), or ``failed="the reason"``.

        Returns "accepted", "repeated" (this very answer was there already) or "kept-as-late" (the trial had another answer:
        this one is kept beside it and changes nothing).
        """
        told, reason = one_outcome("tell", value, failed)
        id = trial_id("tell", trial)
        if isinstance(trial, Trial) and trial.source != self._source:
            refuse_foreign("tell", trial, self._source, self.trials())
        return self._core.tell(id, told, reason, text("tell", "worker", worker), text("tell", "key", key))

    @overload
    def add(self, points: PointLike, values: Optional[float], *, key: str = "") -> int: ...
    @overload
    def add(
        self,
        points: Union[Sequence[PointLike], DataFrame],
        values: Union[Sequence[Optional[float]], np.ndarray[Any, Any], Any],
        *,
        key: str = "",
    ) -> list[int]: ...

    def add(self, points: Any, values: Any, *, key: str = "") -> Union[int, list[int]]:
        """The user's own data (a point, or many as mappings or a table), outside the budget; all or nothing. None as a value
        means failed, and so does what is missing (NaN) in a table's column. Returns the ids."""
        single = is_point(points)
        converted = [self._space._to_engine(point) for point in rows("add", points)]
        ids = self._core.add(converted, [outcome("add", values)] if single else outcomes(values), text("add", "key", key))
        return ids[0] if single else ids

    def enqueue(self, points: Union[Sequence[PointLike], DataFrame], *, key: str = "") -> list[int]:
        """Points to evaluate before any suggestion, within the budget; all or nothing. Returns their ids."""
        return self._core.enqueue([self._space._to_engine(p) for p in rows("enqueue", points)], text("enqueue", "key", key))

    def accept_new_strategy(self) -> None:
        """A study that an older version began goes on with the default strategy of this one; ``ask`` refuses before. Nothing that was told is lost."""
        self._core.accept_new_strategy()

    def abandon(self, trial: Union[Trial, int]) -> None:
        """The answer to this trial is not wanted any more."""
        self._core.abandon(trial_id("abandon", trial))

    def renew(self, worker: str, lease_seconds: float) -> None:
        """The worker is alive: extends the leases of all it runs."""
        self._core.renew(text("renew", "worker", worker), number("renew", "lease_seconds", lease_seconds, above=0.0))

    def release(self, worker: Optional[str] = None) -> None:
        """The worker (default: this process, but for its runs of ``minimize``, which give back their own) stops: what it runs
        may be issued again at once."""
        self._core.release(_core.this_worker() if worker is None else text("release", "worker", worker))

    def best(self) -> Optional[Best]:
        found = self._core.best()
        return None if found is None else Best(found[0], self._space._from_engine(found[1]), found[3] or 0.0)

    def recommended(self) -> Optional[Recommended]:
        """The told point with the best posterior mean: what to use when values are noisy; None before there is a model."""
        found = self._core.recommended()
        return None if found is None else Recommended(found[0], self._space._from_engine(found[1]), *found[2:])

    def predict(self, points: Union[PointLike, Sequence[PointLike], DataFrame]) -> tuple[Array, Array]:
        """Mean and standard deviation of the function at a point or points; see ``Optimizer.predict``."""
        return self._predictor.predict(self._space, self.trials(), self.structure(), points)

    def trials(self) -> list[Trial]:
        return [
            Trial(id, self._space._from_engine(point), state, value, reason, added, self._source)
            for id, point, state, value, reason, added in self._core.trials()
        ]

    def report(self, path: Optional[Path] = None) -> str:
        """The page that ``summand report`` makes, as text; with a path it is written there too."""
        page = self._core.report(time.time())
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(page)
        return page

    def counts(self) -> dict[str, int]:
        return self._core.counts()

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
        return structure_from(self._core.structure())

    def importance(self) -> dict[str, Importance]:
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


def _reopened(database: str, name: str, space: SearchSpace) -> Study:
    study = Study.__new__(Study)
    study._address = database
    study._open(_core.open_study(database, name), space)
    return study
