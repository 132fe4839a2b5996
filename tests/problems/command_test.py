# SPDX-License-Identifier: Apache-2.0
"""What `summand problem` prints, and how it refuses. Usage: command_test.py PATH_TO_SUMMAND"""
import subprocess
import sys
import unittest
import xml.etree.ElementTree

SUMMAND = sys.argv.pop(1)


def summand(*arguments, stdin="", timeout=60):
    return subprocess.run([SUMMAND, "problem", *arguments], input=stdin, capture_output=True, text=True,
                          timeout=timeout, errors="replace")


class Problem(unittest.TestCase):
    def refuses(self, *arguments, words, stdin=""):
        result = summand(*arguments, stdin=stdin)
        self.assertEqual(result.returncode, 2, result)
        self.assertEqual(result.stdout, "")
        for word in words:
            self.assertIn(word, result.stderr)

    def test_list_names_every_problem(self):
        names = [line.split()[0] for line in summand("list").stdout.splitlines()]
        for name in ["additive", "walker", "walker-paper", "rover", "ackley", "branin", "lasso-synthetic"]:
            self.assertIn(name, names)
        for name in names:
            self.assertEqual(summand("show", name).returncode, 0, name)

    def test_show_says_space_goal_best_and_citation(self):
        text = summand("show", "styblinski-tang-2").stdout
        for words in ["minimize", "-78.33233", "Styblinski", "x2", "-5 to 5", "{x1} {x2}"]:
            self.assertIn(words, text)

    def test_eval_prints_one_number_and_nothing_else(self):
        result = summand("eval", "branin", "-3.141592653589793", "12.275")
        self.assertRegex(result.stdout, r"\A0\.39788735772973\d*\n\Z")
        self.assertEqual(result.stderr, "")
        self.assertEqual(summand("eval", "branin", "--param", "x2=12.275", "--param", "x1=-3.141592653589793").stdout,
                         result.stdout)
        self.assertEqual(summand("eval", "branin", "--csv", "-", stdin="id,x2,x1\n1,12.275,-3.141592653589793\n").stdout,
                         result.stdout)

    def test_csv_gives_a_number_a_line(self):
        lines = summand("eval", "rosenbrock-2", "--csv", "-", stdin="x1,x2\n1,1\n2,2\n\n-1,1\n").stdout.split()
        self.assertEqual(lines, ["0", "401", "4"])

    def test_options_reach_the_problem(self):
        value = summand("eval", "ackley", "--dimension", "2", "1", "1").stdout
        self.assertEqual(value, summand("eval", "ackley-2", "1", "1").stdout)
        noisy = [summand("eval", "ackley-2", "1", "1", "--noise-stddev", "1", "--repeat", r).stdout for r in "001"]
        self.assertEqual(noisy[0], noisy[1])
        self.assertNotEqual(noisy[0], noisy[2])
        self.refuses("eval", "ackley-2", "1", "1", "--levels", "4", words=["x1"])

    def test_mistakes_get_a_sentence_and_exit_code_2(self):
        self.refuses("eval", "brannin", "1", "2", words=['did you mean "branin"'])
        self.refuses("eval", "branin", "1", words=["2 parameters", "1 value"])
        self.refuses("eval", "branin", "1", "99", words=["x2", "99", "[0, 15]"])
        self.refuses("eval", "branin", "1", "two", words=["x2", "not a number"])
        self.refuses("eval", "branin", "1", "2", "--bogus", words=["--bogus"])
        self.refuses("eval", "branin", "--param", "x1=1", words=["x2"])
        self.refuses("eval", "branin", "--param", "x1=1", "--param", "y=1", words=['no parameter "y"'])
        self.refuses("eval", "branin", "--param", "x1", words=["name=value"])
        self.refuses("eval", "branin", "1", "2", "--param", "x1=1", words=["both"])
        self.refuses("eval", "branin", "--csv", "/does/not/exist", words=["cannot be read"])
        self.refuses("eval", "branin", "--csv", "-", stdin="x1\n1\n", words=["x2"])
        self.refuses("eval", "branin", "--csv", "-", stdin="x1,x2\n1,1\n1,99\n", words=["line 3", "99"])
        self.refuses("eval", "branin", "1", "2", "--crash", "2", words=["from 0 to 1"])
        self.refuses("draw", "branin", "1", "2", "-o", "-", words=["rover"])
        self.refuses("show", words=["name"])

    def test_failures_on_demand(self):
        self.assertLess(summand("eval", "branin", "1", "2", "--crash", "1").returncode, 0)
        self.assertEqual(summand("eval", "branin", "1", "2", "--nan", "1").stdout, "nan\n")
        with self.assertRaises(ValueError):
            float(summand("eval", "branin", "1", "2", "--rubbish", "1").stdout)
        with self.assertRaises(subprocess.TimeoutExpired):
            summand("eval", "branin", "1", "2", "--hang", "1", timeout=0.5)

    def test_pictures_are_svg(self):
        walk = [2] + [c for c in (0.512, 0.073, 0.035, -0.819, -2, 2, 2, 1.89) for _ in range(3)]
        push = [-1, 3, 3, -1, 8, 1, 3, -3, -4, 4, 8, 0.5, 0, 0]
        for name, values in [("rover", [0.5] * 60), ("walker", walk), ("walker-paper", walk), ("robot-push", push)]:
            if name in summand("list").stdout:
                picture = summand("draw", name, *map(str, values), "-o", "-").stdout
                self.assertTrue(xml.etree.ElementTree.fromstring(picture).tag.endswith("svg"), name)


if __name__ == "__main__":
    unittest.main()
