# SPDX-License-Identifier: Apache-2.0
"""A study from a program's own help: init_command_test.py SUMMAND"""
import pathlib
import re
import subprocess
import sys
import unittest

from command_case import SUMMAND, CommandCase

PROGRAM = """#!/bin/sh
if [ "$1" = --help ]; then
    echo "usage: tune [--rate R] [--mode M]"
    echo "  --rate R           how fast (default: 0.01)"
    echo "  --mode {slow,fast} how"
    exit 0
fi
echo "$2"
"""


class Init(CommandCase):
    def program(self, text):
        path = self.folder / "tune"
        path.write_text(text)
        path.chmod(0o755)

    def test_a_study_is_made_from_the_help_and_runs(self):
        self.program(PROGRAM)
        output = self.summand("init", "./tune", "-o", "tune.toml")
        self.assertIn("Found 2 options", output)
        text = (self.folder / "tune.toml").read_text()
        self.assertIn('rate = { type = "real", low = 0.001, high = 0.1, scale = "log" }', text)
        (self.folder / "tune.toml").write_text(text.replace("budget = 50", "budget = 4"))
        self.summand("run", "tune.toml", "--quiet")
        self.assertEqual(self.json("status", "tune.toml")["completed"], 4)

    def test_without_such_options_the_commented_file_is_written(self):
        self.program("#!/bin/sh\necho nothing to say\n")
        self.assertIn("names no option", self.summand("init", "./tune", "-o", "new.toml"))
        self.assertIn("# workers = 2", (self.folder / "new.toml").read_text())
        self.assertIn("exists already", self.summand("init", "./tune", "-o", "new.toml", code=2))

    def test_the_commands_of_the_first_page_work_as_they_stand(self):
        self.study.unlink()
        page = (pathlib.Path(__file__).parents[2] / "docs/start/shell.md").read_text()
        lines = re.search(r"```sh\n(.*?)```", page, re.DOTALL)[1].splitlines()
        self.assertTrue(lines.pop(0).startswith("./quickstart.sh"))
        script = "\n".join(lines).replace("build/release/bin/summand", str(SUMMAND))
        script = script.replace("init ", "init; sed -i 's/^budget = .*/budget = 6/' study.toml", 1)
        done = subprocess.run(["sh", "-e", "-c", script], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("trial", done.stdout)
        self.assertTrue((self.folder / "report.html").exists())

    def test_a_program_that_is_not_there_is_named(self):
        self.assertIn("./nothing", self.summand("init", "./nothing", "-o", "new.toml", code=4))
        self.assertFalse((self.folder / "new.toml").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
