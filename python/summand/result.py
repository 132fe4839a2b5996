# SPDX-License-Identifier: Apache-2.0
"""What ``minimize`` and ``maximize`` give back."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from .errors import InvalidArgument
from .insight import Array, GroupSlice, Importance, Structure
from .optimizer import Optimizer
from .options import Goal
from .space import Value
from .study import Study
from .trial import Best, Recommended, Trial

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

__all__ = ["Interrupted", "Result"]


class Result:
    """The best point, all trials, what was learned, ``plot()``, ``report()`` and ``to_dataframe()``."""

    def __init__(self, source: Union[Study, Optimizer]) -> None:
        self.source = source
        """The study, in memory or stored: ``source.ask()`` goes on from here. An ``Optimizer`` after unpickling."""

    @property
    def best(self) -> Optional[Best]:
        """None if no evaluation gave a value."""
        return self.source.best()

    @property
    def value(self) -> float:
        """The best value; NaN if there is none."""
        best = self.best
        return float("nan") if best is None else best.value

    @property
    def parameters(self) -> dict[str, Any]:
        """The best point; empty if there is none."""
        best = self.best
        return {} if best is None else best.parameters

    @property
    def recommended(self) -> Optional[Recommended]:
        """The point with the best posterior mean: what to use when values are noisy. None before there is a model."""
        return self.source.recommended()

    @property
    def goal(self) -> Goal:
        goal: Goal = self.source.options["goal"]
        return goal

    @property
    def trials(self) -> list[Trial]:
        return self.source.trials()

    @property
    def structure(self) -> Structure:
        """Which parameters belong together."""
        return self.source.structure()

    @property
    def importance(self) -> dict[str, Importance]:
        """The share of the model's variation that each parameter is responsible for, largest first."""
        return dict(sorted(self.source.importance().items(), key=lambda item: -item[1]))

    def predict(self, points: Union[Mapping[str, Value], Sequence[Mapping[str, Value]], DataFrame]) -> tuple[Array, Array]:
        """Mean and standard deviation of the function, without noise, at a point or points; see ``Optimizer.predict``."""
        return self.source.predict(points)

    def group_slices(self, resolution: int = 50) -> list[GroupSlice]:
        return self.source.group_slices(resolution)

    def to_dataframe(self) -> DataFrame:
        """All trials as a table (needs pandas)."""
        return self.source.to_dataframe()

    def plot(self) -> Figure:
        """Best so far, the structure and the groups in one figure (needs matplotlib)."""
        from .plot import plot_result

        return plot_result(self)

    def report(self, path: Union[str, os.PathLike[str], None] = None) -> str:
        """The page that ``summand report`` makes, as text; with a path it is written there too."""
        if isinstance(self.source, Optimizer):
            raise InvalidArgument("report: this result was pickled without its study; make the report before, or store the study")
        return self.source.report(path)

    def __reduce__(self) -> tuple[Any, ...]:
        in_memory = isinstance(self.source, Study) and not self.source.database
        return (Result, (self.source.optimizer() if in_memory and isinstance(self.source, Study) else self.source,))

    def _repr_html_(self) -> str:
        from .html import result_html

        return result_html(self)

    def __repr__(self) -> str:
        trials = self.trials
        failed = sum(t.state == "failed" for t in trials)
        lines = [f"Result: {self.goal}, {len(trials)} trials" + (f" ({failed} failed)" if failed else "")]
        if self.best is not None:
            lines.append(f"  best {self.value:.6g} in trial {self.best.id}")
            lines += [f"    {name} = {value!r}" for name, value in self.parameters.items()]
        lines.append(f"  {self.structure!r}")
        return "\n".join(lines)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during ``minimize`` or ``maximize``; ``result`` holds everything so far.

    Not an ``Error``: ``except Exception`` lets Ctrl-C through, as it should.
    """

    def __init__(self, result: Result) -> None:
        finished = result.source.evaluation_count + result.source.failure_count
        super().__init__(f"interrupted after {finished} finished trials; the exception's .result holds them")
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return (Interrupted, (self.result,))
