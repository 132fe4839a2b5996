# SPDX-License-Identifier: Apache-2.0
"""A server on a port of its own, and requests to it. The test's first argument is the program."""
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

SUMMAND = os.path.abspath(sys.argv[1])
STUDY = {
    "name": "demo", "goal": "minimize", "budget": 8, "optimizer": {"batch_size": 2, "seed": 1, "initial_points": 100},
    "parameters": {"x": {"low": -1.0, "high": 1.0}, "n": {"low": 1, "high": 9}, "solver": {"values": ["sgd", "adam"]}},
}


class ServerCase(unittest.TestCase):
    arguments = ()  # of summand serve
    environment = {}

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="summand-test-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.database = self.new_database()
        self.port = 0
        self.server = None
        self.start()
        self.addCleanup(self.stop)

    def new_database(self):
        return "studies.db"

    def start(self):
        self.server = subprocess.Popen(
            [SUMMAND, "serve", self.database, "--port", str(self.port), *self.arguments], cwd=self.folder, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **self.environment})
        line = self.server.stdout.readline()
        found = re.search(r"at (\w+://[\d.]+:(\d+))/", line)
        self.assertTrue(found, line + (self.server.stderr.read() if not line else ""))
        self.url, self.port = found[1], int(found[2])

    def stop(self, with_signal=signal.SIGTERM, code=0):
        if self.server is None:
            return
        self.server.send_signal(with_signal)
        self.assertEqual(self.server.wait(timeout=60), code, self.server.stderr.read())
        self.server.stdout.close()
        self.server.stderr.close()
        self.server = None

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def send(self, method, path, body=None, **headers):
        """The status and the answer; headers are given with _ for -."""
        connection = self.connect()
        text = body if body is None or isinstance(body, (str, bytes)) else json.dumps(body)
        given = {"Content-Type": "application/json"} if text is not None else {}
        given.update({name.replace("_", "-"): value for name, value in headers.items()})
        connection.request(method, "/api/v1" + path, text, given)
        response = connection.getresponse()
        answer = response.read()
        self.headers = response.headers
        connection.close()
        return response.status, json.loads(answer) if answer and "json" in response.headers["Content-Type"] else answer

    def ok(self, method, path, body=None, status=200, **headers):
        code, answer = self.send(method, path, body, **headers)
        self.assertEqual(code, status, answer)
        return answer

    def refused(self, status, method, path, body=None, **headers):
        """The sentence of an error."""
        code, answer = self.send(method, path, body, **headers)
        self.assertEqual(code, status, answer)
        return answer["error"]["message"]

    def make(self, **changes):
        return self.ok("POST", "/studies", {**STUDY, **changes}, status=201)

    def summand(self, *arguments, code=0, **options):
        done = subprocess.run([SUMMAND, *map(str, arguments)], capture_output=True, text=True, cwd=self.folder, **options)
        self.assertEqual(done.returncode, code, f"summand {arguments}\n{done.stdout}{done.stderr}")
        return done.stdout if code == 0 else done.stderr
