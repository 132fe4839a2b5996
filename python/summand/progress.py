# SPDX-License-Identifier: Apache-2.0
"""A progress bar on standard error."""

from __future__ import annotations

import sys
import time
from typing import Optional

from .study import Study


def _is_shown_at_once() -> bool:
    """A terminal, or a notebook, whose standard error is shown below the cell."""
    return sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel")


class ProgressBar:
    """One line that is written over at most ten times a second."""

    def __init__(self, wanted: Optional[bool], total: int) -> None:
        self._on = _is_shown_at_once() if wanted is None else wanted
        self._total, self._started, self._shown = total, time.monotonic(), 0.0
        self._line = ""

    def show(self, study: Study, running: int, last: bool = False) -> None:
        now = time.monotonic()
        if not self._on or (now - self._shown < 0.1 and not last):
            return
        self._shown = now
        self._write(self._text(study, running, now - self._started))

    def _text(self, study: Study, running: int, seconds: float) -> str:
        best, failed = study.best(), study.failure_count
        done = study.evaluation_count + failed
        filled = min(24, 24 * done // self._total)
        parts = [f"[{'#' * filled}{'.' * (24 - filled)}] {done}/{self._total}", f"running {running}"]
        if failed:
            parts.append(f"failed {failed}")
        if best is not None:
            parts.append(f"best {best.value:.6g}")
        return "  ".join([*parts, f"{int(seconds) // 60}:{int(seconds) % 60:02d}"])

    def _write(self, line: str) -> None:
        sys.stderr.write("\r" + line.ljust(len(self._line)))
        sys.stderr.flush()
        self._line = line

    def close(self) -> None:
        if self._line:
            sys.stderr.write("\n")
            sys.stderr.flush()
