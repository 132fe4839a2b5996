# SPDX-License-Identifier: Apache-2.0
"""Trials as a table: trials_command_test.py SUMMAND"""
import sys
import unittest

from command_case import CommandCase

CHOICE = 'solver = { type = "choice", values = ["sgd", "adam"] }\n'


class Trials(CommandCase):
    def setUp(self):
        super().setUp()
        self.write(self.study.read_text().replace('"{n}"]', '"{n}", "{solver}"]') + CHOICE)
        (self.folder / "data.csv").write_text(
            "x,n,solver,value\n0.123456789,2,adam,3.25\n-0.5,9,sgd,1e-7\n0.75,3,adam,12345.678\n1,4,sgd,\n"
        )
        self.summand("add", self.study, "data.csv")

    def rows(self, *arguments):
        return [line.split() for line in self.summand("trials", self.study, *arguments).splitlines()]

    def ids(self, *arguments):
        return [trial["id"] for trial in self.json("trials", self.study, *arguments)]

    def test_a_table_has_a_header_and_sensible_digits(self):
        rows = self.rows("--state", "completed")
        self.assertEqual(rows[0], ["id", "state", "value", "x", "n", "solver"])
        self.assertEqual(rows[1], ["1", "completed", "3.25", "0.12346", "2", "adam"])
        self.assertEqual(rows[3][2], "12346")
        lines = self.summand("trials", self.study).splitlines()
        self.assertIn("note", lines[0])
        self.assertIn("no value in the data", lines[4])
        self.assertEqual(lines[0].index("state"), lines[1].index("completed"))

    def test_further_values_have_columns(self):
        self.summand("ask", self.study, "--count", 1)
        self.summand("tell", self.study, 5, 1, "--also", "accuracy=0.93", "--also", "seconds=12")
        rows = self.rows("--sort", "accuracy", "--limit", 1, "--where", "seconds>10")
        self.assertEqual(rows[0][3:5], ["accuracy", "seconds"])
        self.assertEqual(rows[1][3:5], ["0.93", "12"])
        self.assertEqual(self.json("trials", self.study, 5)["also"], {"accuracy": 0.93, "seconds": 12})

    def test_comparisons_filter(self):
        self.assertEqual(self.ids("--where", "value<4"), [1, 2])
        self.assertEqual(self.ids("--where", "value<4", "--where", "solver=adam"), [1])
        self.assertEqual(self.ids("--where", "solver!=adam"), [2, 4])
        self.assertEqual(self.ids("--where", "n>=3", "--sort", "n", "--descending"), [2, 4, 3])
        self.assertIn("compare it with =", self.summand("trials", self.study, "--where", "solver<adam", code=2))
        self.assertIn("must be a number", self.summand("trials", self.study, "--where", "x<a", code=2))
        self.assertIn('did you mean "value"', self.summand("trials", self.study, "--where", "valu<1", code=2))
        self.assertIn("write a comparison", self.summand("trials", self.study, "--where", "x", code=2))

    def test_one_trial_is_shown_in_full(self):
        self.assertEqual(
            self.summand("trials", self.study, 1).splitlines(),
            ["trial 1: completed, value 3.25", "x = 0.123456789", "n = 2", "solver = adam"],
        )


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
