#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""public_headers.py SOURCE HEADER...: the headers that are installed are summand.hpp and all that it includes, no more and no
less; they need nothing but the standard library, so whoever embeds the library needs no Eigen."""
import pathlib
import re
import sys


def main(source: pathlib.Path, installed: list[str]) -> int:
    mistakes: list[str] = []
    reached: set[str] = set()
    open_headers = ["summand.hpp"]
    while open_headers:
        header = open_headers.pop()
        if header in reached:
            continue
        reached.add(header)
        for number, line in enumerate((source / "src/summand" / header).read_text().splitlines(), 1):
            own = re.match(r'\s*#include "summand/([^"]+)"', line)
            other = re.match(r"\s*#include <([^>]+)>", line)
            if own:
                open_headers.append(own[1])
            if other and not re.fullmatch(r"[a-z_]+", other[1]):
                mistakes.append(f"{header}:{number}: <{other[1]}> is not of the standard library; keep it in a .cpp")
    listed = "cmake/SummandInstall.cmake, SUMMAND_PUBLIC_HEADERS"
    mistakes += [f"{header} is reached from summand.hpp and not installed: add it to {listed}" for header in sorted(reached - set(installed))]
    mistakes += [f"{header} is installed and not reached from summand.hpp: it is detail" for header in sorted(set(installed) - reached)]
    print("\n".join(mistakes) if mistakes else f"{len(reached)} public headers")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2:]))
