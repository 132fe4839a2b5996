# SPDX-License-Identifier: Apache-2.0
"""The study commands as a user types them: study_commands_test.py SUMMAND SOURCE_FOLDER"""
import csv
import fcntl
import io
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import termios
import time
import unittest

from command_case import STUDY, SUMMAND, CommandCase

SOURCE = pathlib.Path(sys.argv[2])


class Commands(CommandCase):
    def write_program(self, script, extra=""):
        self.write(STUDY.replace("SCRIPT", script).replace("[optimizer]", extra + "\n[optimizer]"))

    def test_init_writes_a_file_that_runs(self):
        self.summand("init", "new.toml")
        self.assertIn("exists already", self.summand("init", "new.toml", code=2))
        self.summand("run", "new.toml", "--quiet")
        self.assertEqual(self.json("status", "new.toml")["completed"], 50)

    def test_run_resumes_and_shows_its_result(self):
        output = self.summand("run", self.study)
        self.assertIn("The budget of 6 trials is used up.", output)
        self.assertIn("Best:", output)
        self.assertIn("0 completed", self.summand("run", self.study))
        best = self.json("best", self.study)
        values = [trial["value"] for trial in self.json("trials", self.study)]
        self.assertEqual(best["value"], min(values))
        self.assertEqual(best["value"], best["parameters"]["x"])

    def test_best_names_the_recommended_trial_too_where_values_are_noisy(self):
        # A parabola with noise of 0.2, and the luckiest value of all where the function is 0.8 above its lowest.
        noise = [0.2 * (-1) ** k * (1 + k % 3) / 2 for k in range(41)]
        rows = [f"{k / 20 - 1},5,{(k / 20 - 1) ** 2 + noise[k]}" for k in range(41)]
        rows[2] = "-0.9,5,-0.5"
        (self.folder / "data.csv").write_text("x,n,value\n" + "\n".join(rows) + "\n")
        self.study.write_text(self.study.read_text().replace("initial_points = 100", "initial_points = 10"))
        self.summand("add", self.study, "data.csv")
        self.summand("ask", self.study)
        best, found = self.json("best", self.study), self.json("best", self.study, "--recommended")["recommended"]
        self.assertEqual((best["value"], best["parameters"]["x"]), (-0.5, -0.9))
        self.assertNotIn("recommended", best)
        self.assertTrue(found["noisy"])
        self.assertLess(abs(found["parameters"]["x"]), 0.5)
        output = self.summand("best", self.study)
        self.assertIn(f"trial  {best['id']}\n", output)
        self.assertRegex(output, f"Values are noisy.*\\nrecommended  trial {found['id']}:.* without noise")

    def test_best_says_when_the_best_value_is_doubted(self):
        # A parabola, and one value that is far too good.
        rows = [f"{k / 20 - 1},5,{(k / 20 - 1) ** 2}" for k in range(41)]
        rows[2] = "-0.9,5,-50"
        (self.folder / "data.csv").write_text("x,n,value\n" + "\n".join(rows) + "\n")
        self.study.write_text(self.study.read_text().replace("initial_points = 100", "initial_points = 10"))
        self.summand("add", self.study, "data.csv")
        again = self.json("ask", self.study)[0]
        self.assertEqual(again["parameters"]["x"], -0.9)  # asked for once more
        self.summand("tell", self.study, again["id"], 0.81)
        self.summand("ask", self.study)
        best, found = self.json("best", self.study), self.json("best", self.study, "--recommended")["recommended"]
        self.assertEqual((best["value"], found["best_doubted"]), (-50, True))
        self.assertLess(abs(found["parameters"]["x"]), 0.2)
        output = self.summand("best", self.study)
        self.assertRegex(output, f"taken for an error.*\\n(Values are noisy.*\\n)?recommended  trial {found['id']}:")

    def test_best_recommends_only_when_asked_or_noise_decides(self):
        self.summand("run", self.study)
        self.assertNotIn("expects", self.summand("best", self.study))
        self.assertRegex(self.summand("best", self.study, "--recommended"), "The model expects|There is no model yet")

    def test_every_command_takes_the_database_too(self):
        self.summand("run", self.study, "--quiet")
        for command in (["status"], ["best"], ["trials"], ["export"], ["structure", "show"], ["run"]):
            self.summand(*command, "study.db")

    def test_run_json_is_one_event_a_line(self):
        events = [json.loads(line) for line in self.summand("run", self.study, "--json").splitlines()]
        self.assertEqual([e["event"] for e in events].count("completed"), 6)
        self.assertEqual(events[-1]["end"], "budget")
        self.assertEqual(events[-1]["best"]["value"], self.json("best", self.study)["value"])

    def test_ask_and_tell(self):
        asked = self.json("ask", self.study, "--count", 3)
        self.assertEqual([trial["id"] for trial in asked], [1, 2, 3])
        self.assertEqual(list(asked[0]["parameters"]), ["x", "n"])
        self.assertIsInstance(asked[0]["parameters"]["n"], int)
        self.summand("tell", self.study, 1, -1.5)
        self.summand("tell", self.study, 2, "--failed", "out of memory")
        self.summand("tell", self.study, 3, "1e-3")
        status = self.json("status", self.study)
        self.assertEqual((status["completed"], status["failed"], status["running"]), (2, 1, 0))
        self.assertEqual(status["best"], {"id": 1, "value": -1.5})
        self.assertEqual(self.json("trials", self.study, 2)["reason"], "out of memory")
        self.assertIn("a number is needed", self.summand("tell", self.study, 3, "many", code=2))
        self.assertIn("no trial 17", self.summand("tell", self.study, 17, 1, code=2))
        self.assertIn("either a value", self.summand("tell", self.study, 3, code=2))

    def test_request_keys_make_ask_and_tell_repeatable(self):
        first = self.json("ask", self.study, "--count", 2, "--key", "job-1")
        self.assertEqual(self.json("ask", self.study, "--count", 2, "--key", "job-1"), first)
        self.summand("tell", self.study, 1, 5, "--key", "done-1")
        self.summand("tell", self.study, 1, 5, "--key", "done-1")
        self.assertEqual(len(self.json("trials", self.study)), 2)

    def test_a_key_belongs_to_one_request(self):
        self.json("ask", self.study, "--count", 6, "--key", "a")
        self.summand("tell", self.study, 6, "1e3", "--key", "z")
        message = self.summand("tell", self.study, 5, 7, "--key", "z", code=2)
        self.assertIn("then: tell 6 1000", message)
        self.assertIn("now: tell 5 7", message)
        self.assertIn("then: ask 6", self.summand("tell", self.study, 5, 7, "--key", "a", code=2))
        self.assertIn("then: tell 6 1000", self.summand("ask", self.study, "--key", "z", code=2))
        self.assertEqual(self.json("trials", self.study, 5)["state"], "running")

    def test_a_file_is_added_once(self):
        (self.folder / "data.csv").write_text("x,n,value\n0.5,2,1\n")
        self.summand("add", self.study, "data.csv")
        self.summand("add", self.study, "data.csv")
        self.assertEqual(self.json("status", self.study)["added"], 1)
        self.summand("add", self.study, "data.csv", "--key", "measured again")
        self.assertEqual(self.json("status", self.study)["added"], 2)

    def test_a_lost_trial_is_issued_again_and_a_late_answer_kept(self):
        self.json("ask", self.study, "--count", 1, "--lease", "1ms")
        time.sleep(0.01)
        self.assertEqual(self.json("status", self.study)["lost"], 1)
        self.assertEqual([t["id"] for t in self.json("ask", self.study, "--count", 1)], [1])
        self.summand("tell", self.study, 1, 4)
        self.summand("tell", self.study, 1, 3)
        shown = self.json("trials", self.study, 1)
        self.assertEqual((shown["value"], shown["late_answers"][0]["value"]), (4, 3))

    def test_the_budget_ends_asking(self):
        self.assertEqual(len(self.json("ask", self.study, "--count", 10)), 6)
        self.assertEqual(self.json("ask", self.study), [])
        self.summand("abandon", self.study, 6)
        self.assertEqual([t["id"] for t in self.json("ask", self.study)], [7])

    def test_export_reads_back_with_add(self):
        self.write_program("test $2 -lt 8 && echo $1")
        self.summand("run", self.study, "--quiet")
        exported = self.summand("export", self.study, "--format", "csv")
        rows = list(csv.DictReader(io.StringIO(exported)))
        self.assertEqual(len(rows), 6)
        self.assertEqual(json.loads(self.summand("export", self.study, "--format", "json"))[0]["id"], 1)
        (self.folder / "data.csv").write_text(exported)
        (self.folder / "other.toml").write_text(self.study.read_text().replace('"demo"', '"other"'))
        self.summand("add", "other.toml", "data.csv", "--key", "import")
        self.summand("add", "other.toml", "data.csv", "--key", "import")
        for before, after in zip(rows, csv.DictReader(io.StringIO(self.summand("export", "other.toml")))):
            self.assertEqual({k: before[k] for k in ("state", "value", "x", "n")}, {k: after[k] for k in ("state", "value", "x", "n")})
        self.assertEqual(self.json("status", "other.toml")["issued"], 0)

    def test_mistakes_in_data_name_the_row(self):
        (self.folder / "bad.csv").write_text("x,n,value\n0.5,2,1\n0.5,2.5,1\n")
        self.assertIn("bad.csv: line 3: ", self.summand("add", self.study, "bad.csv", code=2))
        for content, sentence in {
            "x,nn,value\n0.5,2,1\n": 'no column for the parameter "n"; is it the column "nn"',
            "x,x,n,value\n0.5,0.6,2,1\n": 'two columns are named "x"',
            'x,n,value\n"0,5",2,1\n': 'line 2: "0,5" is given for "x"; a number such as 0.5',
            "x,n,value\n0.5,2,many\n": 'line 2, column 3 (value): "many" is not a number',
            "x,n,score\n0.5,2,1\n": 'no column "value" or "y"',
        }.items():
            (self.folder / "bad.csv").write_text(content)
            self.assertIn(sentence, self.summand("add", self.study, "bad.csv", code=2))

    def test_states_in_data_are_heeded_and_unknown_ones_refused(self):
        (self.folder / "data.csv").write_text("x,n,value,state\n0.1,1,1,completed\n0.2,2,2,banana\n")
        message = self.summand("add", self.study, "data.csv", code=2)
        self.assertIn('data.csv: line 3, column 4 (state): "banana" is no state', message)
        self.assertIn("Nothing was added", message)
        (self.folder / "data.csv").write_text("x,n,value,state\n0.1,1,1,completed\n0.2,2,2,\n0.3,3,3,failed\n0.4,4,,running\n0.5,5,,lost\n")
        output = self.summand("add", self.study, "data.csv")
        self.assertIn("Added 3 evaluations", output)
        self.assertIn("2 lines were passed over", output)
        self.assertEqual([t["state"] for t in self.json("trials", self.study)], ["completed", "completed", "failed"])

    def test_data_may_have_a_byte_order_mark_and_columns_of_its_own(self):
        (self.folder / "data.csv").write_text("\ufeffdate,n,x,y\r\n2026-01-01, 2 ,0.5,1\r\n", encoding="utf-8")
        done = subprocess.run([SUMMAND, "add", self.study, "data.csv"], capture_output=True, text=True, cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (0, 'Added 1 evaluations to "demo".\n'), done.stderr)
        self.assertIn("passed over: date", done.stderr)
        self.assertEqual(self.json("best", self.study)["parameters"], {"x": 0.5, "n": 2})

    def test_a_parameter_may_be_named_as_a_column_of_the_export(self):
        for name in ("one", "two"):
            (self.folder / f"{name}.toml").write_text(
                self.study.read_text().replace('"demo"', f'"{name}"').replace("\nx =", "\nvalue =").replace("{x}", "{value}"))
        self.summand("run", "one.toml", "--quiet")
        self.summand("export", "one.toml", "-o", "data.csv")
        self.summand("add", "two.toml", "data.csv")
        self.assertEqual([t["parameters"] for t in self.json("trials", "two.toml")], [t["parameters"] for t in self.json("trials", "one.toml")])
        (self.folder / "own.csv").write_text("value,n,score\n0.5,2,7\n")
        self.assertIn("--value", self.summand("add", "two.toml", "own.csv", code=2))
        self.summand("add", "two.toml", "own.csv", "--value", "score")
        self.assertEqual(self.json("trials", "two.toml", 7)["parameters"]["value"], 0.5)

    def test_trials_are_filtered_sorted_and_logged(self):
        self.write_program("echo hello; echo warning >&2; test $2 -lt 5 && echo $1")
        self.summand("run", self.study, "--quiet")
        failed = self.json("trials", self.study, "--state", "failed")
        self.assertTrue(all(t["reason"] == "exit status 1: warning" for t in failed))
        values = [t["value"] for t in self.json("trials", self.study, "--state", "completed", "--sort", "value", "--descending")]
        self.assertEqual(values, sorted(values, reverse=True))
        self.assertEqual(len(self.json("trials", self.study, "--limit", 2)), 2)
        log = self.summand("trials", self.study, 1, "--log")
        self.assertIn("hello", log)
        self.assertIn("warning", log)
        self.assertIn('did you mean "value"', self.summand("trials", self.study, "--sort", "valu", code=2))

    def test_mistakes_in_the_study_file_are_explained(self):
        self.study.write_text(self.study.read_text().replace("budget = 6", "bugdet = 6"))
        message = self.summand("run", self.study, code=2)
        self.assertRegex(message, r"study\.toml:\d+: unknown key \"bugdet\".*did you mean \"budget\"")

    def test_errors_of_the_world_have_codes_of_their_own(self):
        (self.folder / "study.db").write_text("not a database\n")
        self.assertIn("not a database of Summand", self.summand("run", self.study, code=3))
        self.assertEqual((self.folder / "study.db").read_text(), "not a database\n")
        (self.folder / "study.db").unlink()
        self.assertIn("does not exist", self.summand("status", self.study, code=3))
        self.study.write_text(self.study.read_text().replace('"sh"', '"./missing"'))
        self.assertIn('cannot start "./missing"', self.summand("run", self.study, code=4))
        self.assertEqual(self.json("status", self.study)["failed"], 0)
        self.assertIn("cannot be read", self.summand("status", "nowhere.toml", code=2))

    def unwritten(self, redirection, *arguments):
        command = " ".join([f"'{SUMMAND}'", *arguments, redirection])
        done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.assertEqual(done.returncode, 2, f"{command}\n{done.stderr}")
        self.assertIn("standard output could not be written", done.stderr)
        return done.stderr

    def test_output_that_cannot_be_written_is_an_error(self):
        for redirection in ("> /dev/full", ">&-"):
            self.assertIn("wait for the next ask: 1, 2", self.unwritten(redirection, "ask", "study.toml"))
            self.assertEqual(self.json("status", self.study)["waiting"], 2)
            for command in ("best", "status", "trials", "export"):
                self.unwritten(redirection, command, "study.toml", "--help" if command == "best" else "")
        self.assertIn("same --key", self.unwritten("> /dev/full", "ask", "study.toml", "--key", "a"))
        self.assertEqual([t["id"] for t in self.json("ask", self.study, "--key", "a")], [1, 2])
        self.summand("tell", self.study, 1, 0.5)
        self.unwritten(">&-", "best", "study.toml")

    def test_numbers_out_of_range_are_refused_in_a_sentence(self):
        for arguments in (("ask", self.study, "--count", 0), ("trials", self.study, "--limit", -1), ("run", self.study, "--workers", "1e99")):
            self.assertIn(f"{arguments[-1]} is given; a whole number from 1 to 1000000000 is needed", self.summand(*arguments, code=2))
        self.change("budget = 6", "budget = 9223372036854775807", "large.toml")
        self.assertIn("large.toml:4: budget is 9223372036854775807; a whole number of at least 1 and at most 1000000000",
                      self.summand("ask", "large.toml", code=2))
        self.change("batch_size = 2", "batch_size = 1000000000", "large.toml")
        self.assertRegex(self.summand("ask", "large.toml", code=2), r"large.toml:7: .*batch_size is 1000000000; .*between 1 and 10000")

    def test_names_that_no_address_can_have_are_refused(self):
        for name, sentence in {".": "means a folder", "..": "means a folder", "a\\u0000b": "control character", "a\\nb": "control character"}.items():
            self.change('"demo"', f'"{name}"', "odd.toml")
            self.assertIn(sentence, self.summand("ask", "odd.toml", code=2))

    def test_the_message_blames_what_is_wrong(self):
        for arguments, sentence in {
            ("rnu", self.study): "there is no command `summand rnu`; did you mean `summand run`?",
            ("structure", "lern", "x.csv"): "did you mean `summand structure learn`?",
            ("run", self.folder): "is a directory; give the study file in it",
            ("add", self.study, self.folder): "is a directory; give a CSV file",
            ("trials", self.study, "--limit", "-1"): "--limit",
            ("report", self.study, "--optimum", "nan"): "nan is given; a finite number is needed",
        }.items():
            self.assertIn(sentence, self.summand(*arguments, code=2))
        self.summand("run", self.study, "--quiet")
        message = self.summand("export", self.study, "-o", "nowhere/trials.csv", code=2)
        self.assertIn("nowhere/trials.csv cannot be written: No such file or directory", message)
        self.write_program("echo $1", 'directory = "missing"')
        self.assertIn("missing, in which the program is to run, does not exist", self.summand("run", self.study.rename(self.folder / "other.toml"), code=4))

    def test_what_was_changed_in_a_study_is_named(self):
        self.summand("run", self.study, "--quiet")
        text = self.study.read_text()
        self.study.write_text(text.replace("initial_points = 100", "initial_points = 50"))
        message = self.summand("run", self.study, code=2)
        self.assertIn("initial_points was 100 and is 50 now", message)
        self.assertLess(len(message), 400)
        self.study.write_text(text.replace("high = 9", "high = 8").replace('"{n}"', '"{n}", "{z}"') + "z = { low = 0.0, high = 1.0 }\n")
        self.assertIn("(parameter n: high was 9 and is 8 now; parameter z is new)", self.summand("run", self.study, code=2))

    def test_a_late_answer_to_an_abandoned_trial_is_called_so(self):
        self.json("ask", self.study, "--count", 1)
        self.summand("abandon", self.study, 1)
        done = subprocess.run([SUMMAND, "tell", self.study, "1", "5"], capture_output=True, text=True, cwd=self.folder)
        self.assertIn("trial 1 was abandoned", done.stderr)

    def test_the_hint_after_a_run_names_the_study(self):
        self.summand("run", self.study, "--quiet")
        self.study.write_text(self.study.read_text().replace('"demo"', '"other one"'))
        self.summand("run", self.study, "--quiet")
        self.assertIn("summand best study.db --study 'other one'", self.summand("run", "study.db", "--study", "other one"))

    def test_progress_goes_to_standard_error(self):
        done = subprocess.run([SUMMAND, "run", self.study], capture_output=True, text=True, cwd=self.folder)
        self.assertRegex(done.stderr, r"trial \d+ \(6 of 6\)")
        self.assertNotIn("(6 of 6)", done.stdout)
        self.assertIn("Best:", done.stdout)

    def in_terminal(self, columns, **environment):
        """What `summand run` writes to a terminal of so many columns."""
        main, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        run = subprocess.Popen([SUMMAND, "run", self.study], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=other,
                               env={**os.environ, "TERM": "xterm", "NO_COLOR": "", **environment})
        os.close(other)
        output = b""
        try:
            while part := os.read(main, 65536):
                output += part
        except OSError:
            pass  # how the end of a terminal is told
        os.close(main)
        self.assertEqual(run.wait(), 0)
        return output.decode()

    def test_the_display_fits_its_terminal_and_heeds_no_color(self):
        self.study.write_text(self.study.read_text().replace("budget = 6", "budget = 60").replace('"demo"', '"a study with a name"'))
        for columns in (80, 40):
            (self.folder / "study.db").unlink(missing_ok=True)
            output = self.in_terminal(columns)
            self.assertIn("\033[1m", output)
            firsts = re.findall(r"a study with a name[^\r\n]*", re.sub(r"\033\[[0-9;]*[a-zA-Z]", "", output))
            self.assertIn("60 of 60 trials", firsts[-1])
            self.assertTrue(all(" of 60 trials" in first and "…" not in first and len(first) <= columns for first in firsts), firsts)
        self.assertIn("█", self.in_terminal(80))
        self.assertNotRegex(self.in_terminal(80, NO_COLOR="1"), r"\033\[[0-9;]*m")
        self.assertNotIn("\033", self.in_terminal(80, TERM="dumb"))

    def test_a_full_disk_is_a_sentence_and_loses_nothing(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", disk], capture_output=True).returncode != 0:
            self.skipTest("mounting needs root")
        self.addCleanup(subprocess.run, ["umount", "-l", disk])
        study = disk / "study.toml"
        study.write_text(self.study.read_text().replace("budget = 6", "budget = 300"))
        self.assertIn("the disk is full", self.summand("run", study, "--quiet", code=3))
        stored = self.json("status", study)["completed"]
        self.assertGreater(stored, 0)
        subprocess.run(["mount", "-o", "remount,size=20M", disk], check=True)
        self.summand("run", study, "--quiet")
        self.assertEqual(self.json("status", study)["completed"], 300)

    def test_ctrl_c_ends_a_run_cleanly_and_it_goes_on(self):
        self.write_program("echo > started-$SUMMAND_TRIAL; sleep 0.2; echo $1")
        run = subprocess.Popen([SUMMAND, "run", str(self.study)], cwd=self.folder, stdout=subprocess.PIPE, text=True)
        while not list(self.folder.glob("started-*")):
            time.sleep(0.01)
        run.send_signal(signal.SIGINT)
        output, _ = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 130, output)
        self.assertIn("goes on from here", output)
        status = self.json("status", self.study)
        self.assertEqual((status["running"], status["failed"]), (0, 0))
        self.assertGreaterEqual(status["completed"], 1)
        self.summand("run", self.study, "--quiet")
        self.assertEqual(self.json("status", self.study)["completed"], 6)

    def test_a_run_under_nohup_outlives_its_terminal(self):
        self.write_program("echo > started-$SUMMAND_TRIAL; sleep 0.1; echo $1")
        run = subprocess.Popen(["nohup", SUMMAND, "run", str(self.study)], cwd=self.folder, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        while not list(self.folder.glob("started-*")):
            time.sleep(0.01)
        run.send_signal(signal.SIGHUP)
        output, _ = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0, output)
        self.assertEqual(self.json("status", self.study)["completed"], 6)

    def test_a_command_that_always_fails_ends_the_run_with_its_cause(self):
        self.write_program("echo loading >&2; echo no such module >&2; exit 1")
        self.study.write_text(self.study.read_text().replace("budget = 6", "budget = 60"))
        message = self.summand("run", self.study, code=4)
        self.assertIn("exit status 1: no such module", message)
        self.assertIn("give_up_after", message)
        self.assertLessEqual(self.json("status", self.study)["failed"], 11)
        self.assertEqual(self.json("trials", self.study, 1)["reason"], "exit status 1: no such module")

    def test_a_run_without_any_value_fails_also_below_ten_trials(self):
        self.write_program("echo no such module >&2; exit 1")
        message = self.summand("run", self.study, "--quiet", code=4)
        self.assertIn("no trial gave a value: all 6 of this run failed", message)
        self.assertIn("exit status 1: no such module", message)
        self.write_program("test $SUMMAND_TRIAL -gt 1 && echo $1", "[run]\nretries = 0\n")
        self.summand("rerun", self.study, 1, 2)
        self.summand("run", self.study, "--quiet")  # trial 2 has a value

    def test_a_database_that_is_deleted_during_a_run_is_rescued(self):
        self.write_program("test $SUMMAND_TRIAL -lt 4 || rm -f study.db study.db-wal study.db-shm; echo $1")
        message = self.summand("run", self.study, "--workers", 1, code=3)
        rescued = re.search(r"is in (\S+\.rescued-\d+)", message).group(1)
        os.rename(rescued, self.folder / "study.db")
        self.assertGreaterEqual(self.json("status", self.study)["completed"], 3)
        self.write_program("echo $1")
        self.summand("run", self.study, "--quiet")
        self.assertEqual(self.json("status", self.study)["completed"], 6)

    def test_numbers_that_are_not_finite_are_refused_and_old_databases_with_one_open(self):
        self.write_program("echo $1", "optimum = inf")
        self.assertIn("optimum is inf; a finite number is needed", self.summand("run", self.study, code=2))
        self.write_program("echo $1", "optimum = 4.25")
        self.summand("run", self.study, "--quiet")
        with sqlite3.connect(self.folder / "study.db") as database:
            database.execute("UPDATE study SET settings = replace(settings, '4.25', 'null')")
        self.assertEqual(self.json("status", "study.db")["completed"], 6)
        self.summand("run", self.study, "--quiet")

    def test_fifty_processes_ask_and_tell_at_once(self):
        self.study.write_text(self.study.read_text().replace("budget = 6", "budget = 100"))
        self.summand("ask", self.study, "--count", 1)
        script = f'for i in 1 2; do id=$("{SUMMAND}" ask study.toml --count 1 | cut -d: -f1) && [ "$id" ] && "{SUMMAND}" tell study.toml $id $id || exit 1; done'
        processes = [subprocess.Popen(["sh", "-c", script], cwd=self.folder, stderr=subprocess.PIPE, text=True) for _ in range(49)]
        for process in processes:
            _, errors = process.communicate(timeout=280)
            self.assertEqual((process.returncode, errors), (0, ""))
        trials = self.json("trials", self.study, "--state", "completed")
        self.assertEqual(len(trials), 98)
        self.assertTrue(all(t["value"] == t["id"] for t in trials))

    def test_examples_are_sound(self):
        for example in ("shell", "python"):
            folder = self.folder / example
            shutil.copytree(SOURCE / "examples" / example, folder)
            text = (folder / "study.toml").read_text()
            (folder / "study.toml").write_text(re.sub(r"budget = \d+", "budget = 4", text))
            self.summand("run", folder / "study.toml", "--quiet")
            self.assertEqual(self.json("status", folder / "study.toml")["issued"], 4)
            self.assertGreaterEqual(self.json("status", folder / "study.toml")["completed"], 1)

    def test_help_of_every_command_has_an_example(self):
        manual = self.summand("man")
        commands = re.findall(r'^\.SS "summand ([a-z ]+)', manual, flags=re.M)
        for command in ("run", "ask", "tell", "status", "export", "structure show"):
            self.assertTrue(any(found.strip() == command for found in commands), f"{command} is not in the manual")
        for command in {c.strip() for c in commands} - {"structure", "problem", "experiment"}:
            self.assertIn("xample", self.summand(*command.split(), "--help"), command)
        self.assertIn("EXIT STATUS", manual)

    def test_completion_scripts_are_made(self):
        script = self.summand("completion", "bash")
        done = subprocess.run(["bash", "-c", script + '\nCOMP_WORDS=(summand structure sh); COMP_CWORD=2; _summand; echo "${COMPREPLY[@]}"'],
                              capture_output=True, text=True, cwd=self.folder)
        self.assertEqual(done.stdout.split(), ["show"], done.stderr)
        self.assertIn("#compdef", self.summand("completion", "zsh"))
        self.assertIn("complete -c summand", self.summand("completion", "fish"))


if __name__ == "__main__":
    os.environ.pop("SUMMAND_TRIAL", None)
    unittest.main(argv=sys.argv[:1])
