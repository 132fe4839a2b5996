# SPDX-License-Identifier: Apache-2.0
"""Whether this processor knows the instructions the engine was compiled for: a sentence instead of a crash."""

from __future__ import annotations

from pathlib import Path

_NEEDED = {"x86-64-v3": ("avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe")}


def check_processor(info: str = "/proc/cpuinfo", marked: str = "") -> None:
    """Raises ImportError if the engine needs more than the processor has. ``marked``: the architecture it was built for."""
    try:
        architecture = marked or (Path(__file__).parent / "architecture.txt").read_text().strip()
        flags = next(line for line in Path(info).read_text().splitlines() if line.startswith("flags")).split()
    except (OSError, StopIteration):
        return  # not Linux on x86, or not said: nothing is known against it
    missing = [flag for flag in _NEEDED.get(architecture, ()) if flag not in flags]
    if missing:
        raise ImportError(
            f"summand was built for {architecture} processors (2013 and later), and this one lacks {', '.join(missing)}; build "
            "it here for older ones: pip install --no-binary summand --config-settings=cmake.define.SUMMAND_ARCH=x86-64 summand"
        )
