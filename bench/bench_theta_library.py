#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_theta_library.py RUBATO LIBRARY [RUNS [WORD]]: infinitely fast processes in examples of the Modelica Standard Library.

For each example `rubato advise` says which states are parasitic. With its --theta the model runs with the method that is chosen
automatically, with the explicit method tsit5, and with CVODE; as it is, automatically and with CVODE: accepted steps, the best wall time of
RUNS (7) runs in turn, both over those of the run as it is and over those of CVODE on the model as it is. The difference is the
largest one of a state from the run as it is, over the largest value of that state (at least 1e-3, the resolution of the tolerance),
at 200 points that are not within ten time constants after an event. It is measured here, not taken from advise.
No parameter is changed; a stop time is given where the example ends before its own fast states are fast beside the run.
WORD: only examples with it in their name."""
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile

ANALOG, SPICE = "Modelica.Electrical.Analog.Examples.", "Modelica.Electrical.Spice3.Examples."
FLUID, PUMPS = "Modelica.Thermal.FluidHeatFlow.Examples.", "ModelicaTest.Fluid.TestComponents."
DRIVES = "Modelica.Electrical.Machines.Examples."
MODELS = [("circuit", ANALOG + "OvervoltageProtection", None),
          ("circuit", ANALOG + "DifferenceAmplifier", "1"),
          ("circuit", ANALOG + "AmplifierWithOpAmpDetailed", None),
          ("circuit", ANALOG + "OpAmps.ControlCircuit", "10"),
          ("circuit", SPICE + "Spice3BenchmarkDifferentialPair", None),
          ("circuit", SPICE + "Nor", None),
          ("fluid", FLUID + "PumpAndValve", "200"),
          ("fluid", FLUID + "PumpDropOut", "200"),
          ("fluid", PUMPS + "Machines.TestWaterPumpDCMotor", None),
          ("fluid", PUMPS + "Valves.TestDelayedValve", "100"),
          ("drive train", DRIVES + "DCMachines.DC_CompareCharacteristics", "60"),
          ("drive train", DRIVES + "DCMachines.DCPM_Temperature", "300"),
          ("drive train", DRIVES + "ControlledDCDrives.CurrentControlledDCPM", None),
          ("drive train", "Modelica.Mechanics.Translational.Examples.Vehicle", None)]
WAYS = [("as it is", False, []), ("as it is, CVODE", False, ["--solver", "cvode"]), ("theta", True, []),
        ("theta, tsit5", True, ["--method", "tsit5"]), ("theta, CVODE", True, ["--solver", "cvode"])]
POINTS, PAUSE, LEAST = 200, 10, 1e-3


def call(*words):
    """What a command prints; None: it failed."""
    try:
        p = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    except subprocess.TimeoutExpired:
        return None
    return None if p.returncode else p.stdout


class Example:
    def __init__(self, rubato, library, folder, model, stop):
        self.rubato, self.folder = rubato, folder
        self.words = [model, "--library", library] + (["--stop", stop] if stop else [])
        text = call(rubato, "advise", *self.words) or ""
        names = re.search(r"^  --theta '(.*)'$", text, re.M)
        constants = re.findall(r"^  \S+ +([\d.e+-]+) +[\d.e+-]+$", text, re.M)
        self.names = names and names[1]
        self.pause = PAUSE*max((float(t) for t in constants), default=0)

    def options(self, theta):
        return ["--theta", self.names] if theta else []

    def statistics(self, theta, more):
        """Of one run; None: it failed."""
        stats = os.path.join(self.folder, "s.json")
        done = call(self.rubato, "simulate", *self.words, *self.options(theta), *more, "--intervals", "10", "--quiet", "--tier", "1",
                    "--stats", stats, "--output", os.path.join(self.folder, "r.mat"))
        if done is None:
            return None
        with open(stats, encoding="utf-8") as f:
            return json.load(f)

    def measure(self, runs):
        best = [None]*len(WAYS)
        for turn in range(runs):
            for k, (_, theta, more) in enumerate(WAYS):
                if turn and not best[k]:
                    continue
                s = self.statistics(theta, more)
                if s and (not best[k] or s["time_simulate"] < best[k]["time_simulate"]):
                    best[k] = s
        return best

    def points(self, theta):
        """{number in the grid: (row, time since the last event)}, left limits at events."""
        path = os.path.join(self.folder, "r.csv")
        if call(self.rubato, "simulate", *self.words, *self.options(theta), "--intervals", str(POINTS), "--quiet", "--output", path) is None:
            return {}
        with open(path, encoding="utf-8", newline="") as f:
            rows = list(csv.DictReader(f))
        first, last = float(rows[0]["time"]), float(rows[-1]["time"])
        found, before, event = {}, None, first
        for row in rows:
            t = float(row["time"])
            share = (t - first)/(last - first)*POINTS
            if t == before:
                event = t
            elif abs(share - round(share)) < 1e-6:
                found.setdefault(round(share), (row, t - event))
            before = t
        return found

    def difference(self):
        """The largest one, of which state, and the share of points that count."""
        line = re.search(r"^states: (.*)$", call(self.rubato, "structure", *self.words[:3]) or "", re.M)
        a, b = self.points(False), self.points(True)
        good = [k for k in a if k in b and a[k][1] >= self.pause and b[k][1] >= self.pause]
        worst, where, compared = 0, "", 0
        for name in line[1].split(", ") if line else []:
            if not good or name not in a[good[0]][0] or name not in b[good[0]][0]:
                continue
            compared += 1
            largest = max(LEAST, *(abs(float(a[k][0][name])) for k in a))
            off = max(abs(float(a[k][0][name]) - float(b[k][0][name])) for k in good)/largest
            if off >= worst:
                worst, where = off, name
        return (worst if compared else math.nan), where, len(good)/max(1, len(a))


def ratio(value, over):
    return f"{value/over:9.2f}" if over else f"{'-':>9}"


def show(best):
    for (name, _, _), s in zip(WAYS, best):
        if not s:
            print(f"  {name:18} {'fails':>6}")
            continue
        line = f"  {name:18} {s['steps_accepted']:6} {1e3*s['time_simulate']:8.2f}"
        for base in best[:2]:
            for key in "steps_accepted", "time_simulate":
                line += " " + ratio(s[key], base and base[key])
        print(line, flush=True)


def main():
    rubato, library = sys.argv[1:3]
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 7
    word = sys.argv[4] if len(sys.argv) > 4 else ""
    print(f"{'':20} {'steps':>6} {'ms':>8}  over as it is:      over CVODE as it is:\n"
          f"{'':37}{'steps':>9} {'time':>9} {'steps':>9} {'time':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for kind, model, stop in (m for m in MODELS if word in m[1]):
            example = Example(rubato, library, folder, model, stop)
            print(f"{kind}: {model}" + (f", to {stop} s" if stop else ""))
            if not example.names:
                print("  advise names nothing")
                continue
            off, where, share = example.difference()
            print(f"  --theta '{example.names}'\n  difference {off:.1e} ({where}) at {100*share:.0f} % of the points")
            show(example.measure(runs))


main()
