#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""torture.py SUMMAND [--kills N] [--studies N] [--trials N] [--seed N] [--minutes N] [--rate N] [--victims KINDS] [--keep FOLDER]
           [--forgetful]

Studies run on a Slurm cluster of this machine while drivers (`summand run`), workers (summand-task), slurmd and slurmctld are
killed with SIGKILL in random order. Two of three studies are kept on a PostgreSQL server (fsync on), which is shut down at once
and recovers, too. Then each study is finished undisturbed, and must have kept every promise: every trial of
the budget completed with its own value, told once, none evaluated by two programs at once or made again without a cause, and
a next suggestion equal to that of a replay of the history.

--forgetful is a driver broken on purpose: it forgets its jobs between two runs and starts their trials again. The same checks
must find that; the exit code is then 0 if they do. Only drivers are killed, so that nothing else explains what they find.

So many studies run at once; one that comes to its end is followed by another until all kills have been made.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent

STUDY = """name = "torture {number}"
{database}
goal = "minimize"
budget = {trials}
command = ["./program", "{{x}}", "{{y}}"]
[run]
executor = "slurm"
workers = 4
retries = 1000
asynchronous = {asynchronous}
[run.slurm]
retries = 1000
poll = "1s"
file_delay = "2s"
[optimizer]
batch_size = 4
seed = {number}
initial_points = {initial_points}
[parameters]
x = {{ type = "real", low = 0.0, high = 1.0 }}
y = {{ type = "real", low = 0.0, high = 1.0 }}
"""

# The lock ends with the program: whoever finds it taken runs beside another one.
PROGRAM = """#!/bin/bash
exec 9>>lock-$SUMMAND_TRIAL
flock -n 9 || echo "$SUMMAND_TRIAL (attempt $SUMMAND_ATTEMPT, Slurm job $SLURM_ARRAY_JOB_ID, $(date +%T.%N))" >> beside
echo "$SUMMAND_TRIAL $SUMMAND_ATTEMPT $SLURM_ARRAY_JOB_ID $(date +%T.%N)" >> begins
sleep 0.$((2 + RANDOM % 5))
awk "BEGIN { printf \\"%.17g\\\\n\\", $1 + 2.0 * $2 }"
echo $SUMMAND_TRIAL >> ends
"""


