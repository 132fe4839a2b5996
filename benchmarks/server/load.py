#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""load.py SUMMAND [SECONDS] [CLIENTS]: many clients ask and tell at once, beside a study whose suggestions take long.

200 connections ask for a trial of the study "quick" (random points) and tell its value, each after a pause of two seconds, while two others keep the server computing
suggestions of "heavy" (20 parameters, a model of hundreds of points). Says how long asks and tells took and checks that nothing was lost.
"""
import asyncio
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time


class Connection:
    def __init__(self, port):
        self.port = port

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def send(self, method, path, body=None, key=""):
        text = b"" if body is None else json.dumps(body).encode()
        head = f"{method} /api/v1{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n"
        head += f"Idempotency-Key: {key}\r\n\r\n" if key else "\r\n"
        begin = time.perf_counter()
        self.writer.write(head.encode() + text)
        received = await self.reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"Content-Length: (\d+)", received)
        answer = await self.reader.readexactly(int(length[1])) if length else b"{}"
        seconds = time.perf_counter() - begin
        if not received.startswith(b"HTTP/1.1 2"):
            raise RuntimeError(f"{method} {path}: {received.decode()}{answer.decode()}")
        return json.loads(answer), seconds


def study(name, dimensions, **optimizer):
    return {"name": name, "goal": "minimize", "parameters": {f"x{j}": {"low": 0.0, "high": 1.0} for j in range(dimensions)},
            "optimizer": {"seed": 1, **optimizer}}


def value_of(parameters):
    return sum((x - 0.3) ** 2 for x in parameters.values())


async def client(number, port, end, pause, times, told):
    line = Connection(port)
    await asyncio.sleep(pause * (number % 50) / 50)
    await line.open()
    while time.monotonic() < end:
        answer, seconds = await line.send("POST", "/studies/quick/ask", {"count": 1, "worker": f"c{number}"})
        times["ask"].append(seconds)
        for trial in answer["trials"]:
            value = value_of(trial["parameters"])
            answer, seconds = await line.send("POST", f"/studies/quick/trials/{trial['id']}/tell", {"value": value}, key=f"t{trial['id']}")
            times["tell"].append(seconds)
            told[trial["id"]] = (value, answer["result"])
        await asyncio.sleep(pause)


async def heavy(port, end, times):
    line = Connection(port)
    await line.open()
    while time.monotonic() < end:
        answer, seconds = await line.send("POST", "/studies/heavy/ask", {"count": 5})
        times["heavy ask"].append(seconds)
        for trial in answer["trials"]:
            _, seconds = await line.send("POST", f"/studies/heavy/trials/{trial['id']}/tell", {"value": value_of(trial["parameters"])})
            times["tell beside its own ask"].append(seconds)


async def load(port, seconds, clients):
    line = Connection(port)
    await line.open()
    await line.send("POST", "/studies", study("quick", 3, initial_points=1000000))
    await line.send("POST", "/studies", study("heavy", 20, batch_size=5, initial_points=20))
    points = [{"parameters": {f"x{j}": (i * (j + 7) * 0.618) % 1.0 for j in range(20)}, "value": i % 17} for i in range(400)]
    await line.send("POST", "/studies/heavy/add", {"evaluations": points})
    times = {"ask": [], "tell": [], "heavy ask": [], "tell beside its own ask": []}
    told = {}
    end = time.monotonic() + seconds
    await asyncio.gather(*(client(i, port, end, 2.0, times, told) for i in range(clients)), heavy(port, end, times), heavy(port, end, times))
    await line.open()  # an idle connection has been closed by now
    answer, _ = await line.send("GET", "/studies/quick/trials?form=columns&state=completed")
    stored = dict(zip(answer["columns"]["id"], answer["columns"]["value"]))
    lost = [i for i, (value, _) in told.items() if stored.get(i) != value]
    doubled = len(times["tell"]) - len(told)
    return times, lost, doubled, len(told)


def main():
    program = os.path.abspath(sys.argv[1])
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0
    clients = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    folder = pathlib.Path(tempfile.mkdtemp(prefix="summand-load-"))
    server = subprocess.Popen([program, "serve", "load.db", "--port", "0"], cwd=folder, text=True, stdout=subprocess.PIPE)
    try:
        port = int(re.search(r":(\d+)/", server.stdout.readline())[1])
        times, lost, doubled, told = asyncio.run(load(port, seconds, clients))
    finally:
        server.terminate()
        server.wait()
    for name, values in times.items():
        values.sort()
        at = lambda share: 1000 * values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")
        print(f"{name:24} {len(values):6} times   median {at(0.5):8.1f} ms   p99 {at(0.99):8.1f} ms   longest {at(1.0):8.1f} ms")
    print(f"{told} trials told, {len(lost)} lost, {doubled} handed out twice; load average {os.getloadavg()[0]:.1f}")
    sys.exit(1 if lost or doubled else 0)


if __name__ == "__main__":
    main()
