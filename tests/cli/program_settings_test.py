# SPDX-License-Identifier: Apache-2.0
"""What reaches a program and what is read from it: program_settings_test.py SUMMAND"""
import json
import subprocess
import sys
import unittest

from command_case import CommandCase

STUDY = """
name = "demo"
goal = "minimize"
budget = 3
command = ["sh", "-c", 'printf "%s " "$@"; echo; echo "loss: $1 of 1"; echo "acc: 0.5"', "program", "{n}", "{flag}", "--w={w}"]
[result]
prefix = "loss:"
also = { accuracy = "acc:", missing = "gone:" }
[optimizer]
batch_size = 1
[parameters]
n = { low = 1, high = 9 }
flag = { values = ["", "--fast"] }
w = { type = "choice", values = [16, true, "auto"] }
[[start]]
n = 2
flag = ""
w = 16
[[start]]
n = 5
flag = "--fast"
w = true
[[start]]
n = 7
flag = ""
w = "auto"
"""


class ProgramSettings(CommandCase):
    def setUp(self):
        super().setUp()
        self.write(STUDY)
        self.summand("run", self.study, "--quiet")

    def test_values_are_read_by_their_prefixes(self):
        trials = self.json("trials", self.study)
        self.assertEqual([t["value"] for t in trials], [2, 5, 7])
        self.assertEqual(trials[0]["also"], {"accuracy": 0.5})

    def test_choices_keep_the_types_of_the_file(self):
        self.assertEqual([t["parameters"]["w"] for t in self.json("trials", self.study)], [16, True, "auto"])
        exported = json.loads(self.summand("export", self.study, "--format", "json"))
        self.assertEqual(exported[1]["parameters"], {"n": 5, "flag": "--fast", "w": True})

    def test_an_export_has_further_values_and_can_be_added(self):
        self.summand("export", self.study, "-o", "out.csv")
        self.assertIn(",also.accuracy,n,flag,w", (self.folder / "out.csv").read_text())
        self.write(STUDY.replace('"demo"', '"again"'), "again.toml")
        self.summand("add", "again.toml", "out.csv")
        self.assertEqual(self.json("status", "again.toml")["added"], 3)
        self.assertEqual(self.json("trials", "again.toml", 1)["also"], {"accuracy": 0.5})

    def test_a_fork_keeps_further_values(self):
        narrow = STUDY.split("[[start]]")[0].replace('"demo"', '"again"').replace("high = 9", "high = 6")
        self.write(narrow, "again.toml")
        self.assertIn("begins with 2", self.summand("fork", self.study, "again.toml"))
        self.assertEqual(self.json("trials", "again.toml", 2)["also"], {"accuracy": 0.5})

    def test_an_empty_choice_leaves_its_argument_out(self):
        logs = [self.json("trials", self.study, i, "--log")["attempts"][0]["output"].splitlines()[0] for i in (1, 2, 3)]
        self.assertEqual([log.split() for log in logs], [["2", "--w=16"], ["5", "--fast", "--w=true"], ["7", "--w=auto"]])

    def test_the_best_command_runs(self):
        line = self.summand("best", self.study, "--command")
        output = subprocess.run(["sh", "-c", line], capture_output=True, text=True, cwd="/").stdout
        self.assertIn("loss: 2 of 1", output)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
