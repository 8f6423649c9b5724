#!/usr/bin/env python3
# long
"""rubato sweep: cases and what is kept of them, whatever the number of threads."""
import csv
import math
import os
import re
import signal
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
os.chdir(os.environ["TMPDIR"])


def sweep(*words, model="Decay.mo", code=0):
    p = subprocess.run([RUBATO, "sweep", os.path.join(HERE, model), *words], capture_output=True, text=True)
    assert p.returncode == code, (words, p.returncode, p.stdout, p.stderr)
    return p.stdout + p.stderr


def table(path):
    with open(path, newline="", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def column(rows, name):
    return [float(row[name]) for row in rows]


def bytes_of(path):
    with open(path, "rb") as f:
        return f.read()


def near(a, b, within=1e-7):
    assert len(a) == len(b) and all(abs(x - y) <= within*(1 + abs(y)) for x, y in zip(a, b)), (a, b)


# a grid: the first factor is the slowest, ends are included
sweep("--vary", "k=1:0.5:2", "--vary", "scale=log(1,100,3)", "--keep", "y", "--keep", "y@0.25,0.5", "--output", "grid")
rows = table("grid.csv")
assert list(rows[0]) == ["case", "k", "scale", "y", "y@0.25", "y@0.5", "status", "reason"], rows[0]
assert column(rows, "case") == list(range(1, 10))
near(column(rows, "k"), [1, 1, 1, 1.5, 1.5, 1.5, 2, 2, 2], 0)
near(column(rows, "scale"), [1, 10, 100]*3, 1e-15)
for name, t in (("y", 1), ("y@0.25", 0.25), ("y@0.5", 0.5)):
    near(column(rows, name), [s*math.exp(-k*t) for k, s in zip(column(rows, "k"), column(rows, "scale"))])

# what is kept: expressions, extrema, times of events and of relations
sweep("--vary", "k=2,4", "--output", "kept.csv", "--interval", "0.001", "--keep", "min(y)", "--keep", "max(2*y + 1)", "--keep", "event(1)",
      "--keep", "events()", "--keep", "first(x[1] < 0.25)", "--keep", "if low then y^2 else -1", "--keep", "event(2)", "--keep", "y@0.5")
rows = table("kept.csv")
near(column(rows, "min(y)"), [math.exp(-2), math.exp(-4)])
near(column(rows, "max(2*y + 1)"), [3, 3])
near(column(rows, "event(1)"), [math.log(2)/2, math.log(2)/4], 1e-6)
near(column(rows, "first(x[1] < 0.25)"), [math.log(4)/2, math.log(4)/4], 1e-5)
near(column(rows, "events()"), [1, 1], 0)
near(column(rows, "if low then y^2 else -1"), [math.exp(-4), math.exp(-8)])
assert [row["event(2)"] for row in rows] == ["", ""], rows
assert not os.path.exists("kept.mat") and not os.path.exists("kept.journal")

# a table; a case that fails is a row with its reason
with open("cases.csv", "w", encoding="utf-8") as f:
    f.write("scale,k\n1,1\n-1,2\n3,0.5\n")
out = sweep("--table", "cases.csv", "--keep", "y", "--output", "table.csv")
rows = table("table.csv")
assert [row["status"] for row in rows] == ["ok", "failed", "ok"], rows
assert "the scale is not positive" in rows[1]["reason"] and rows[1]["y"] == "", rows
assert "case 2 failed" in out and "1 failed" in out, out
near([float(rows[0]["y"]), float(rows[2]["y"])], [math.exp(-1), 3*math.exp(-0.5)])

# values that shape the model: one translation each
out = sweep("--vary", "n=1:3", "--vary", "k=1,2", "--keep", "y", "--output", "shape.csv")
assert "3 combinations of values shape the model" in out, out
near(column(table("shape.csv"), "y"),
     [sum(math.exp(-k*i) for i in range(1, n + 1)) for n in (1, 2, 3) for k in (1, 2)])

# samples: the same for the same seed, on any number of threads, and as many as asked for
SAMPLES = ("--sample", "lhs:64:5", "--normal", "k=1,0.1", "--uniform", "scale=1,2", "--keep", "y", "--trajectories", "^y$")
for threads in ("1", "2", "7"):
    sweep(*SAMPLES, "--threads", threads, "--output", "t" + threads)
for ending in (".csv", ".mat", "_trajectories.csv"):
    assert bytes_of("t1" + ending) == bytes_of("t2" + ending) == bytes_of("t7" + ending), ending
rows = table("t1.csv")
assert sorted(int((x - 1)*64) for x in column(rows, "scale")) == list(range(64))
k = column(rows, "k")
assert abs(sum(k)/64 - 1) < 0.005 and 0.08 < math.sqrt(sum((x - 1)**2 for x in k)/64) < 0.12, k
near(column(rows, "y"), [s*math.exp(-x) for x, s in zip(k, column(rows, "scale"))])
points = table("t1_trajectories.csv")
last = {}
for row in points:
    last[row["case"]] = row["y"]
assert len(last) == 64 and [last[row["case"]] for row in rows] == [row["y"] for row in rows]
sweep("--sample", "lhs:64:6", *SAMPLES[2:], "--output", "other.csv")
assert column(table("other.csv"), "k") != k
p = subprocess.run([RUBATO, "variables", "t1.mat"], capture_output=True, text=True)
assert p.returncode == 0 and "scale" in p.stdout, p.stdout

# mistakes in the command line have a word
for words, text in (
        (("--vary", "k=1:-1:2"), "the step does not lead"),
        (("--vary", "k=log(0,1,3)"), "positive ends"),
        (("--vary", "k"), "this is not NAME=VALUES"),
        (("--vary", "k=a"), "neither numbers"),
        (("--vary", "k=1", "--vary", "k=2"), "varies twice"),
        (("--vary", "nothing=1"), "no variable 'nothing'"),
        (("--vary", "k=1", "--keep", "z + 1"), "no variable 'z'"),
        (("--vary", "k=1", "--keep", "y +"), "no expression"),
        (("--vary", "k=1", "--keep", "y@3"), "from 0 to 1"),
        (("--vary", "k=1", "--keep", "event(0)"), "counted from 1"),
        (("--vary", "k=1", "--trajectories", "zz"), "no variable matches"),
        (("--normal", "k=1,1"), "how many samples"),
        (("--sample", "lhs:x", "--normal", "k=1,1"), "samples are mc:N"),
        ((), "nothing varies")):
    out = sweep(*words, code=2)
    assert text in out, (words, out)
assert "No such file" in sweep("--table", "none.csv", code=1)

# Ctrl-C keeps what is done, and --resume goes on
ARGUMENTS = ["--vary", "w=lin(15,25,400)", "--keep", "a", "--keep", "max(v)", "--threads", "2"]
p = subprocess.Popen([RUBATO, "sweep", os.path.join(HERE, "Slow.mo"), *ARGUMENTS, "--output", "slow"],
                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
while not os.path.exists("slow.journal") or os.path.getsize("slow.journal") < 2000:
    time.sleep(0.005)
p.send_signal(signal.SIGINT)
out = p.communicate()[1]
if p.returncode != 0:  # it may have ended before
    assert p.returncode == 3 and "interrupted" in out, (p.returncode, out)
    kept = int(re.search(r"(\d+) of 400 cases", out).group(1))
    rows = table("slow.csv")
    assert len(rows) == kept > 5 and os.path.exists("slow.journal"), (kept, len(rows))
    other = sweep(*ARGUMENTS[:2], "--keep", "v", "--resume", "--output", "slow", model="Slow.mo", code=2)
    assert "belongs to another study" in other, other
    out = sweep(*ARGUMENTS, "--resume", "--output", "slow", model="Slow.mo")
    assert f"{kept} of them before" in out, out
    again = {row["case"]: row for row in table("slow.csv")}
    assert len(again) == 400 and all(again[row["case"]] == row for row in rows)
