# SPDX-License-Identifier: Apache-2.0
"""The same requests with the studies on a PostgreSQL server, and what happens while that is away. The API's and the workers' tests
run again, each on a database of its own."""
import pathlib
import subprocess
import sys
import tempfile
import threading
import unittest

import api_test
import work_test
from server_case import ServerCase

SCRIPT = pathlib.Path(__file__).resolve().parents[1] / "support/postgres_server.sh"


class OnPostgres(ServerCase):
    databases = 0

    def new_database(self):
        OnPostgres.databases += 1
        name = f"server_{OnPostgres.databases}"
        subprocess.run([SCRIPT, "database", FOLDER, name], check=True)
        return (FOLDER / "url").read_text().strip().replace("/postgres?", f"/{name}?")


class Studies(OnPostgres, api_test.Studies):
    pass


class Trials(OnPostgres, api_test.Trials):
    pass


class Work(OnPostgres, work_test.Work):
    pass


class Away(OnPostgres):
    def test_while_the_database_server_is_away_requests_are_refused_and_afterwards_all_is_there(self):
        self.make()
        trials = self.ok("POST", "/studies/demo/ask", {"count": 2})["trials"]
        self.ok("POST", f"/studies/demo/trials/{trials[0]['id']}/tell", {"value": 0.5})
        subprocess.run([SCRIPT, "crash", FOLDER], check=True)
        try:
            said = self.refused(503, "POST", f"/studies/demo/trials/{trials[1]['id']}/tell", {"value": 0.25})
            self.assertIn("cannot be reached", said)
        finally:
            subprocess.run([SCRIPT, "recover", FOLDER], check=True)
        self.assertEqual(self.ok("GET", "/studies/demo/best")["best"]["value"], 0.5)
        told = self.ok("POST", f"/studies/demo/trials/{trials[1]['id']}/tell", {"value": 0.25})
        self.assertEqual(told, {"result": "accepted"})
        self.assertEqual(self.ok("GET", "/studies/demo")["counts"]["completed"], 2)

    def test_a_request_during_a_short_absence_is_only_slow(self):
        self.make()
        trial = self.ok("POST", "/studies/demo/ask", {"count": 1})["trials"][0]
        subprocess.run([SCRIPT, "crash", FOLDER], check=True)
        back = threading.Timer(0.5, lambda: subprocess.run([SCRIPT, "recover", FOLDER], check=True))
        back.start()
        try:
            self.assertEqual(self.ok("POST", f"/studies/demo/trials/{trial['id']}/tell", {"value": 0.5}), {"result": "accepted"})
        finally:
            back.join()

    def test_more_studies_than_there_are_connections(self):
        for number in range(40):  # three connections each, of which the server has 100
            self.make(name=f"study {number}")
            self.ok("POST", f"/studies/study%20{number}/ask", {"count": 1})
        self.assertEqual([s["counts"]["running"] for s in self.ok("GET", "/studies")["studies"]], [1] * 40)

    def test_no_password_is_shown(self):
        said = self.summand("serve", "postgresql://me:secret@localhost/studies", code=2)
        self.assertNotIn("secret", said)
        self.assertIn("password", said)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="summand-test-") as name:
        FOLDER = pathlib.Path(name)
        subprocess.run([SCRIPT, "start", FOLDER], check=True, stdout=subprocess.DEVNULL)
        if not (FOLDER / "url").exists():
            sys.exit(77)
        try:
            unittest.main(argv=["postgres_test", *sys.argv[2:]])
        finally:
            subprocess.run([SCRIPT, "stop", FOLDER], check=True)
