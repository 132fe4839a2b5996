# SPDX-License-Identifier: Apache-2.0
"""summand report as a user types it: report_command_test.py SUMMAND"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

SUMMAND = sys.argv[1]
STUDY = """
name = "a study/with signs"
goal = "maximize"
command = ["sh", "-c", "case $2 in c) exit 3;; esac; echo $1", "program", "{x}", "{kind}", "{y}"]
[budget]
trials = 24
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
        self.summand("report", "study.db", "-o", "page.html", "--svg", "new/plots", "--optimum", "1.5")
        self.assertIn('<section id="regret">', (self.folder / "page.html").read_text())
        names = {path.stem for path in (self.folder / "new/plots").glob("*.svg")}
        self.assertLessEqual({"progress", "regret", "structure", "importance", "evaluation-time", "suggestion-time"}, names)
        for path in (self.folder / "new/plots").glob("*.svg"):
            self.assertEqual(xml.parse(path).getroot().tag, "{http://www.w3.org/2000/svg}svg")
        self.summand("report", "study.toml")
        self.assertTrue((self.folder / "a-study-with-signs-report.html").exists())

    def test_what_goes_wrong_is_a_sentence(self):
        self.assertIn("nowhere.toml", self.summand("report", "nowhere.toml", code=2))
        self.summand("run", "study.toml", "--quiet")
        self.assertIn("cannot write", self.summand("report", "study.toml", "-o", "missing/page.html", code=3))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
