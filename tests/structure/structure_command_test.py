#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""structure_command_test.py SUMMAND: `summand structure learn` on good and bad files."""
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

SUMMAND = sys.argv[1]


def learn(path, *options):
    return subprocess.run([SUMMAND, "structure", "learn", str(path), *options], capture_output=True, text=True, timeout=120)


def write(path, header, rows):
    path.write_text("\n".join([header] + [",".join(repr(v) for v in row) for row in rows]) + "\n")


def good_file(folder):
    """x0 and x3 interact, x1 stands alone, x2, x4 and x5 interact; units far from [0,1]."""
    rng = random.Random(1)
    levels = [(rng.uniform(0, 3), rng.uniform(17, 20)) for _ in range(6)]
    rows = []
    for _ in range(60):
        x = [rng.choice(pair) for pair in levels]
        rows.append(x + [math.sin(x[0] * x[3]) + x[1] + 2 * math.cos(x[2] + x[4] * x[5]) + 0.3 * x[4]])
    path = folder / "good.csv"
    write(path, "x0,x1,x2,x3,x4,x5,y", rows)
    return path


def check_good(folder):
    path = good_file(folder)
    done = learn(path, "--json", "--seed", "3", "--threads", "1")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    result = json.loads(done.stdout)
    assert result["groups"] == [["x0", "x3"], ["x1"], ["x2", "x4", "x5"]], result["groups"]
    assert set(result) == {"groups", "log_likelihood", "pair_probability", "sweeps", "seconds", "verdict"}
    assert result["pair_probability"]["names"] == ["x0", "x1", "x2", "x3", "x4", "x5"]
    matrix = result["pair_probability"]["matrix"]
    assert matrix[0][3] > 0.9 and matrix[3][0] == matrix[0][3] and matrix[0][1] < 0.5 and matrix[2][2] == 1
    assert result["verdict"] == "structure-found"
    again = json.loads(learn(path, "--json", "--seed", "3", "--threads", "2").stdout)
    result.pop("seconds"), again.pop("seconds")
    assert again == result, "the number of threads must not change a result"
    text = learn(path).stdout
    assert "{x0 x3} {x1} {x2 x4 x5}" in text and "structure-found" in text


def check_given(folder):
    rng = random.Random(2)
    rows = [[rng.random() for _ in range(3)] for _ in range(60)]
    write(folder / "unit.csv", "a,b,c,y", [x + [math.sin(6 * x[0] * x[2]) + x[1]] for x in rows])
    for learner in ("annealed", "gibbs"):
        done = learn(folder / "unit.csv", "--json", "--hyperparameters", "lengthscale=0.3,variance=1,noise_variance=1e-4",
                     "--learner", learner, "--sweeps", "30")
        assert json.loads(done.stdout)["groups"] == [["a", "c"], ["b"]], done.stdout + done.stderr


def check_convention(folder):
    """The same columns as `summand add` takes and `summand export` writes, in any order; failed evaluations are left out."""
    good = good_file(folder)
    expected = json.loads(learn(good, "--json").stdout)
    lines = [line.split(",") for line in good.read_text().splitlines()]
    trial = ["id", "state", "value", "reason", "added", "attempt", "asked_at", "started_at", "ended_at", "late"]
    rows = [trial + lines[0][:-1]]
    rows += [[str(i), "completed", line[-1], "", "0", "1", "1", "2", "3", "0"] + line[:-1] for i, line in enumerate(lines[1:], 1)]
    rows.insert(5, ["99", "failed", "", '"exit status 1: a, ""b"""', "0", "1", "1", "2", "3", "0"] + lines[1][:-1])
    exported = folder / "exported.csv"
    exported.write_text("\ufeff" + "\r\n".join(",".join(row) for row in rows) + "\r\n", encoding="utf-8")
    done = learn(exported, "--json")
    assert "1 lines without a value were left out" in done.stderr, done.stderr
    result = json.loads(done.stdout)
    result.pop("seconds"), expected.pop("seconds")
    assert result == expected
    named = folder / "named.csv"
    named.write_text("\n".join(",".join(line[-1:] + line[:-1]) for line in [lines[0][:-1] + ["score"]] + lines[1:]) + "\n")
    assert json.loads(learn(named, "--value", "score", "--json").stdout)["groups"] == expected["groups"]
    assert json.loads(learn(good, "--threads", "9999", "--json").stdout)["groups"] == expected["groups"]


