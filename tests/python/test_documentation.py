# SPDX-License-Identifier: Apache-2.0
"""Every Python snippet of the documentation is run as it stands, with small stand-ins for the reader's own program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2]
PAGES = ["README.md", "docs/python.md", "docs/start/python.md"]

PREAMBLE = """
import numpy as np, optuna, summand
optuna.logging.set_verbosity(optuna.logging.ERROR)
def train(rate, width, solver): return abs(rate - 0.01) + width / 1000 + (solver == "sgd")
def measure(rate, width, solver, momentum): return train(rate, width, solver) + momentum
def objective(trial): return trial.suggest_float("x", -1, 1) ** 2 + trial.suggest_int("n", 0, 3)
random = np.random.default_rng(0)
X = random.uniform(0, 100, (60, 3)); y = X[:, 0] * X[:, 1] / 1000 + X[:, 2]; names = ["rate", "width", "depth"]
"""


def snippets(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_the_snippets_of_a_page_run_one_after_the_other(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("optuna")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    found = snippets(page)
    assert found, f"{page} has no snippet"
    program = PREAMBLE + "\n".join(found)
    program = re.sub(r"(trials|budget|n_trials)=200", r"\1=8", program)  # the reader's numbers, a test's patience
    exec(compile(program, page, "exec"), {})