class Study:
    def __init__(self, summand, folder, number, trials, server):
        self.summand, self.folder, self.trials = summand, folder / f"study-{number}", trials
        self.folder.mkdir()
        self.on_server = server is not None and number % 3 != 0
        self.database = f'database = "{server}"' if self.on_server else ""
        with_model = number % 2 == 1
        (self.folder / "program").write_text(PROGRAM)
        (self.folder / "program").chmod(0o755)
        (self.folder / "study.toml").write_text(STUDY.format(
            number=number, trials=trials, database=self.database, initial_points=8 if with_model else 1000,
            asynchronous="true" if number % 4 >= 2 else "false"))
        self.driver = None
        self.finished = False

    def start(self, forgetful=False):
        if forgetful:
            shutil.rmtree(self.folder / "study.slurm", ignore_errors=True)
        log = open(self.folder / "log", "a")
        self.driver = subprocess.Popen([self.summand, "run", "study.toml"], cwd=self.folder, stdout=log, stderr=log)

    def look(self, forgetful):
        """Starts the driver again unless it has come to its end; one that ended with an error has broken a promise."""
        if self.driver is not None and self.driver.poll() is None or self.finished:
            return
        if self.driver is not None and self.driver.returncode == 0:
            self.finished = True
        elif self.driver is not None and self.driver.returncode > 0:
            sys.exit(f"a driver was shown an error:\n{(self.folder / 'log').read_text()[-2000:]}")
        else:
            self.start(forgetful)

    def evaluates(self):
        """Whether a program runs just now, as far as the programs tell."""
        lines = [len((self.folder / name).read_text().splitlines()) if (self.folder / name).exists() else 0 for name in ("ends", "begins")]
        return lines[0] < lines[1]

    def ask_next(self, name):
        text = (self.folder / "study.toml").read_text().replace(f"budget = {self.trials}", f"budget = {self.trials + 2}")
        text = text.replace(self.database, "")
        (self.folder / f"{name}.toml").write_text(text)
        answer = subprocess.run([self.summand, "ask", f"{name}.toml", "--count", "2", "--json"], cwd=self.folder,
                                capture_output=True, text=True, check=True)
        return [trial["parameters"] for trial in json.loads(answer.stdout)]

    def broken_promises(self):
        if self.on_server:
            subprocess.run([self.summand, "copy", "study.toml", "study.db"], cwd=self.folder, capture_output=True, check=True)
        exported = subprocess.run([self.summand, "export", "study.toml", "--format", "json"], cwd=self.folder,
                                  capture_output=True, text=True, check=True)
        trials = json.loads(exported.stdout)
        if [trial["id"] for trial in trials] != list(range(1, self.trials + 1)):
            yield f"the budget is not exact: {len(trials)} trials instead of {self.trials}"
        for trial in trials:
            if trial["state"] != "completed":
                yield f"trial {trial['id']} is {trial['state']}: {trial['reason']}"
            elif trial["value"] != trial["parameters"]["x"] + 2.0 * trial["parameters"]["y"]:
                yield f"trial {trial['id']} has another value"
        database = sqlite3.connect(self.folder / "study.db")
        for trial, told in database.execute("SELECT trial, count(*) FROM event WHERE kind = 'told' GROUP BY trial HAVING count(*) > 1"):
            yield f"trial {trial} was told {told} times"
        for (late,) in database.execute("SELECT trial FROM late_answer"):
            yield f"trial {late} has a second answer"
        database.close()
        ends = (self.folder / "ends").read_text().split()
        self.again = len(ends) - len(set(ends))
        if (self.folder / "beside").exists():
            yield f"trials ran twice at once: {', '.join((self.folder / 'beside').read_text().splitlines())}"
        for name in ("continued", "replayed"):
            with sqlite3.connect(self.folder / "study.db") as source, sqlite3.connect(self.folder / f"{name}.db") as copy:
                source.backup(copy)
                if name == "replayed":
                    copy.execute("DELETE FROM snapshot")
        if self.ask_next("continued") != self.ask_next("replayed"):
            yield "the next suggestion is not that of a replay"


class Server:
    """A PostgreSQL server; url is None where it is not installed."""
    def __init__(self, folder):
        self.folder, self.url = folder, None
        self.call("start", "fsync=on", "max_connections=200")
        if (folder / "url").exists():
            self.url = (folder / "url").read_text().strip()

    def kill(self, _):
        self.call("crash")

    def revive(self, _):
        self.call("recover")

    def call(self, action, *arguments):
        subprocess.run([HERE.parent / "support/postgres_server.sh", action, self.folder, *arguments], check=True, stdout=subprocess.DEVNULL)


class Cluster:
    def __init__(self, folder, nodes, cpus):
        self.folder, self.nodes = folder, nodes
        self.call("start", str(nodes), str(cpus))
        os.environ["SLURM_CONF"] = str(folder / "slurm.conf")

    def kill(self, name):
        self.call("kill", name)

    def revive(self, name):
        self.call("revive", name)

    def call(self, action, *arguments):
        subprocess.run([HERE / "cluster.sh", action, self.folder, *arguments], check=True, stdout=subprocess.DEVNULL)


class Absences:
    """Daemons that are dead and will be started again, each by a thread of its own: the others are struck meanwhile."""
    def __init__(self):
        self.away = {}

    def begin(self, name, seconds, keeper):
        """False: it is dead already."""
        if name in self.away and self.away[name].is_alive():
            return False
        self.away[name] = threading.Thread(target=self.kill_and_revive, args=(name, seconds, keeper))
        self.away[name].start()
        return True

    @staticmethod
    def kill_and_revive(name, seconds, keeper):
        keeper.kill(name)
        time.sleep(seconds)
        keeper.revive(name)

    def end(self):
        for thread in self.away.values():
            thread.join()


