# SPDX-License-Identifier: Apache-2.0
"""`summand serve` for tests of the dashboard, and studies to look at."""
import json
import math
import os
import random
import re
import subprocess
import urllib.parse
import urllib.request

MARKUP = "<img src=x onerror=alert(1)>"


class Service:
    """A server on a free port of this machine; on the port it had before when it is started again."""

    def __init__(self, summand, database, token=None, read_token=None):
        self.summand, self.database, self.token, self.read_token = summand, database, token, read_token
        self.port = 0
        self.process = None

    def start(self):
        given = {"SUMMAND_TOKEN": self.token, "SUMMAND_READ_TOKEN": self.read_token}
        environment = {**os.environ, **{name: value for name, value in given.items() if value}}
        self.process = subprocess.Popen([self.summand, "serve", self.database, "--port", str(self.port)], env=environment, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"(http://[^/]+:(\d+))/", line)
        assert found, f"summand serve said: {line}"
        self.url, self.port = found[1], int(found[2])
        return self

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()

    def call(self, method, path, body=None):
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {self.token}"} if self.token else {})}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/api/v1{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def read(self, path, headers):
        with urllib.request.urlopen(urllib.request.Request(f"{self.url}/api/v1{path}", headers=headers), timeout=60) as answer:
            return answer.read()

    def study(self, name):
        return "/studies/" + urllib.parse.quote(name, safe="")


def make_marked(service):
    """Every text of this study is markup: its name, a parameter, a choice, a failure, a log, a worker, a further value."""
    name = f"marked {MARKUP}"
    service.call("POST", "/studies", {"name": name, "goal": "minimize", "budget": 40, "optimizer": {"batch_size": 3, "seed": 1},
                                      "parameters": {f"a {MARKUP}": {"low": 0.0, "high": 1.0}, "c": {"values": [MARKUP, "b & c"]}, "rate": {"low": 1e-5, "high": 0.1}}})
    at = service.study(name)
    rng = random.Random(1)
    points = [{f"a {MARKUP}": rng.random(), "c": rng.choice([MARKUP, "b & c"]), "rate": 10 ** rng.uniform(-5, -1)} for _ in range(12)]
    service.call("POST", f"{at}/add", {"evaluations": [{"parameters": point, "value": point[f"a {MARKUP}"], "also": {MARKUP: 1.5}} for point in points]})
    trials = service.call("POST", f"{at}/ask", {"count": 3, "worker": f"node {MARKUP}"})["trials"]
    log = {"attempt": 1, "worker": "node", "started_at": 1.0, "ended_at": 2.0, "outcome": "exit status 1", "output": f"out {MARKUP}\n", "error": f"error {MARKUP}\n"}
    service.call("POST", f"{at}/trials/{trials[0]['id']}/tell", {"failed": f"exit status 1: {MARKUP}", "log": log})
    return name, [trial["id"] for trial in trials]


def make_big(service, trials=10000):
    """Ten thousand trials of 14 parameters."""
    names = [f"x{k}" for k in range(14)]
    service.call("POST", "/studies", {"name": "big", "goal": "maximize", "optimum": 14.0, "parameters": {name: {"low": 0.0, "high": 1.0} for name in names}})
    rng = random.Random(2)
    for start in range(0, trials, 2500):
        points = [{name: round(rng.random(), 9) for name in names} for _ in range(2500)]
        value = [sum(math.sin(3 * v) for v in point.values()) + 2 * start / trials + rng.gauss(0, 0.3) for point in points]
        service.call("POST", "/studies/big/add", {"evaluations": [{"parameters": p, "value": v} for p, v in zip(points, value)]})


def make_structured(summand, folder, database):
    """A study whose groups are found: a sum of two products and a bowl, evaluated by this machine's own shell tools."""
    names = [f"x{k}" for k in range(1, 7)]
    call = ", ".join(f'"-v", "{name}={{{name}}}"' for name in names)
    text = f"""name = "structured"
goal = "maximize"
budget = 90
optimum = 8.0
command = ["awk", {call}, "BEGIN {{{{ print 4*sin(6*x1*x2) + 4*cos(5*x3*x4) - x5*x5 - x6 }}}}"]
database = "{database}"
[optimizer]
batch_size = 10
seed = 1
initial_design = "structure-finding"
[parameters]
""" + "".join(f"{name} = {{ low = 0.0, high = 1.0, type = \"real\" }}\n" for name in names)
    path = folder / "structured.toml"
    path.write_text(text)
    subprocess.run([summand, "run", path, "--quiet"], check=True, capture_output=True, timeout=300)
