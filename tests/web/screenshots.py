#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""screenshots.py SUMMAND [FOLDER]: the pictures of docs/dashboard.md, made anew. With another FOLDER also every view at 400 pixels and on
a desktop, in light and dark, to be looked at."""
import os
import pathlib
import sys
import tempfile
import time

import dashboard_test
import service
import webdriver

HERE = pathlib.Path(__file__).resolve().parent
DOCS = HERE.parents[1] / "docs/dashboard"


def make_running(server):
    """A study that runs on two workers, with a trial that waits and one that failed."""
    server.call("POST", "/studies", {"name": "furnace", "goal": "maximize", "budget": 60, "optimizer": {"seed": 3, "initial_points": 60},
                                     "parameters": {"temperature": {"low": 300.0, "high": 900.0}, "flow": {"low": 0.1, "high": 4.0}, "gas": {"values": ["argon", "nitrogen"]}}})
    for _ in range(9):
        trial = server.call("POST", "/studies/furnace/ask", {"count": 1, "worker": "node3"})["trials"][0]
        point = trial["parameters"]
        outcome = {"failed": "exit status 3: no convergence"} if trial["id"] == 4 else {"value": round(5 - (point["temperature"] / 300 - 2) ** 2 - point["flow"] / 9, 4)}
        server.call("POST", f"/studies/furnace/trials/{trial['id']}/tell", outcome)
    for worker in ("node3", "node7"):
        trial = server.call("POST", "/studies/furnace/ask", {"count": 1, "worker": worker})["trials"][0]["id"]
        lines = "".join(f"step {k:4}   residual {0.9 ** k:.2e}\n" for k in range(60))
        server.call("POST", f"/studies/furnace/trials/{trial}/log", {"attempt": {
            "attempt": 1, "worker": worker, "started_at": time.time() - 70, "ended_at": time.time(), "outcome": "running", "output": lines, "error": ""}})
    server.call("POST", "/studies/furnace/enqueue", {"points": [{"temperature": 640.0, "flow": 0.5, "gas": "argon"}]})
    return trial


def main(summand, folder):
    with tempfile.TemporaryDirectory() as place:
        database = f"{place}/studies.db"
        service.make_structured(summand, pathlib.Path(place), database)
        with service.Service(summand, database) as server, webdriver.Browser() as browser:
            running = make_running(server)
            checks = dashboard_test.Checks(browser, server)

            def shot(name, width, height, *page, theme="light", scroll=None, into=DOCS, **query):
                browser.size(width, height)
                browser.theme(theme)
                checks.go(*page, **query)
                browser.until("[...document.querySelectorAll('.plot')].every(p => p.querySelector('svg').childElementCount)")
                if scroll:
                    browser.until("[...document.querySelectorAll('h2')].some(e => e.textContent.startsWith(arguments[0]))", scroll)
                    browser.run("[...document.querySelectorAll('h2')].find(e => e.textContent.startsWith(arguments[0])).closest('section').scrollIntoView()", scroll)
                time.sleep(1.0)
                browser.picture(into / f"{name}.png")

            if folder == DOCS:
                shot("studies", 1280, 420)
                shot("overview", 1280, 1000, "study", "structured", "overview")
                shot("running", 1280, 900, "study", "furnace", "overview", trial=running)
                shot("structure", 1280, 960, "study", "structured", "structure")
                shot("groups", 1280, 740, "study", "structured", "structure", scroll="What")
                shot("explore", 1280, 640, "study", "structured", "explore", scroll="Parallel")
                shot("phone", 400, 860, "study", "structured", "overview", theme="dark")
                return
            folder.mkdir(parents=True, exist_ok=True)
            for width, height in ((400, 3000), (1280, 2200)):
                for theme in ("light", "dark"):
                    end = f"{width}-{theme}"
                    shot(f"studies-{end}", width, 600, theme=theme, into=folder)
                    shot(f"compare-{end}", width, height, "compare", theme=theme, into=folder, a="structured", b="furnace")
                    for study in ("structured", "furnace"):
                        for tab in dashboard_test.TABS:
                            shot(f"{study}-{tab}-{end}", width, height, "study", study, tab, theme=theme, into=folder)
                    shot(f"trial-{end}", width, 1000, "study", "furnace", "overview", theme=theme, into=folder, trial=running)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else DOCS)
