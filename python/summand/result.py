# SPDX-License-Identifier: Apache-2.0
"""What ``minimize`` and ``maximize`` give back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

from .insight import GroupSlice, Structure
from .optimizer import Optimizer
from .study import Study
from .trial import Best, TrialRecord

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Interrupted", "Result"]


class Result:
    """The best point, all trials, what was learned, and ``plot()``."""

    def __init__(self, source: Union[Optimizer, Study]) -> None:
        self.source = source
        """The optimiser or the study: ``source.ask()`` goes on from here."""

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
    def goal(self) -> str:
        return str(self.source.options["goal"])

    @property
    def trials(self) -> list[TrialRecord]:
        return self.source.trials()

    @property
    def structure(self) -> Structure:
        """Which parameters belong together."""
        return self.source.structure()

    @property
    def importance(self) -> dict[str, float]:
        """The share of the model's variation that each parameter is responsible for, largest first."""
        return dict(sorted(self.source.importance().items(), key=lambda item: -item[1]))

    def group_slices(self, resolution: int = 50) -> list[GroupSlice]:
        return self.source.group_slices(resolution)

    def plot(self) -> Figure:
        """Best so far, the structure and the groups in one figure (needs matplotlib)."""
        from .plot import plot_result

        return plot_result(self)

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
    """Ctrl-C during ``minimize`` or ``maximize``; ``result`` holds everything so far."""

    def __init__(self, result: Result) -> None:
        super().__init__(f"interrupted after {len(result.trials)} trials; the exception's .result holds them")
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return (Interrupted, (self.result,))
