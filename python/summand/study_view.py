# SPDX-License-Identifier: Apache-2.0
"""What a study has in common wherever it is: in a database (``Study``) or behind a server (``Client``)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from .frames import trials_frame
from .space import SearchSpace
from .trial import Trial

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["StudyView"]


class StudyView(ABC):
    _space: SearchSpace

    @property
    def space(self) -> SearchSpace:
        return self._space

    @abstractmethod
    def trials(self) -> list[Trial]:
        """All trials with what became of them, by id."""

    @abstractmethod
    def counts(self) -> dict[str, int]:
        """How many trials are waiting, running, lost, completed, failed, abandoned; how many were added."""

    def pending(self) -> list[Trial]:
        """Handed out and not answered, by id."""
        return [trial for trial in self.trials() if trial.state in ("running", "lost")]

    def to_dataframe(self) -> DataFrame:
        """All trials as a table (needs pandas)."""
        return trials_frame(self.trials(), self._space)

    @property
    def evaluation_count(self) -> int:
        return self.counts()["completed"]

    @property
    def failure_count(self) -> int:
        return self.counts()["failed"]
