#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""include_direction.py SOURCE: every #include follows an arrow of the tree, and no arrow turns round.

A module may include itself, what its arrow names, and what those may include. Heavy libraries stay in .cpp files, and
each optional library is included from one folder only.
"""
import pathlib
import re
import sys

ARROWS = {
    "base": [],
    "plot": ["base"],
    "numeric": ["base"],
    "space": ["base"],
    "model": ["numeric"],
    "structure": ["model"],
    "acquisition": ["model", "space"],
    "batch": ["acquisition"],
    "optimizer": ["space", "structure", "batch"],
    "storage": ["space"],
    "executor": ["storage"],
    "study": ["optimizer", "storage", "executor"],
    "report": ["study", "plot"],
}
# Libraries whose headers are slow to compile, or that only one folder may know.
HEAVY = r"<(nlohmann/json\.hpp|toml\+\+|CLI/|box2d/|boost/|sqlite3\.h|libpq-fe\.h|Eigen/(Dense|Cholesky|Eigenvalues|QR|SVD))"
ONLY_IN = {"sqlite3.h": "src/summand/storage", "libpq-fe.h": "src/summand/storage", "box2d/": "problems", "toml++": "src/summand/study", "CLI/": "apps/cli", "boost/beast": "apps/server", "boost/asio": "apps/server", "openssl/": "apps/server",
           "LBFGSB.h": "src/summand/numeric"}


def reachable(module: str) -> set[str]:
    found = {module}
    for direct in ARROWS[module]:
        found |= reachable(direct)
    return found


def main(source: pathlib.Path) -> int:
    mistakes = []
    for path in sorted(source.glob("src/summand/**/*.[ch]pp")):
        parts = path.relative_to(source / "src/summand").parts
        module = parts[0] if len(parts) > 1 else None
        if module is not None and module not in ARROWS:
            mistakes.append(f"{path}: module {module} is not in the tree; add its arrow to {__file__}")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            included = re.match(r'\s*#include "summand/(\w+)/', line)
            if module and included and included[1] not in reachable(module):
                mistakes.append(f"{path}:{number}: {module} includes {included[1]}; its arrow allows {sorted(reachable(module))}")
            if path.suffix == ".hpp" and re.search(HEAVY, line):
                mistakes.append(f"{path}:{number}: a heavy header in a header; include it in the .cpp")
    for path in sorted(p for folder in ("src", "apps", "problems", "experiments") for p in (source / folder).glob("**/*.[ch]pp")):
        where = str(path.relative_to(source))
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for library, folder in ONLY_IN.items():
                if re.match(rf"\s*#include <{re.escape(library)}", line) and not where.startswith(folder):
                    mistakes.append(f"{where}:{number}: <{library}> belongs to {folder} alone")
    print("\n".join(mistakes) if mistakes else "every include follows an arrow")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
