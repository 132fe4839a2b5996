# SPDX-License-Identifier: Apache-2.0
"""A result as notebooks show it: the best point, what was learned, and a small plot of the progress."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .result import Result

__all__ = ["result_html"]

_WIDTH, _HEIGHT, _LEFT, _BELOW = 460, 200, 70, 26
_TABLE = "border-collapse:collapse;margin:0.3em 0"


def progress_svg(values: list[tuple[int, float]], goal: str) -> str:
    """Every value as a dot and the best so far as a line, over the number of the trial."""
    numbers = sorted(value for _, value in values)
    good = numbers[-1] if goal == "maximize" else numbers[0]
    bad = numbers[len(numbers) // 20] if goal == "maximize" else numbers[-1 - len(numbers) // 20]
    low, high = min(good, bad), max(good, bad)
    unit = max(abs(low), abs(high)) or 1.0  # differences of the largest numbers would overflow
    first, last = values[0][0], max(values[-1][0], values[0][0] + 1)

    def place(id: int, value: float) -> tuple[float, float]:
        share = 0.5 if high == low else (min(max(value, low), high) / unit - low / unit) / (high / unit - low / unit)
        x = _LEFT + (_WIDTH - _LEFT - 10) * (id - first) / (last - first)
        return x, 10 + (_HEIGHT - _BELOW - 20) * (1 - share)

    better = max if goal == "maximize" else min
    best, line = values[0][1], []
    for id, value in values:
        x, before = place(id, best)
        best = better(best, value)
        line += [f"{x:.1f},{before:.1f}", f"{x:.1f},{place(id, best)[1]:.1f}"]
    dots = "".join('<circle cx="{:.1f}" cy="{:.1f}" r="2.2"/>'.format(*place(*each)) for each in values)
    words = "".join(
        f'<text x="{x}" y="{y}" text-anchor="{anchor}">{label}</text>'
        for x, y, anchor, label in (
            (_LEFT - 6, 14, "end", f"{high:.4g}"), (_LEFT - 6, _HEIGHT - _BELOW - 6, "end", f"{low:.4g}"),
            (_LEFT, _HEIGHT - 8, "start", f"trial {first}"), (_WIDTH - 10, _HEIGHT - 8, "end", f"{last}"),
        )
    )  # fmt: skip
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img" aria-label="values and the best so far">'
        f'<rect x="{_LEFT}" y="6" width="{_WIDTH - _LEFT - 6}" height="{_HEIGHT - _BELOW - 12}" fill="none" stroke="#8888"/>'
        f'<g fill="#9aa5b1">{dots}</g><polyline points="{" ".join(line)}" fill="none" stroke="#1f5fa8" stroke-width="2"/>'
        f'<g font-size="11" fill="currentColor">{words}</g></svg>'
    )


def result_html(result: Result) -> str:
    trials, best = result.trials, result.best
    failed = sum(trial.state == "failed" for trial in trials)
    parts = [f"<b>{result.goal}</b>: {len(trials)} trials" + (f", {failed} failed" if failed else "")]
    if best is not None:
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{html.escape(repr(value))}</td></tr>" for name, value in best.parameters.items()
        )
        parts.append(f"best <b>{best.value:.6g}</b> in trial {best.id}<table style='{_TABLE}'>{rows}</table>")
        done = [(trial.id, trial.value) for trial in trials if trial.value is not None]
        parts.append(progress_svg(done, result.goal))
    parts += [html.escape(sentence) for sentence in result.structure.sentences]
    return "<div>" + "".join(f"<p style='margin:0.3em 0'>{part}</p>" for part in parts) + "</div>"
