# SPDX-License-Identifier: Apache-2.0
"""summand report as a user types it: report_command_test.py SUMMAND"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

SUMMAND = sys.argv[1]
SOURCE = pathlib.Path(__file__).parents[2]
STUDY = """
name = "a study/with signs"
goal = "maximize"
budget = 24
command = ["sh", "-c", "case $2 in c) exit 3;; esac; echo $1", "program", "{x}", "{kind}", "{y}"]
[optimizer]
batch_size = 4
seed = 1
initial_points = 8
[parameters]
x = { type = "real", low = -1.0, high = 1.0 }
y = { type = "real", low = 0.001, high = 1.0, scale = "log" }
kind = { type = "choice", values = ["a", "b", "c"] }
"""


class Report(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="summand-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        (self.folder / "study.toml").write_text(STUDY)

    def summand(self, *arguments, code=0):
        done = subprocess.run([SUMMAND, *arguments], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, code, f"summand {arguments}\n{done.stdout}{done.stderr}")
        return done.stdout if code == 0 else done.stderr

    def test_page_and_plots_of_a_study_that_was_run(self):
        self.summand("run", "study.toml", "--quiet")
        self.assertEqual(self.summand("report", "study.toml", "-o", "page.html"), "page.html\n")
        page = (self.folder / "page.html").read_text()
        for part in ("progress", "structure", "slices", "importance", "failures", "time", "options"):
            self.assertIn(f'<section id="{part}">', page)
        self.assertIn("exit", page)
        self.assertNotIn('<section id="regret">', page)
        self.assertIn('"source":"study.toml"', page)
        self.summand("report", "study.db", "--study", "a study/with signs", "-o", "page.html", "--svg", "new/plots", "--optimum", "1.5")
        self.assertIn('"source":"study.db --study \'a study/with signs\'"', (self.folder / "page.html").read_text())
        self.assertIn('<section id="regret">', (self.folder / "page.html").read_text())
        names = {path.stem for path in (self.folder / "new/plots").glob("*.svg")}
        self.assertLessEqual({"progress", "regret", "structure", "importance", "evaluation-time", "suggestion-time"}, names)
        for path in (self.folder / "new/plots").glob("*.svg"):
            self.assertEqual(xml.parse(path).getroot().tag, "{http://www.w3.org/2000/svg}svg")
        self.summand("report", "study.toml")
        self.assertTrue((self.folder / "a-study-with-signs-report.html").exists())

    def additive_example(self, trials, points):
        """The study of the quickstart, shortened."""
        text = (SOURCE / "examples" / "additive" / "study.toml").read_text().replace('"../../build/release/bin/summand"', f'"{SUMMAND}"')
        text = text.replace("budget = 200", f"budget = {trials}").replace('"structure-finding"', f'"{points}"')
        (self.folder / "additive.toml").write_text(text)
        return self.summand("run", "additive.toml")

    def test_groups_that_are_found_are_said_and_shown(self):
        shown = self.summand("problem", "show", "additive-20", "--seed", "1")
        truth = re.findall(r"{([^ }]+ [^}]*)}", re.search(r"^groups .*", shown, re.M)[0])  # those of more than one parameter
        end = self.additive_example(120, "structure-finding")
        said = re.search(r"^Groups: (.*) and 2 alone\.$", end, re.M)[1]
        self.assertEqual(sorted(re.findall(r"{([^}]*)}", said)), sorted(group.replace(" ", ", ") for group in truth))
        self.assertIn(f"Groups: {said}", self.summand("structure", "show", "additive.toml"))
        self.assertTrue(json.loads(self.summand("structure", "show", "additive.toml", "--json"))["found"])
        self.summand("report", "additive.toml", "-o", "page.html")
        self.assertIn("<h3>Groups</h3>", (self.folder / "page.html").read_text())

    def test_groups_that_are_a_guess_are_not_called_found(self):
        end = self.additive_example(40, "uniform")  # too few points to tell
        self.assertIn("No groups were found.", end)
        self.assertIn("The model that foretells best: ", end)
        self.assertNotIn("Groups: ", end + self.summand("structure", "show", "additive.toml"))
        self.assertFalse(json.loads(self.summand("structure", "show", "additive.toml", "--json"))["found"])
        self.summand("report", "additive.toml", "-o", "page.html")
        page = (self.folder / "page.html").read_text()
        self.assertIn("none found", page)
        self.assertNotIn("<h3>Groups</h3>", page)

    def test_what_goes_wrong_is_a_sentence(self):
        self.assertIn("nowhere.toml", self.summand("report", "nowhere.toml", code=2))
        self.summand("run", "study.toml", "--quiet")
        self.assertIn("cannot write", self.summand("report", "study.toml", "-o", "missing/page.html", code=3))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