def check_silent_columns(folder):
    """A column that never changes and a copy in other units say nothing of their own: without them the result is as if they were not there."""
    good = good_file(folder)
    expected = json.loads(learn(good, "--json").stdout)
    lines = [line.split(",") for line in good.read_text().splitlines()]
    more = folder / "silent.csv"
    rows = [["fixed", "copy"] + lines[0]] + [["3.5", repr(100 + 1000 * float(line[0]))] + line for line in lines[1:]]
    rows = [row[2:-1] + row[:2] + row[-1:] for row in rows]
    more.write_text("\n".join(",".join(row) for row in rows) + "\n")
    done = learn(more, "--json")
    assert "fixed has the same value in all rows and was left out" in done.stderr, done.stderr
    assert "copy says the same as x0 in all rows and was left out" in done.stderr, done.stderr
    result = json.loads(done.stdout)
    result.pop("seconds"), expected.pop("seconds")
    assert result == expected
    (folder / "one.csv").write_text("a,b,y\n1,5,3\n2,5,4\n3,5,1\n")
    done = learn(folder / "one.csv")
    assert done.returncode == 2 and "1 of 2 parameters change" in done.stderr, done.stderr


def check_mistakes(folder):
    cases = {
        "a,b,y\n1,2,3\n1,,4\n": "line 3, column 2 (b): the value is missing",
        "a,b,y\n1,2,3\n1,foo,4\n": 'line 3, column 2 (b): "foo" is not a number',
        "a,b,y\n1,nan,3\n1,2,4\n": "line 2, column 2 (b)",
        "a,b,y\n1,2,3\n1,3,3\n": "column 3 (y): all values are equal",
        "y\n1\n2\n": "line 1: there is no parameter",
        "a,b,y\n1,2\n1,3,3\n": "line 2: the line has 2 values, the header 3",
        "a,b,z\n1,2,4\n1,3,3\n": 'no column "value" or "y"',
        "a,a,y\n1,2,4\n1,3,3\n": 'two columns are named "a"',
        'a,b,y\n"0,5",2,4\n1,3,3\n': 'line 2, column 1 (a): "0,5" is not a number',
        'a,b,y\n"1,2,4\n1,3,3\n': "line 2: a quote is opened and never closed",
        "a;b;y\n1;2;4\n": "separate the columns by commas",
        "a,b,y\n0,1,1e308\n1,2,x\n": 'line 3, column 3 (y): "x" is not a number',
        "": "the file is empty",
    }
    for content, sentence in cases.items():
        path = folder / "bad.csv"
        path.write_text(content)
        done = learn(path)
        assert done.returncode == 2 and sentence in done.stderr and done.stdout == "", (content, done.stderr)
    good = good_file(folder)
    assert "-1 is given" in learn(good, "--seed", "-1").stderr
    (folder / "wide.csv").write_text("a,y\n-1e308,1\n1e308,2\n")
    assert "from -1e+308 to 1e+308" in learn(folder / "wide.csv", "--hyperparameters", "lengthscale=1,variance=1,noise_variance=1").stderr
    assert "[0,1]" in learn(good, "--hyperparameters", "lengthscale=1,variance=1,noise_variance=1").stderr
    assert "variance is missing" in learn(good, "--hyperparameters", "lengthscale=1").stderr


with tempfile.TemporaryDirectory() as name:
    check_good(pathlib.Path(name))
    check_given(pathlib.Path(name))
    check_convention(pathlib.Path(name))
    check_silent_columns(pathlib.Path(name))
    check_mistakes(pathlib.Path(name))
