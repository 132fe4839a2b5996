# SPDX-License-Identifier: Apache-2.0
"""What openapi.yaml promises, request by request."""
import concurrent.futures
import json
import signal
import sys
import unittest

from server_case import STUDY, ServerCase


class Studies(ServerCase):
    def test_a_study_is_made_once_and_another_of_its_name_is_refused(self):
        self.assertEqual(self.ok("GET", "/studies"), {"studies": []})
        made = self.make()
        self.assertEqual([p["type"] for p in made["parameters"]], ["real", "integer", "choice"])
        self.assertEqual(made["budget"], 8)
        self.assertEqual(self.ok("POST", "/studies", STUDY)["name"], "demo")
        other = {**STUDY, "parameters": {"x": {"low": 0.0, "high": 1.0}}}
        self.assertIn("other parameters", self.refused(409, "POST", "/studies", other))
        toml = 'name = "a/b ü"\ngoal = "maximize"\n[parameters]\nx = { low = 0.0, high = 1.0 }\n'
        self.ok("POST", "/studies", toml.encode(), status=201, Content_Type="application/toml")
        self.assertEqual(self.ok("GET", "/studies/a%2Fb%20%C3%BC")["goal"], "maximize")
        self.assertEqual([s["name"] for s in self.ok("GET", "/studies")["studies"]], ["demo", "a/b ü"])

    def test_mistakes_in_a_study_are_sentences_and_change_nothing(self):
        self.assertIn("no goal", self.refused(400, "POST", "/studies", {"name": "x"}))
        for key, value in (("database", "/etc/x.db"), ("directory", "/")):
            self.assertIn("names a place", self.refused(400, "POST", "/studies", {**STUDY, key: value}))
        self.assertIn("names a place", self.refused(400, "POST", "/studies", {**STUDY, "run": {"executor": "slurm"}}))
        self.assertIn("nested", self.refused(400, "POST", "/studies", "[" * 100000))
        self.assertIn("not JSON", self.refused(400, "POST", "/studies", "{"))
        self.refused(415, "POST", "/studies", "name=x", Content_Type="application/x-www-form-urlencoded")
        self.assertEqual(self.ok("GET", "/studies"), {"studies": []})

    def test_a_command_from_http_is_kept_and_never_run_by_summand_run(self):
        self.make(command=["sh", "-c", "touch /tmp/never; echo 1", "{x}", "{n}", "{solver}"])
        self.assertIn("made over HTTP", self.summand("run", self.database, code=2))

    def test_pausing_changing_the_budget_and_deleting(self):
        self.make()
        self.assertTrue(self.ok("PATCH", "/studies/demo", {"paused": True})["paused"])
        self.assertEqual(self.ok("POST", "/studies/demo/ask"), {"trials": [], "reason": "paused"})
        self.assertEqual(self.ok("PATCH", "/studies/demo", {"paused": False, "budget": 1})["budget"], 1)
        self.assertEqual(len(self.ok("POST", "/studies/demo/ask", {"count": 5})["trials"]), 1)
        self.assertEqual(self.ok("POST", "/studies/demo/ask"), {"trials": [], "reason": "budget"})
        self.assertIsNone(self.ok("PATCH", "/studies/demo", {"budget": None})["budget"])
        self.refused(400, "PATCH", "/studies/demo", {"budget": 0})
        self.refused(400, "PATCH", "/studies/demo", {"colour": "red"})
        self.ok("DELETE", "/studies/demo", status=204)
        self.refused(404, "GET", "/studies/demo")
        self.refused(404, "DELETE", "/studies/demo")
        self.make()
        self.assertEqual(self.ok("GET", "/studies/demo/trials")["total"], 0)


