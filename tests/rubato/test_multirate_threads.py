#!/usr/bin/env python3
# long
"""Partitions on threads: identical files whatever their number is, the same message where one fails, and the
same values when ticks wait for their time. Work is looked at, not time."""
import json
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
WORK = os.environ.get("TMPDIR", "/tmp")
ROBOT = [os.path.join(ROOT, "examples/robot/Robot.mo"), "--model", "Robot.Partitioned", "--stop", "0.024"]
EXAMPLES = "Rubato.Multirate.Examples."
RUNS = [(ROBOT, 30), ([EXAMPLES + "DispDisp", "--set", "nP=1", "--stop", "0.1"], 100),
        ([EXAMPLES + "ForceDisp", "--set", 'slowMethod="External"', "--stop", "0.1"], 100),
        ([EXAMPLES + "DispForce", "--set", 'fastMethod="ExplicitRungeKutta4"', "--stop", "0.1"], 100)]
FAILS = """model Fails
  Real a(start = 1, fixed = true), b(start = 1, fixed = true);
equation
  when Clock(Clock(1, 10), "ExplicitMidPoint2") then
    der(a) = -1;
  end when;
  when Clock(Clock(1, 10), "ImplicitEuler") then
    der(b) = -sqrt(b) - 3;
  end when;
end Fails;
"""
SWITCHES = """model Switches
  constant Integer n = 12;
  block Rub "Two relations that depend on the speed of this tick"
    parameter Real k;
    Real w(start = 0, fixed = true), x(start = 0, fixed = true), f;
  equation
    der(x) = w;
    der(w) = 3*sin(k*time) - 0.2*x - f;
    f = if w > 0.01 then 1 + 0.1*w elseif w < -0.01 then -1 + 0.1*w else 100*w;
  end Rub;
  Rub rub[n](k = {3 + j for j in 1:n});
  Clock base = Clock(1, 100), c[n] = {Clock(base, "ImplicitEuler") for j in 1:n};
  Real y[n], total = sum(subSample(y, 1));
equation
  for j in 1:n loop
    when c[j] then
      y[j] = rub[j].w;
    end when;
  end for;
end Switches;
"""
RESULTS = """model Results
  function both
    input Real x;
    output Real y, z;
  algorithm
    y := x + 1;
    z := 2*x;
    for k in 1:400 loop
      z := z + sin(k*x)/k;
    end for;
    annotation(Inline = false);
  end both;
  Clock base = Clock(1, 100);
  Real x(start = 0), y, z, a[40], sum(start = 0), w, b[40];
equation
  when base then
    x = previous(x) + 0.01;
    (y, z) = both(x);
    a = {sin(k*x) for k in 1:40};
  end when;
  w = subSample(z, 1);
  b = {sin(k*w) for k in 1:40};
  sum = previous(sum) + w*w;
end Results;
"""

DRIVES = """model Drives
  constant Integer n = 32;
  block Drive
    parameter Real k;
    Real w[4](each start = 0, each fixed = true), x(start = 0, fixed = true);
  equation
    der(x) = w[1];
    der(w) = {sin(k*time) - x, w[1] - tanh(w[2]), w[2] - tanh(w[3]), w[3] - tanh(w[4])};
  end Drive;
  Drive drive[n](k = {3 + j for j in 1:n});
  Clock base = Clock(1, 100), c[n] = {Clock(base, "ExplicitRungeKutta4") for j in 1:n};
  Real y[n];
equation
  for j in 1:n loop
    when c[j] then
      y[j] = drive[j].x;
    end when;
  end for;
end Drives;
"""


def run(command, *options):
    """Exit status, the result, the statistics, the messages."""
    out, stats = os.path.join(WORK, "t.csv"), os.path.join(WORK, "t.json")
    p = subprocess.run([RUBATO, "simulate", *command, *options, "--quiet", "--output", out, "--stats", stats],
                       capture_output=True, text=True)
    with open(out, "rb") as f:
        result = f.read()
    with open(stats, encoding="utf-8") as f:
        return p.returncode, result, json.load(f), p.stderr


for command, ticks in RUNS:
    status, one, plain, said = run(command)
    assert status == 0 and "partitions" not in plain, (command, said)
    assert one.count(b"\n") > ticks, (command, one.count(b"\n"))
    for threads in 2, 8:
        status, several, stats, said = run(command, "--threads", str(threads))
        assert status == 0 and several == one, (command, threads, said)
        used = {p["thread"] for p in stats["partitions"]}
        assert 1 < len(used) <= threads, (command, used)
        assert max(p["ticks"] for p in stats["partitions"]) == ticks, (command, stats["partitions"])
        assert stats["rhs_rows"] == plain["rhs_rows"], command
    status, paced, stats, said = run(command, "--realtime=1000")
    assert status == 0 and paced == one, (command, said)
    assert all(p["worst_frame"] > 0 and p["jitter"] >= 0
               for p in stats["partitions"] if p["method"]), command

