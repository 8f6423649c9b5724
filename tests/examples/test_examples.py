#!/usr/bin/env python3
# long
"""Every example says what to look at, and runs with `rubato simulate FILE`; those at the top give what theory says."""
import csv
import glob
import math
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
WORK = os.environ.get("TMPDIR", "/tmp")


seen = set()


def simulate(name, *options):
    seen.add(name)
    path = os.path.join(WORK, os.path.basename(name) + ".csv")
    p = subprocess.run([RUBATO, "simulate", os.path.join(ROOT, "examples", name + ".mo"), "--quiet",
                        "--output", path, *options], capture_output=True, text=True)
    assert p.returncode == 0, (name, p.stderr)
    with open(path) as f:
        return list(csv.DictReader(f))


def near(name, row, key, value, within):
    assert abs(float(row[key]) - value) <= within, (name, key, row[key], value)


for path in glob.glob(os.path.join(ROOT, "examples", "**", "*.mo"), recursive=True):
    with open(path) as f:
        text = f.read()
    comment = text[:min(text.find(w) for w in ("model ", "package ") if w in text)]
    assert comment.startswith("//") and "Look at" in comment, path + ": what is there to look at?"

# Long ones run for a part of their time.
SHORT = {"multirate/HeatedRooms": 1000, "multirate/HeatingSystem": 1000, "multirate/InverterChain": 30}
for path in sorted(glob.glob(os.path.join(ROOT, "examples", "**", "*.mo"), recursive=True)):
    name = os.path.relpath(path, os.path.join(ROOT, "examples"))[:-3]
    if "/" not in name:
        continue  # they follow
    more = ("--stop", str(SHORT[name])) if name in SHORT else ()
    rows = simulate(name, *more)
    assert len(rows) > 400 and all(math.isfinite(float(x)) for x in rows[-1].values()), name
at_top = {os.path.basename(p)[:-3] for p in glob.glob(os.path.join(ROOT, "examples", "*.mo"))}

rows = simulate("Pendulum")
assert all(abs(float(r["length"]) - 1) < 1e-7 for r in rows), "the rod does not keep its length"
assert all(abs(float(r["energy"])) < 1e-6 for r in rows), "energy is not kept"
rows = simulate("DoublePendulum")
assert all(abs(float(r["energy"]) - 9.8327127) < 2e-6 for r in rows), "energy is not kept"
assert all(math.hypot(float(r["bob2.r[1]"]) - float(r["bob1.r[1]"]), float(r["bob2.r[2]"]) - float(r["bob1.r[2]"])) - 0.7 < 1e-9
           for r in rows), "the bodies do not follow the rods"
near("CauerFilter", simulate("CauerFilter")[-1], "c[3].v", 0.5, 1e-3)  # two equal resistors
near("DCMotor", simulate("DCMotor", "--stop", "3")[-1], "load.w", 190, 0.1)  # (24 - 0.5*10)/0.1
rows = [r for r in simulate("Rectifier") if float(r["time"]) > 0.08]
low, high = (f(float(r["c.v"]) for r in rows) for f in (min, max))
assert 8 < low < high < 10 and 0.5 < high - low < 2, (low, high)
assert sum(float(r["d1.i"]) > 0.01 for r in rows) < len(rows) / 2, "the current is no pulse"
kept = [0.024*h - 0.8*math.log(h) + 0.028*y - 0.55*math.log(y)  # an invariant of Lotka and Volterra
        for h, y in ((float(r["hares"]), float(r["lynxes"])) for r in simulate("Prey"))]
assert max(kept) - min(kept) < 1e-6, (min(kept), max(kept))
near("BouncingBall", simulate("BouncingBall")[-1], "h", 0, 1e-3)
near("Circuit", simulate("Circuit")[-1], "c2.v", 5, 0.02)
near("HeatedRod", simulate("HeatedRod", "--stop", "100000")[-1], "T[50]", 373.15, 0.01)

# the robot: partitions and one method for all follow the continuous model, whose rotors stick and turn
ROBOT = ["--stop", "0.4", "--interval", "8e-4", "--variables", "^tip|mode"]
whole = simulate("robot/Robot", "--model", "Robot.Whole", "--tolerance", "1e-6", *ROBOT)
assert {r[f"drive[{k}].mode"] for r in whole for k in range(1, 7)} == {"-1", "0", "1"}, "no rotor sticks or turns"
for name, within in ("Single", 2e-4), ("Partitioned", 2e-4):
    rows = {round(float(r["time"])/8e-4): r for r in simulate("robot/Robot", "--model", "Robot." + name, *ROBOT)}
    for row in whole:
        tick = round(float(row["time"])/8e-4)
        if abs(float(row["time"]) - 8e-4*tick) < 1e-9 and tick in rows:
            for k in 1, 2, 3:
                near(name, rows[tick], f"tip[{k}]", float(row[f"tip[{k}]"]), within)
near("Stiff", simulate("Stiff", "--stop", "40")[-1], "y1", 0.7158270687, 1e-6)  # Hairer, Wanner II
row = simulate("Stiff")[-1]
near("Stiff", row, "mass", 1, 1e-9)
rows = simulate("ClockedController")
near("ClockedController", rows[-1], "h", 1.5, 1e-3)
near("ClockedController", rows[-1], "valve", 0.2, 1e-3)  # what is demanded
assert len({r["valve"] for r in rows}) <= 302, "the valve moves between ticks"
row = simulate("CraneCrabs", "--set", "N=2", "--stop", "2")[-1]
apart = simulate("CraneCrabs", "--set", "N=2", "--stop", "2", "--components", "--fixed-step", "1e-3", "--method", "rk4")[-1]
for key in ("crab[1].revolute.phi", "crab[1].prismatic.s"):
    near("CraneCrabs", apart, key, float(row[key]), 1e-5)
    assert row[key] == row[key.replace("1", "2")]
rows = simulate("DoublePendulum")
assert all(abs(float(r["energy"]) - float(rows[0]["energy"])) < 1e-6 for r in rows), "energy is not kept"
with open(os.path.join(ROOT, "examples", "README.md")) as f:
    story = f.read()
for name in at_top:
    assert f"({name}.mo)" in story, f"examples/README.md does not tell of {name}"
missing = at_top - seen
assert not missing, f"nothing is checked of {missing}"
sys.exit(0)