def workers(folder):
    """Processes of summand-task of our studies: those that wait for a program, that guard it, or are about to become it."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].startswith(str(folder).encode()) and words[0].endswith(b"/summand-task"):
            found.append(int(process.name))
    return found


VICTIMS = {"driver": 10, "worker": 8, "slurmd": 4, "slurmctld": 1, "database": 2}  # how often, one beside the other


def strike(rng, studies, cluster, server, absences, folder, kills, victims):
    """One kill of a random victim; nothing if there is none of its kind."""
    victims = [kind for kind in victims if kind != "database" or server.url]
    kind = rng.choices(victims, weights=[VICTIMS[kind] for kind in victims])[0]
    if kind == "driver":
        alive = [study for study in studies if study.driver is not None and study.driver.poll() is None]
        if not alive:
            return
        victim = rng.choice(alive).driver
        victim.kill()
        victim.wait()
    elif kind == "worker":
        alive = workers(folder)
        if not alive:
            return
        try:
            os.kill(rng.choice(alive), signal.SIGKILL)
        except ProcessLookupError:
            return
    else:
        name = {"database": "database", "slurmctld": "controller"}.get(kind) or f"n{rng.randint(1, cluster.nodes)}"
        if not absences.begin(name, rng.uniform(0.0, 1.0), server if kind == "database" else cluster):
            return
    kills[kind] = kills.get(kind, 0) + 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("summand")
    parser.add_argument("--kills", type=int, default=int(os.environ.get("SUMMAND_SLURM_KILLS", "20")))
    parser.add_argument("--studies", type=int, default=2, help="at once")
    parser.add_argument("--trials", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="strike no longer than that")
    parser.add_argument("--rate", type=float, default=1.0, help="kills a second, in the mean")
    parser.add_argument("--victims", default=",".join(VICTIMS), help="of: %(default)s")
    parser.add_argument("--keep", type=pathlib.Path, help="where the studies of broken promises are kept")
    parser.add_argument("--forgetful", action="store_true")
    given = parser.parse_args()
    if shutil.which("slurmctld", path=os.environ["PATH"] + ":/usr/sbin") is None:
        print("skipped: no Slurm here (apt-get install slurmctld slurmd slurm-client munge)")
        return 77
    victims = ["driver"] if given.forgetful else given.victims.split(",")
    rng = random.Random(given.seed)
    kills = {}
    with tempfile.TemporaryDirectory(prefix="summand-torture-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        cluster = Cluster(folder / "cluster", nodes=3, cpus=12)
        server = Server(folder / "server")
        studies, broken, absences = [], [], Absences()
        try:
            until = time.monotonic() + 60 * given.minutes
            said = 0
            while sum(kills.values()) < given.kills and time.monotonic() < until:
                while sum(not study.finished for study in studies) < given.studies:
                    studies.append(Study(os.path.abspath(given.summand), folder, len(studies) + 1, given.trials, server.url))
                for study in studies:
                    study.look(given.forgetful)
                time.sleep(0.02 if given.forgetful else rng.expovariate(given.rate))
                if given.forgetful and not any(study.evaluates() for study in studies):
                    continue  # a driver that has no jobs has nothing to forget
                strike(rng, studies, cluster, server, absences, folder, kills, victims)
                if sum(kills.values()) >= said + 50:
                    said = sum(kills.values())
                    print(f"{said} kills, {sum(study.finished for study in studies)} of {len(studies)} studies finished", file=sys.stderr, flush=True)
            absences.end()
            for study in studies:
                while not study.finished:
                    study.look(given.forgetful)
                    time.sleep(0.05)
            for study in studies:
                found = [f"{study.folder.name}: {promise}" for promise in study.broken_promises()]
                broken += found
                if found and given.keep:
                    shutil.copytree(study.folder, given.keep / study.folder.name, dirs_exist_ok=True)
            # A worker that is killed after its program has ended, and before it has written so, costs one evaluation; and so
            # does a controller that has forgotten a job and ends it.
            again, allowed = sum(study.again for study in studies), kills.get("worker", 0) + kills.get("slurmctld", 0)
            if again > allowed:
                broken.append(f"{again} evaluations that had come to their end were made again; at most {allowed} can be explained")
        finally:
            absences.end()
            for study in studies:
                if study.driver is not None and study.driver.poll() is None:
                    study.driver.kill()
            cluster.call("stop")
            server.call("stop")
        print(f"{sum(kills.values())} kills ({', '.join(f'{count} of {kind}' for kind, count in sorted(kills.items()))}) "
              f"over {len(studies)} studies of {given.trials} trials: {len(broken)} broken promises")
        print("\n".join(broken))
    return int(bool(broken) != given.forgetful)


if __name__ == "__main__":
    sys.exit(main())