# Slow partitions as tasks of their own: the same values however their work is spread, one interval late.
for command, ticks in RUNS[1:]:
    _, plain, _, _ = run(command)
    status, split, stats, said = run(command, "--tasks", "split")
    assert status == 0 and stats["schedule"]["tasks"] == "split", (command, said)
    assert split != plain and split.count(b"\n") == plain.count(b"\n"), command
    slow = [p for p in stats["partitions"] if p["clock"] > 0.005]
    assert slow and {p["ticks"] for p in slow} == {ticks//10 - 1}, (command, slow)
    for options in ["rates"], ["rates", "--threads", "2"], ["rates", "--realtime=100"], ["split", "--realtime=100"]:
        status, other, stats, said = run(command, "--tasks", *options)
        assert status == 0 and other == split, (command, options, said)
        assert ("fits" in stats["schedule"]) == ("--realtime=100" in options), stats["schedule"]

path = os.path.join(WORK, "Fails.mo")
with open(path, "w", encoding="utf-8") as f:
    f.write(FAILS)
status, one, _, said = run([path])
assert status == 3 and "Fails.mo:" in said, (status, said)
for threads in "2", "8":
    assert (status, one, said) == tuple(run([path], "--threads", threads)[k] for k in (0, 1, 3)), threads

# Blocks whose relations switch at the same tick on several threads; a result that is not the first of its call.
for name, text, stop in ("Switches", SWITCHES, "10"), ("Results", RESULTS, "10"):
    path = os.path.join(WORK, name + ".mo")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    status, one, _, said = run([path, "--stop", stop])
    assert status == 0, said
    for threads in "2", "8":
        status, several, stats, said = run([path, "--stop", stop], "--threads", threads)
        assert len({p["thread"] for p in stats["partitions"]}) > 1, (name, stats["partitions"])
        assert status == 0 and several == one, (name, threads, said)

# Equal partitions are given out in the order of their variables: few lines of the cache hold values of two threads.
path = os.path.join(WORK, "Drives.mo")
with open(path, "w", encoding="utf-8") as f:
    f.write(DRIVES)
_, one, _, _ = run([path])
for threads in 2, 4:
    status, several, stats, said = run([path], "--threads", str(threads))
    assert status == 0 and several == one, (threads, said)
    used = [p["thread"] for p in stats["partitions"] if "drive" in p["variable"]]
    assert len(used) == 32 and used == sorted(used) and len(set(used)) == threads, used
    assert 6*stats["schedule"]["lines_shared"] < threads*stats["schedule"]["lines"], stats["schedule"]

# An interval that no machine can keep: it is said before the run, and every miss is counted.
status, _, stats, said = run(RUNS[1][0], "--realtime=1e9")
assert status == 0 and "frames will be missed" in said and "missed their deadline" in said, said
assert not stats["schedule"]["fits"] and stats["frames_missed"] > 0, stats["schedule"]
assert stats["frames_missed"] == sum(p["misses"] for p in stats["partitions"]), stats
assert stats["ticks_missed"] == stats["woken_late"] + stats["interrupted"] + stats["too_long"] > 0, stats
assert stats["too_long"] > stats["ticks_missed"]/2, stats  # no machine does a tick in a picosecond

ball = os.path.join(ROOT, "examples/BouncingBall.mo")
p = subprocess.run([RUBATO, "simulate", ball, "--realtime", "--output", os.path.join(WORK, "b.csv")], capture_output=True,
                   text=True)
assert p.returncode == 2 and "the model has no clock" in p.stderr, (p.returncode, p.stderr)
status, _, _, said = run(RUNS[1][0], "--tasks", "many")
assert status == 2 and "--tasks is single, split or rates, not 'many'" in said, said
status, spun, _, said = run(RUNS[1][0], "--realtime=10", "--spin", "50")
assert status == 0 and spun == run(RUNS[1][0])[1], said
status, _, _, said = run(ROBOT, "--realtime", "--spin", "-1")
assert status == 2 and "--spin must be positive" in said, said
status, _, _, said = run(ROBOT, "--realtime=0")
assert status == 2 and "--realtime must be positive" in said, said
