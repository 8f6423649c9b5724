#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_advise.py LIBRARY RUBATO [WORD]: what `rubato advise` finds in examples of the Modelica Standard Library.

LIBRARY is the folder that contains the package Modelica. Each example runs as it is, with the method that is chosen
automatically and with CVODE, and with --theta on what advise names, with the automatic method, an explicit one
and CVODE. The table has accepted steps, and times over that of the run as it is (the best of several, in turn), and the
largest difference of a state from the run as it is, over its largest value, at 200 points that are not within ten
time constants after an event. Where an example has no parasitic state with the numbers of the library, a parameter makes one:
then the table says so. WORD: only examples with it in their name."""
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile

FLUID = "Modelica.Thermal.FluidHeatFlow.Examples."
CASES = [  # kind, model, parameters
    ("circuit", "Modelica.Electrical.Analog.Examples.OvervoltageProtection", []),
    ("circuit", "Modelica.Electrical.Analog.Examples.AmplifierWithOpAmpDetailed", []),
    ("circuit", "Modelica.Electrical.Spice3.Examples.Spice3BenchmarkDifferentialPair", []),
    ("circuit", "Modelica.Electrical.Analog.Examples.DifferenceAmplifier", []),
    ("drive", "Modelica.Electrical.Machines.Examples.ControlledDCDrives.CurrentControlledDCPM", []),
    ("drive", "Modelica.Mechanics.Translational.Examples.Vehicle", []),
    ("fluid", FLUID + "ParallelCooling", ["pipe1.m=1e-4", "pipe2.m=1e-4", "pipe3.m=1e-4"]),
    ("fluid", FLUID + "IndirectCooling", ["pipe1.m=1e-4", "innerPipe.m=1e-4", "outerPipe.m=1e-4"]),
]
RUNS = [("as it is", False, []), ("cvode", False, ["--solver", "cvode"]), ("theta", True, []),
        ("theta, tsit5", True, ["--method", "tsit5"]), ("theta, cvode", True, ["--solver", "cvode"])]
POINTS, REPEAT, PAUSE, MOST = 200, 3, 10, "20000"


def call(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False)


def advice(rubato, library, model, options):
    """Names for --theta and the longest time constant among them."""
    text = call(rubato, "advise", model, "--library", library, *options).stdout
    names = re.search(r"^  --theta '(.*)'$", text, re.M)
    table = dict(re.findall(r"^  (\S+) +([\d.e+-]+) +[\d.e+-]+$", text, re.M))
    if not names:
        return None, 0
    return names.group(1), max((float(t) for t in table.values()), default=0)


def simulate(rubato, library, folder, model, options):
    """Statistics, and the states at the grid as {name: [(time, value, time of the last event)]}; None if it fails."""
    result, stats = os.path.join(folder, "r.csv"), os.path.join(folder, "s.json")
    run = call(rubato, "simulate", model, "--library", library, "--intervals", str(POINTS), "--quiet", "--tier", "0", "--max-steps", MOST,
               "--output", result, "--stats", stats, *options)
    if run.returncode:
        return None, None
    with open(stats, encoding="utf-8") as f:
        numbers = json.load(f)
    with open(result, encoding="utf-8", newline="") as f:
        rows = list(csv.reader(f))
    return numbers, rows


def at_grid(rows, start, stop):
    """Row of each point of the grid, left limits at events, with the time of the last event before it."""
    found, last, event = {}, None, start
    for row in rows[1:]:
        t = float(row[0])
        share = (t - start)/(stop - start)*POINTS
        if t == last:
            event = t
        elif abs(share - round(share)) < 1e-6:
            found.setdefault(round(share), (row, t, event))
        last = t
    return found


def difference(plain, other, states, pause):
    """Largest relative difference of a state, and the share of points that count."""
    start, stop = float(plain[1][0]), float(plain[-1][0])
    a, b = at_grid(plain, start, stop), at_grid(other, start, stop)
    column, worst, counted = {n: k for k, n in enumerate(other[0])}, 0, 0
    good = [k for k in a if k in b and all(g[k][1] - g[k][2] >= pause for g in (a, b))]
    for k, name in enumerate(plain[0]):
        if name not in states or name not in column:
            continue
        counted += 1
        largest = max(abs(float(a[i][0][k])) for i in a)
        most = max((abs(float(a[i][0][k]) - float(b[i][0][column[name]])) for i in good), default=math.nan)
        worst = max(worst, most/max(largest, 1e-3))
    return worst if counted else math.nan, len(good)/len(a)


def states_of(rubato, library, model):
    text = call(rubato, "structure", model, "--library", library).stdout
    line = re.search(r"^states: (.*)$", text, re.M)
    return set(line.group(1).split(", ")) if line else set()


def case(rubato, library, folder, kind, model, parameters):
    options = [w for p in parameters for w in ("--set", p)]
    names, constant = advice(rubato, library, model, options)
    print(f"\n{kind}: {model} {' '.join(parameters)}\n  --theta {names}")
    if not names:
        return
    states, best, rows = states_of(rubato, library, model), {}, {}
    for _ in range(REPEAT):
        for label, theta, more in RUNS:
            if best and label in rows and not rows[label]:
                continue
            extra = options + more + (["--theta", names] if theta else [])
            numbers, rows[label] = simulate(rubato, library, folder, model, extra)
            if numbers and (label not in best or numbers["time_simulate"] < best[label]["time_simulate"]):
                best[label] = numbers
    for label, _, _ in RUNS:
        if label not in best:
            print(f"  {label:13} fails, or takes more than {MOST} steps")
            continue
        off, share = difference(rows["as it is"], rows[label], states, PAUSE*constant)
        time = best[label]["time_simulate"]/best["as it is"]["time_simulate"]
        ratio = best[label]["steps_accepted"]/best["as it is"]["steps_accepted"]
        print(f"  {label:13} {best[label]['states']:3} states {best[label]['steps_accepted']:6} steps {ratio:6.2f} of the "
              f"steps {time:6.2f} of the time, difference {off:.1e} at {100*share:.0f} % of the points")


with tempfile.TemporaryDirectory() as tmp:
    for one in (c for c in CASES if len(sys.argv) < 4 or sys.argv[3] in c[1]):
        case(sys.argv[2], sys.argv[1], tmp, *one)
