# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")
HERE = Path(__file__).parent


def mypy(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", *arguments], capture_output=True, text=True, cwd=HERE)
    return done.stdout.strip().splitlines()[-1] + done.stderr


def test_a_users_program_is_clean_under_mypy_strict_and_runs(tmp_path: Path) -> None:
    cache = f"--cache-dir={tmp_path}"
    assert mypy(cache, "user_program.py").startswith("Success")
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import summand\nvalue: str = summand.Optimizer({'x': (0.0, 1.0)}).evaluation_count\n")
    assert mypy(cache, str(wrong)).startswith("Found 1 error"), "a wrong program must not pass"
    assert subprocess.run([sys.executable, HERE / "user_program.py"], stdout=subprocess.DEVNULL).returncode == 0


def test_every_public_name_has_a_docstring() -> None:
    import summand

    names = [name for name in summand.__all__ if name != "Parameter"]  # a union of documented classes
    undocumented = [name for name in names if not (getattr(summand, name).__doc__ or "").strip()]
    assert undocumented == []
