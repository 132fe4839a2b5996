# SPDX-License-Identifier: Apache-2.0
"""A progress bar on standard error."""

from __future__ import annotations

import sys
import time
from typing import Optional

from .study import Study


def _is_shown_at_once() -> bool:
    """A terminal, or a notebook, whose standard error is shown below the cell."""
    try:
        return sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel")
    except (AttributeError, ValueError):  # something smaller in its place, or closed
        return False


class ProgressBar:
    """One line that is written over at most ten times a second: of all that the study will have had evaluated when this
    run has ended, how much there is."""

    def __init__(self, wanted: Optional[bool], study: Study, trials: int) -> None:
        there_is_one = hasattr(sys.stderr, "write") and hasattr(sys.stderr, "flush")  # pythonw has None
        self._on = there_is_one and (_is_shown_at_once() if wanted is None else wanted)
        self._total = self._evaluated(study) + trials if self._on else 0
        if self._on and study.budget is not None:
            self._total = max(self._evaluated(study), min(self._total, study.budget))
        self._started, self._shown = time.monotonic(), 0.0
        self._line = ""

    def show(self, study: Study, running: int, last: bool = False) -> None:
        now = time.monotonic()
        if not self._on or (now - self._shown < 0.1 and not last):
            return
        self._shown = now
        self._write(self._text(study, running, now - self._started))

    def _text(self, study: Study, running: int, seconds: float) -> str:
        best, failed = study.best(), study.failure_count
        done = min(self._evaluated(study), self._total)  # other processes may add to it
        filled = 24 * done // max(1, self._total)
        parts = [f"[{'#' * filled}{'.' * (24 - filled)}] {done}/{self._total}", f"running {running}"]
        if failed:
            parts.append(f"failed {failed}")
        if best is not None:
            parts.append(f"best {best.value:.6g}")
        return "  ".join([*parts, f"{int(seconds) // 60}:{int(seconds) % 60:02d}"])

    @staticmethod
    def _evaluated(study: Study) -> int:
        counts = study.counts()
        return counts["completed"] + counts["failed"] - counts["added"]

    def _write(self, line: str) -> None:
        sys.stderr.write("\r" + line.ljust(len(self._line)))
        sys.stderr.flush()
        self._line = line

    def close(self) -> None:
        if self._line:
            sys.stderr.write("\n")
            sys.stderr.flush()
