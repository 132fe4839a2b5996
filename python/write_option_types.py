# SPDX-License-Identifier: Apache-2.0
"""write_option_types.py MODULE FILE: the types of the optimiser's options as the engine describes them, for type checkers."""

import importlib.util
import sys

NAMED = {"goal", "batch_size", "seed", "budget"}  # arguments of their own everywhere
TYPES = {"int": "int", "float": "float", "groups": "Sequence[Sequence[str]]"}

module, target = sys.argv[1:]
spec = importlib.util.spec_from_file_location("_core", module)
core = importlib.util.module_from_spec(spec)
spec.loader.exec_module(core)

lines = [
    "# SPDX-License-Identifier: Apache-2.0",
    '"""Made by write_option_types.py when the package is built; not to be edited."""',
    "",
    "from __future__ import annotations",
    "",
    "from collections.abc import Sequence",
    "from typing import Literal, Optional, TypedDict",
    "",
    '__all__ = ["OptimizerOptions"]',
    "",
    "",
    "class OptimizerOptions(TypedDict, total=False):",
    '    """Further options of the optimiser; docs/optimizer.md says what they do. None: the default."""',
    "",
]
for key, kind, words in core.describe_options():
    if key not in NAMED:
        kind = "Literal[" + ", ".join(f'"{word}"' for word in words) + "]" if kind == "word" else TYPES[kind]
        lines.append(f"    {key}: Optional[{kind}]")
with open(target, "w") as file:
    file.write("\n".join(lines) + "\n")
