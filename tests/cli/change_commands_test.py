# SPDX-License-Identifier: Apache-2.0
"""What a user knows better than the study: enqueue, correct, rerun, fork. change_commands_test.py SUMMAND"""
import sys
import unittest

from command_case import CommandCase


class Changes(CommandCase):
    def test_enqueued_settings_come_first(self):
        self.assertIn("Trial 1 waits", self.summand("enqueue", self.study, "x=0.25", "n=3"))
        self.assertEqual(self.json("status", self.study)["waiting"], 1)
        asked = self.json("ask", self.study)
        self.assertEqual(asked[0], {"id": 1, "parameters": {"x": 0.25, "n": 3}})
        self.assertEqual(len(asked), 2)

    def test_settings_that_cannot_be_are_refused(self):
        self.assertIn('"n" is missing', self.summand("enqueue", self.study, "x=0.25", code=2))
        self.assertIn('no parameter "m"', self.summand("enqueue", self.study, "x=0.25", "m=3", code=2))
        self.assertIn("NAME=VALUE", self.summand("enqueue", self.study, "x=0.25", "3", code=2))
        self.assertIn("given twice", self.summand("enqueue", self.study, "x=0", "x=1", "n=3", code=2))
        self.assertIn("whole number in [1, 9]", self.summand("enqueue", self.study, "x=0", "n=3.5", code=2))
        self.assertEqual(self.json("trials", self.study), [])

    def test_a_budget_that_is_used_up_takes_no_settings(self):
        self.summand("run", self.study, "--quiet")
        self.assertIn("the budget is 6", self.summand("enqueue", self.study, "x=0.25", "n=3", code=2))

    def test_start_points_of_the_file_are_evaluated_once_each(self):
        start = "\n[[start]]\nx = 0.5\nn = 2\n[[start]]\nx = -0.5\nn = 9\n"
        self.write(self.study.read_text() + start)
        self.summand("run", self.study, "--quiet")
        self.summand("run", self.study, "--quiet")
        trials = self.json("trials", self.study)
        self.assertEqual(len(trials), 6)
        self.assertEqual([t["parameters"] for t in trials[:2]], [{"x": 0.5, "n": 2}, {"x": -0.5, "n": 9}])
        self.assertEqual([t["parameters"]["x"] for t in trials].count(0.5), 1)

    def test_a_start_point_outside_the_bounds_is_a_mistake_with_its_line(self):
        self.write(self.study.read_text() + "\n[[start]]\nx = 5.0\nn = 2\n")
        self.assertRegex(self.summand("ask", self.study, code=2), r"study.toml:\d+: start: parameter \"x\" was given 5")

    def test_a_corrected_answer_counts_and_the_old_one_is_shown(self):
        self.summand("ask", self.study)
        self.summand("tell", self.study, 1, 5, "--also", "seconds=2.5")
        self.assertIn("Trial 1: 3 (was 5).", self.summand("correct", self.study, 1, 3))
        self.assertIn("Trial 1: failed: bad (was 3).", self.summand("correct", self.study, 1, "--failed", "bad"))
        self.summand("correct", self.study, 1, 4)
        self.assertEqual(self.json("best", self.study)["value"], 4)
        trial = self.json("trials", self.study, 1)
        self.assertEqual([a["value"] for a in trial["earlier_answers"]], [5, 3, None])
        self.assertIn("earlier answer: 5", self.summand("trials", self.study, 1))
        self.assertIn("only an answer can be corrected", self.summand("correct", self.study, 2, 1, code=2))
        self.assertIn("a number is needed", self.summand("correct", self.study, 1, "x", code=2))

    def test_a_rerun_trial_is_evaluated_again(self):
        self.change("echo $1", "echo $1; echo run >> runs")
        self.summand("run", self.study, "--quiet")
        self.assertIn("2 trials wait", self.summand("rerun", self.study, 2, 5))
        self.assertIn("trial 2 is waiting", self.summand("rerun", self.study, 3, 2, code=2))
        self.assertEqual(self.json("status", self.study)["waiting"], 2)
        self.summand("run", self.study, "--quiet")
        self.assertEqual((self.folder / "runs").read_text().count("run"), 8)
        trial = self.json("trials", self.study, 2)
        self.assertEqual((trial["attempt"], len(trial["earlier_answers"])), (2, 1))
        self.assertEqual(self.json("status", self.study)["completed"], 6)

    def test_a_trial_named_twice_is_run_again_once(self):
        self.summand("ask", self.study)
        self.summand("tell", self.study, 1, 5)
        self.assertIn("Trial 1 waits", self.summand("rerun", self.study, 1, 1))
        self.assertEqual(self.json("status", self.study)["waiting"], 1)

    def test_the_batch_size_may_change(self):
        self.assertEqual(len(self.json("ask", self.study)), 2)
        self.change("batch_size = 2", "batch_size = 3")
        self.assertEqual(len(self.json("ask", self.study)), 3)
        self.assertEqual(len(self.json("ask", "study.db")), 1)  # the budget of 6

    def test_a_fork_goes_on_with_other_bounds_from_the_same_data(self):
        self.summand("run", self.study, "--quiet")
        inside = sum(t["parameters"]["x"] < 0.5 for t in self.json("trials", self.study))
        self.change("high = 1.0", "high = 0.5", "narrow.toml")
        output = self.summand("fork", self.study, "narrow.toml")
        self.assertIn(f"begins with {inside} evaluations", output)
        self.assertIn(f"{6 - inside} evaluations lie outside", output)
        self.assertIn("has trials already", self.summand("fork", self.study, "narrow.toml", code=2))
        self.summand("run", "narrow.toml", "--quiet")
        status = self.json("status", "narrow.toml")
        self.assertEqual((status["added"], status["issued"]), (inside, 6))

    def test_a_fork_asks_the_same_question(self):
        self.summand("run", self.study, "--quiet")
        self.change('goal = "minimize"', 'goal = "maximize"', "other.toml")
        self.assertIn("the opposite", self.summand("fork", self.study, "other.toml", code=2))
        self.write(self.study.read_text().replace("{n}", "{n}{m}") + 'm = { type = "real", low = 0.0, high = 1.0 }\n', "more.toml")
        self.assertIn('a parameter "m"', self.summand("fork", self.study, "more.toml", code=2))
        self.assertFalse((self.folder / "more.db").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
