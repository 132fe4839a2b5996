# SPDX-License-Identifier: Apache-2.0
"""A folder with a study, and the command as a user types it. The test's first argument is the program."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SUMMAND = sys.argv[1]

STUDY = """
name = "demo"
goal = "minimize"
budget = 6
command = ["sh", "-c", "SCRIPT", "program", "{x}", "{n}"]
[optimizer]
batch_size = 2
seed = 1
initial_points = 100
[parameters]
x = { type = "real", low = -1.0, high = 1.0 }
n = { type = "integer", low = 1, high = 9 }
"""


class CommandCase(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="summand-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.study = self.folder / "study.toml"
        self.write(STUDY.replace("SCRIPT", "echo $1"))

    def write(self, text, name="study.toml"):
        (self.folder / name).write_text(text)

    def change(self, old, new, name="study.toml"):
        """The study file with `new` instead of `old`, also under another name."""
        text = self.study.read_text()
        self.assertIn(old, text)
        self.write(text.replace(old, new), name)

    def summand(self, *arguments, code=0):
        done = subprocess.run([SUMMAND, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, code, f"summand {arguments}\n{done.stdout}{done.stderr}")
        return done.stdout if code == 0 else done.stderr

    def json(self, *arguments):
        return json.loads(self.summand(*arguments, "--json"))