class Trials(ServerCase):
    def setUp(self):
        super().setUp()
        self.make()

    def test_a_request_with_a_key_can_be_repeated_and_the_key_is_its_own(self):
        first = self.ok("POST", "/studies/demo/ask", {"count": 2}, Idempotency_Key="a")
        self.assertEqual(self.ok("POST", "/studies/demo/ask", {"count": 2}, Idempotency_Key="a"), first)
        self.assertIn("belongs to one request", self.refused(409, "POST", "/studies/demo/ask", {"count": 3}, Idempotency_Key="a"))
        self.assertEqual(self.ok("POST", "/studies/demo/trials/1/tell", {"value": 2}, Idempotency_Key="t")["result"], "accepted")
        self.assertEqual(self.ok("POST", "/studies/demo/trials/1/tell", {"value": 2}, Idempotency_Key="t")["result"], "repeated")
        self.refused(409, "POST", "/studies/demo/trials/1/tell", {"value": 3}, Idempotency_Key="t")
        self.assertEqual(self.ok("POST", "/studies/demo/trials/1/tell", {"value": 4})["result"], "kept-as-late")
        shown = self.ok("GET", "/studies/demo/trials/1")
        self.assertEqual((shown["value"], shown["late_answers"][0]["value"]), (2.0, 4.0))

    def test_commands_on_the_same_file_and_a_kill_lose_no_answer(self):
        if self.database.startswith("postgresql"):
            self.skipTest("of files")
        self.ok("POST", "/studies/demo/ask", {"count": 8})
        for trial in range(1, 9):  # by turns through the server and beside it
            self.summand("status", self.database)
            if trial % 2:
                self.ok("POST", f"/studies/demo/trials/{trial}/tell", {"value": trial})
            else:
                self.summand("tell", self.database, trial, trial)
        self.stop(signal.SIGKILL, code=-signal.SIGKILL)
        told = json.loads(self.summand("trials", self.database, "--json"))
        self.assertEqual([trial["value"] for trial in told], list(range(1, 9)))

    def test_answers_corrections_reruns_and_abandoned_trials(self):
        self.ok("POST", "/studies/demo/ask", {"count": 4, "worker": "w"})
        self.ok("POST", "/studies/demo/trials/1/tell", {"value": 2.0, "also": {"seconds": 3}})
        log = {"attempt": 1, "worker": "w", "started_at": 1.0, "ended_at": 2.0, "outcome": "exit status 1", "output": "o", "error": "<b>"}
        self.ok("POST", "/studies/demo/trials/2/tell", {"failed": "exit status 1: no", "worker": "w", "attempt": 1, "log": log})
        self.ok("POST", "/studies/demo/trials/3/retry", {"lease_seconds": 60, "attempt": log}, status=204)
        self.assertEqual(self.ok("POST", "/studies/demo/trials/4/abandon")["state"], "abandoned")
        self.refused(409, "POST", "/studies/demo/trials/1/abandon")
        self.assertEqual(self.ok("POST", "/studies/demo/trials/1/correct", {"value": 1.0})["result"], "accepted")
        self.assertEqual(self.ok("GET", "/studies/demo/best")["best"]["earlier_answers"][0]["value"], 2.0)
        self.assertEqual(self.ok("POST", "/studies/demo/trials/1/rerun")["state"], "waiting")
        self.refused(404, "POST", "/studies/demo/trials/99/tell", {"value": 1})
        self.refused(404, "POST", "/studies/demo/trials/x/tell", {"value": 1})
        for body in ({}, {"value": 1, "failed": "x"}, {"value": "1"}, {"value": None}, {"failed": ""}, {"value": 1, "also": {"a": "b"}}):
            self.refused(400, "POST", "/studies/demo/trials/3/tell", body)
        failures = self.ok("GET", "/studies/demo/failures")["failures"]
        self.assertEqual([(f["cause"], f["count"], f["trials"]) for f in failures], [("exit status 1", 1, [2])])
        self.assertEqual(self.ok("GET", "/studies/demo/trials/2")["attempts"][0]["error"], "<b>")
        self.ok("POST", "/studies/demo/renew", {"worker": "w", "lease_seconds": 5}, status=204)
        self.ok("POST", "/studies/demo/release", {"worker": "w"}, status=204)
        self.assertEqual(self.ok("GET", "/studies/demo")["counts"]["lost"], 1)

    def test_names_that_no_address_can_have_are_refused(self):
        for name in (".", "..", "a\0b", "a\nb"):
            self.assertIn("give it another name", self.refused(400, "POST", "/studies", {**STUDY, "name": name}))
        self.assertEqual(len(self.ok("GET", "/studies")["studies"]), 1)

    def test_points_of_ones_own_come_first_and_data_are_outside_the_budget(self):
        point = {"x": 0.5, "n": 3, "solver": "adam"}
        self.assertEqual(self.ok("POST", "/studies/demo/enqueue", {"points": [point]})["ids"], [1])
        self.assertEqual(self.ok("POST", "/studies/demo/add", {"evaluations": [{"parameters": point, "value": 7}]})["ids"], [2])
        self.assertIn("n", self.refused(400, "POST", "/studies/demo/enqueue", {"points": [{**point, "n": 10}]}))
        self.assertEqual(self.ok("POST", "/studies/demo/ask", {"count": 1})["trials"][0]["parameters"], point)

    def test_trials_are_filtered_sorted_and_given_page_by_page(self):
        for trial in self.ok("POST", "/studies/demo/ask", {"count": 6})["trials"]:
            self.ok("POST", f"/studies/demo/trials/{trial['id']}/tell", {"value": -trial["id"] / 3})
        page = self.ok("GET", "/studies/demo/trials?sort=value&limit=2&offset=1")
        self.assertEqual((page["total"], [t["id"] for t in page["trials"]]), (6, [5, 4]))
        self.assertEqual(self.ok("GET", "/studies/demo/trials?where=value%3C-1.5&where=id%3C6")["total"], 1)
        columns = self.ok("GET", "/studies/demo/trials?form=columns&digits=3&state=completed,failed")["columns"]
        self.assertEqual(columns["value"][:2], [-0.333, -0.667])
        self.assertEqual(len(columns["parameters"]["x"]), 6)
        for query in ("limit=0", "limit=x", "state=sleeping", "where=colour%3D1", "sort=colour", "form=poem", "limit=1&limit=2", "where=%zz"):
            self.refused(400, "GET", "/studies/demo/trials?" + query)
        progress = self.ok("GET", "/studies/demo/progress")
        self.assertEqual([i["trial"] for i in progress["improvements"]], [1, 2, 3, 4, 5, 6])
        self.assertEqual(len(self.ok("GET", "/studies/demo/history?after=3&limit=4")["events"]), 4)

    def test_what_is_learned_says_why_there_is_nothing_yet(self):
        self.assertEqual(self.ok("GET", "/studies/demo/structure")["names"], ["x", "n", "solver"])
        self.assertIn("no model yet", self.ok("GET", "/studies/demo/importance")["note"])
        self.assertEqual(self.ok("GET", "/studies/demo/slices")["slices"], [])
        self.assertIsNone(self.ok("GET", "/studies/demo/recommended")["recommended"])

    def test_many_clients_get_different_trials_and_lose_none(self):
        self.ok("PATCH", "/studies/demo", {"budget": 60})

        def work(_):
            done = []
            while trials := self.ok("POST", "/studies/demo/ask", {"count": 1})["trials"]:
                self.ok("POST", f"/studies/demo/trials/{trials[0]['id']}/tell", {"value": trials[0]["id"]})
                done.append(trials[0]["id"])
            return done

        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            done = sum(pool.map(work, range(12)), [])
        self.assertEqual(sorted(done), list(range(1, 61)))
        self.assertEqual(self.ok("GET", "/studies/demo")["counts"]["completed"], 60)

    def test_events_tell_what_happens_and_continue_where_a_connection_ended(self):
        connection = self.connect()
        connection.request("GET", "/api/v1/studies/demo/events")
        stream = connection.getresponse()
        self.assertEqual(stream.headers["Content-Type"], "text/event-stream")
        self.ok("POST", "/studies/demo/ask", {"count": 1})
        self.ok("POST", "/studies/demo/trials/1/tell", {"value": 2})
        seen = self.events(stream, until="told")
        self.assertEqual(seen[0][0], "study")
        self.assertEqual([(kind, data["trial"]) for kind, data in seen if kind != "study"], [("asked", 1), ("told", 1)])
        connection.close()
        connection = self.connect()
        connection.request("GET", "/api/v1/studies/demo/events", headers={"Last-Event-ID": "1"})
        self.assertEqual(self.events(connection.getresponse(), until="study")[0][0], "told")
        connection.close()
        connection = self.connect()
        connection.request("GET", "/api/v1/events")
        self.assertEqual(self.events(connection.getresponse(), until="study")[0][1]["name"], "demo")
        connection.close()

    def events(self, stream, until):
        seen, kind = [], ""
        while not seen or seen[-1][0] != until:
            line = stream.readline().decode().rstrip("\n")
            if line.startswith("event: "):
                kind = line[7:]
            if line.startswith("data: "):
                seen.append((kind, json.loads(line[6:])))
        return seen


if __name__ == "__main__":
    unittest.main(argv=["api_test", *sys.argv[2:]])
