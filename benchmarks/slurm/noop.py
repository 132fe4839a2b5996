#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""noop.py SUMMAND [--trials 10000] [--tasks 1000]

A program that does nothing, on a Slurm cluster of this machine (tests/slurm/cluster.sh): a batch of the study with `tasks` array
tasks, then as many tasks in a bare array, and so on in turn, so that whatever else the machine does meets both. Prints the time a
trial takes in both and what ours adds on the clock, with its standard error; what of it is CPU time (of the driver, and of
summand-task on the node); the calls to Slurm; and whether anything was lost or doubled.
"""
import argparse
import os
import pathlib
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

CLUSTER = pathlib.Path(__file__).resolve().parents[2] / "tests/slurm/cluster.sh"
STUDY = """name = "noop"
goal = "minimize"
budget = {budget}
command = ["/bin/echo", "{{x}}"]
[run]
executor = "slurm"
[optimizer]
batch_size = {tasks}
initial_points = {trials}
[parameters]
x = {{ type = "real", low = 0.0, high = 1.0 }}
"""


def count_calls(folder):
    """Programs of Slurm that write down each call before they do their work."""
    for name in ("sbatch", "squeue", "sacct", "scancel"):
        real = shutil.which(name)
        (folder / name).write_text(f"#!/bin/sh\necho {name} >> {folder}/calls\nexec {real} \"$@\"\n")
        (folder / name).chmod(0o755)
    return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}


def bare(folder, tasks):
    """Not by `sbatch --wait`, which looks so seldom that it sees the end of an array half a minute late."""
    script = folder / "bare.sh"
    script.write_text("#!/bin/bash\nexec /bin/echo $SLURM_ARRAY_TASK_ID\n")
    start = time.monotonic()
    job = subprocess.run(["sbatch", "--parsable", f"--array=0-{tasks - 1}", "--output=/dev/null", script], check=True,
                         capture_output=True, text=True).stdout.strip()
    while subprocess.run(["squeue", "--noheader", "--jobs", job], check=True, capture_output=True).stdout:
        time.sleep(0.5)
    return time.monotonic() - start


def cpu_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def added_by_the_task(summand, folder):
    """Seconds of summand-task around /bin/echo, less those of /bin/echo alone, on the clock and of CPU: a hundred tasks of an array
    that Slurm holds back, run here one after the other."""
    folder.mkdir()
    (folder / "study.toml").write_text(STUDY.format(budget=100, trials=100, tasks=100) + "[run.slurm]\narguments = [\"--hold\"]\n")
    driver = subprocess.Popen([summand, "run", "study.toml", "--quiet"], cwd=folder)
    while not list(folder.glob("study.slurm/*/summand-1*/job")):
        time.sleep(0.05)
    driver.kill()
    driver.wait()
    array = next(folder.glob("study.slurm/*/summand-1*"))
    seconds, cpu = [], []
    for program in (f"{array.parent}/summand-task {array} $i 7.5", "/bin/echo $i"):
        start, before = time.monotonic(), cpu_of_children()
        subprocess.run(["bash", "-c", f"for i in $(seq 0 99); do {program}; done"], check=True, stdout=subprocess.DEVNULL)
        seconds.append((time.monotonic() - start) / 100)
        cpu.append((cpu_of_children() - before) / 100)
    subprocess.run(["scancel", (array / "job").read_text()], check=True)
    return seconds[0] - seconds[1], cpu[0] - cpu[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("summand")
    parser.add_argument("--trials", type=int, default=10000)
    parser.add_argument("--tasks", type=int, default=1000)
    given = parser.parse_args()
    summand = os.path.abspath(given.summand)
    with tempfile.TemporaryDirectory(prefix="summand-noop-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        (folder / "calls-bin").mkdir()
        # A thousand tasks start at once on one machine: Slurm would call those lost that take longer than 10 s to do so.
        subprocess.run([CLUSTER, "start", folder / "cluster", "4", str((given.tasks + 3) // 4), "BatchStartTimeout=300", "MessageTimeout=60"], check=True)
        os.environ["SLURM_CONF"] = str(folder / "cluster/slurm.conf")
        try:
            environment = count_calls(folder / "calls-bin")
            ours, bares, cpu = [], [], 0.0
            for budget in range(given.tasks, given.trials + 1, given.tasks):
                (folder / "study.toml").write_text(STUDY.format(budget=budget, trials=given.trials, tasks=given.tasks))
                before, start = cpu_of_children(), time.monotonic()
                subprocess.run([summand, "run", "study.toml", "--quiet"], cwd=folder, env=environment, check=True)
                ours.append(1000 * (time.monotonic() - start) / given.tasks)
                cpu += cpu_of_children() - before
                bares.append(1000 * bare(folder, given.tasks) / given.tasks)
                print(f"    {budget}: {ours[-1]:.1f} ms a trial, bare {bares[-1]:.1f} ms a task", flush=True)
            calls = (folder / "calls-bin/calls").read_text().split()
            database = sqlite3.connect(folder / "study.db")
            completed, = database.execute("SELECT count(*) FROM trial WHERE state = 'completed'").fetchone()
            attempts, = database.execute("SELECT count(*) FROM attempt").fetchone()
            causes = database.execute(
                "SELECT outcome, count(*) FROM attempt GROUP BY substr(outcome, 1, instr(outcome || '(', '(')) ORDER BY 2 DESC").fetchall()
            late, = database.execute("SELECT count(*) FROM late_answer").fetchone()
            print(f"{given.trials} trials, {given.tasks} tasks at a time: {completed} completed, {given.trials - completed} lost, "
                  f"{attempts - completed + late} doubled")
            for cause, count in causes:
                print(f"    {count} attempts: {cause}")
            more = [a - b for a, b in zip(ours, bares)]
            error = statistics.stdev(more) / len(more) ** 0.5 if len(more) > 1 else float("nan")
            print(f"study: {statistics.mean(ours):.1f} ms a trial; bare arrays: {statistics.mean(bares):.1f} ms a task; "
                  f"ours adds {statistics.mean(more):.1f} +- {error:.1f} ms on the clock (asked: at most 5)")
            print(f"calls to Slurm: {', '.join(f'{calls.count(kind)} {kind}' for kind in sorted(set(calls)))}")
            print(f"ours: driver {1000 * cpu / given.trials:.2f} ms of CPU a trial (with its suggestions and its calls of Slurm)")
            added, of_cpu = added_by_the_task(summand, folder / "one-by-one")
            print(f"ours: summand-task {1000 * added:.2f} ms a trial on the node, {1000 * of_cpu:.2f} ms of CPU")
        finally:
            subprocess.run([CLUSTER, "stop", folder / "cluster"], check=True)
    return int(completed != given.trials or attempts != completed or late != 0)


if __name__ == "__main__":
    sys.exit(main())
