# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mypy")
HERE = Path(__file__).parent


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """One for all: most of the time goes into the libraries that are imported."""
    os.environ["MYPY_CACHE_DIR"] = str(tmp_path_factory.mktemp("mypy"))


def mypy(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", *arguments], capture_output=True, text=True, cwd=HERE)
    return done.stdout.strip().splitlines()[-1] + done.stderr


def test_a_users_program_is_clean_under_mypy_strict_and_runs(tmp_path: Path) -> None:
    assert mypy("user_program.py").startswith("Success")
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import summand\nvalue: str = summand.Optimizer({'x': (0.0, 1.0)}).evaluation_count\n")
    assert mypy(str(wrong)).startswith("Found 1 error"), "a wrong program must not pass"
    assert subprocess.run([sys.executable, HERE / "user_program.py"], stdout=subprocess.DEVNULL).returncode == 0


def test_the_package_itself_is_clean_and_its_stubs_are_true(tmp_path: Path) -> None:
    assert mypy("-p", "summand").startswith("Success")
    # stubtest cannot read the signatures of the extension's functions; that none is missing or forgotten is checked below.
    unreadable = tmp_path / "unreadable"
    unreadable.write_text("".join(f"summand\\._core\\.{name}\n" for name in sorted(runtime_names()) if not name.startswith("_"))
                          + "summand\\._core\\.(Model|Study)\\.__init__\n")  # fmt: skip
    checked = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "summand._core", "--concise", "--allowlist", str(unreadable)],
        capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout + checked.stderr


def runtime_names() -> set[str]:
    from summand import _core

    return {name for name in dir(_core) if not name.startswith("_")}


def test_the_stub_of_the_extension_names_all_it_has_and_no_more() -> None:
    from summand import _core

    stub = ast.parse((Path(_core.__file__).parent / "_core.pyi").read_text())
    defined = {node.name: node for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert set(defined) == runtime_names()
    for name, node in defined.items():
        if isinstance(node, ast.ClassDef):
            methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
            present = {each for each in vars(getattr(_core, name)) if not each.startswith("_")}
            assert methods - {"__init__"} == present, name


def test_options_are_typed_as_the_engine_describes_them(tmp_path: Path) -> None:
    from summand import option_keys
    from summand.option_types import OptimizerOptions

    assert set(OptimizerOptions.__annotations__) == set(option_keys()) - {"goal", "batch_size", "seed", "budget"}
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import summand\nsummand.Optimizer({'x': (0.0, 1.0)}, preset='papers', goal='up', initial_point=3)\n")
    assert mypy(str(wrong)).startswith("Found 3 errors")


def test_every_public_name_has_a_docstring() -> None:
    import summand

    names = [name for name in summand.__all__ if name != "Parameter"]  # a union of documented classes
    undocumented = [name for name in names if not (getattr(summand, name).__doc__ or "").strip()]
    assert undocumented == []
