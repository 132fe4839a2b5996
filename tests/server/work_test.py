# SPDX-License-Identifier: Apache-2.0
"""summand work, and the study commands with --server."""
import json
import os
import re
import signal
import subprocess
import sys
import time
import unittest

from server_case import STUDY, SUMMAND, ServerCase

SCRIPT = 'test -e "$PWD/slow" && touch "$PWD/begun.$$" && sleep 2; echo "$1"'
COMMAND = ["sh", "-c", SCRIPT, "program", "{x}", "{n}", "{solver}"]
ALLOW = f"sh -c '{SCRIPT}' program '{{x}}' '{{n}}' '{{solver}}'"


class FromAFile(ServerCase):
    """README, "From anywhere"."""

    def new_database(self):
        self.summand("init")
        return "study.toml"

    def test_the_study_of_the_file_is_there_for_workers(self):
        home = {**os.environ, "HOME": str(self.folder), "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""}
        (study,) = self.ok("GET", "/studies")["studies"]
        self.assertEqual(study["name"], "study")
        self.assertIn("--allow", self.summand("work", self.url, code=2, env=home))
        self.assertIn("no completed trial yet", self.summand("best", "study", "--server", self.url, code=2))

    def test_a_port_in_use_is_said_in_one_sentence(self):
        said = self.summand("serve", "study.toml", "--port", self.port, code=2)
        self.assertRegex(said, r"port \d+: Address already in use; give a free one with --port")


class Work(ServerCase):
    def setUp(self):
        super().setUp()
        self.make(command=COMMAND)
        self.home = {**os.environ, "HOME": str(self.folder), "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": ""}

    def worker(self, *arguments, stderr=subprocess.PIPE):
        return subprocess.Popen([SUMMAND, "work", self.url, "--allow", ALLOW, "--keep", "kept", *arguments], cwd=self.folder,
                                env=self.home, text=True, stdout=subprocess.PIPE, stderr=stderr)

    def wait_for(self, condition):
        for _ in range(600):
            if condition():
                return
            time.sleep(0.05)
        self.fail("it did not happen within 30 seconds")

    def begun(self):
        """Slow programs that run. A trial is running for the server before the worker has the answer to its question."""
        return len(list(self.folder.glob("begun.*")))

    def test_only_what_the_user_has_allowed_is_run(self):
        said = self.summand("work", self.url, code=2, env=self.home)
        self.assertIn(ALLOW, said)
        self.assertEqual(self.ok("GET", "/studies/demo/trials")["total"], 0)
        (self.folder / ".config/summand").mkdir(parents=True)
        (self.folder / ".config/summand/allow").write_text("# mine\n" + ALLOW + "\n")
        self.assertIn("8 completed", self.summand("work", self.url, "--workers", 2, env=self.home))
        best = self.ok("GET", "/studies/demo/best")["best"]
        self.assertEqual(best["value"], best["parameters"]["x"])
        self.assertEqual(best["attempts"][0]["outcome"], "completed")

    def test_what_a_running_program_has_written_is_seen(self):
        script = 'echo "<b>step 1</b>"; until test -e "$PWD/go"; do sleep 0.05; done; echo "$1"'
        self.make(name="talks", command=["sh", "-c", script, "program", "{x}", "{n}", "{solver}"], budget=1)
        worker = subprocess.Popen([SUMMAND, "work", self.url, "--study", "talks", "--allow", f"sh -c '{script}' program '{{x}}' '{{n}}' '{{solver}}'",
                                   "--keep", "kept"], cwd=self.folder, env=self.home, stdout=subprocess.DEVNULL)
        attempts = lambda: self.ok("GET", "/studies/talks/trials/1")["attempts"]
        self.wait_for(lambda: self.ok("GET", "/studies/talks")["counts"]["running"] == 1 and attempts())
        self.assertEqual([(a["outcome"], a["output"]) for a in attempts()], [("running", "<b>step 1</b>\n")])
        (self.folder / "go").touch()
        self.assertEqual(worker.wait(timeout=60), 0)
        (attempt,) = attempts()
        self.assertEqual(attempt["outcome"], "completed")
        self.assertEqual(attempt["output"].splitlines()[0], "<b>step 1</b>")

    def test_a_result_file_elsewhere_is_refused(self):
        self.make(name="evil", command=COMMAND, result={"from": "file", "file": "../precious"})
        self.assertIn("outside", self.summand("work", self.url, "--study", "evil", "--allow", ALLOW, code=2, env=self.home))

    def test_results_survive_a_server_that_is_killed_and_comes_back(self):
        (self.folder / "slow").touch()
        said = self.folder / "said"
        with open(said, "w") as errors:
            worker = self.worker("--workers", "2", stderr=errors)
        self.wait_for(lambda: self.begun() == 2)
        self.stop(signal.SIGKILL, code=-signal.SIGKILL)
        self.wait_for(lambda: len(list((self.folder / "kept").glob("*.result"))) == 2)
        (self.folder / "slow").unlink()
        # Longer than a request is repeated: the worker asks for new points and waits for the server with them.
        self.wait_for(lambda: re.search("(?s)does not answer.*waiting for it", said.read_text()))
        self.start()
        out, _ = worker.communicate(timeout=60)
        self.assertEqual(worker.returncode, 0, said.read_text())
        self.assertIn("8 completed", out)
        self.assertEqual(self.ok("GET", "/studies/demo")["counts"]["completed"], 8)
        self.assertEqual(list((self.folder / "kept").iterdir()), [])

    def test_results_survive_a_worker_that_is_killed_too(self):
        (self.folder / "slow").touch()
        worker = self.worker()
        self.wait_for(lambda: self.begun() == 1)
        self.stop(signal.SIGKILL, code=-signal.SIGKILL)
        self.wait_for(lambda: len(list((self.folder / "kept").glob("*.result"))) == 1)
        worker.kill()
        worker.communicate()
        (self.folder / "slow").unlink()
        self.start()
        worker = self.worker()
        out, err = worker.communicate(timeout=60)
        self.assertEqual(worker.returncode, 0, err)
        self.assertEqual(self.ok("GET", "/studies/demo/trials/1")["attempt"], 1)
        self.assertEqual(self.ok("GET", "/studies/demo")["counts"]["completed"], 8)


class Commands(ServerCase):
    def test_study_commands_work_on_a_server(self):
        self.make()

        def at(*words, **options):
            return self.summand(words[0], *words[1:], "--server", self.url, **options)

        asked = json.loads(at("ask", "demo", "--count", 2, "--json"))
        self.assertEqual([t["id"] for t in asked], [1, 2])
        at("tell", "demo", 1, 0.5, "--also", "seconds=2")
        at("tell", "demo", 2, "--failed", "no")
        self.assertIn("(was 0.5)", at("correct", "demo", 1, 0.25))
        self.assertIn("waits", at("enqueue", "demo", "x=0.5", "n=3", "solver=adam"))
        self.assertEqual(json.loads(at("status", "demo", "--json"))["completed"], 1)
        self.assertIn("value  0.25", at("best", "demo"))
        self.assertIn("adam", at("trials", "demo", "--where", "x=0.5"))
        self.assertIn("earlier answer: 0.5", at("trials", "demo", 1))
        self.assertIn("Nothing has been learned", self.summand("structure", "show", "demo", "--server", self.url))
        self.assertIn("waits", at("rerun", "demo", 2))
        at("abandon", "demo", 3)
        self.assertIn("no study", at("status", "nobody", code=2))
        self.assertIn("is no address", self.summand("status", "demo", "--server", "localhost", code=2))
        self.assertEqual(self.ok("GET", "/studies/demo")["counts"]["abandoned"], 1)


if __name__ == "__main__":
    unittest.main(argv=["work_test", *sys.argv[2:]])
