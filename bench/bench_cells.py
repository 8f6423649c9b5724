#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_cells.py RUBATO: events of a compiled model by cone.

100 thermal cells of which 20 switch, from Modelica text: crossings and equations evaluated with
levels, over those of one rate and of the same levels, where an event concerns everything; then the times of the events at
a tight tolerance. Last, these cells and rooms with a thermostat each on 1, 2 and 4 threads: are result
file, trace and counted work the same?"""
import csv
import json
import os
import subprocess
import sys
import tempfile

MODEL = os.path.join(os.path.dirname(__file__), "../examples/multirate/SwitchingCells.mo")


def run(rubato, folder, rates, *more):
    """Statistics and times of events of one run."""
    out, stats = os.path.join(folder, "r.csv"), os.path.join(folder, "s.json")
    subprocess.run([rubato, "simulate", MODEL, "--rates", rates, "--quiet", "--output", out,
                    "--stats", stats, *more], check=True)
    with open(out, newline="") as f:
        t = [float(row[0]) for row in list(csv.reader(f))[1:]]
    with open(stats) as f:
        return json.load(f), [a for a, b in zip(t, t[1:]) if a == b][1:]


def on_threads(rubato, folder, model, rates, threads, *more):
    """Result file and trace as bytes, and what was counted."""
    names = [os.path.join(folder, n) for n in ("r.csv", "t", "s.json")]
    subprocess.run([rubato, "simulate", model, "--rates", rates, "--threads", f"{threads},1",
                    "--tier", "0", "--quiet", "--output", names[0], "--trace", names[1],
                    "--stats", names[2], *more], check=True)
    with open(names[0], "rb") as r, open(names[1], "rb") as t, open(names[2]) as s:
        counts = {k: v for k, v in json.load(s).items()
                  if not k.startswith(("time_", "memory_", "selection_"))}
        return r.read(), t.read(), counts


def figure_threads(rubato):
    """Local events on several threads."""
    print("\nFigure 6, compiled: local events on 1, 2 and 4 threads")
    rooms = os.path.join(os.path.dirname(MODEL), "SwitchingRooms.mo")
    with tempfile.TemporaryDirectory() as folder:
        for model, stop in (MODEL, "30"), (rooms, "1000"):
            for rates in "2", "3", "auto":
                one, *others = [on_threads(rubato, folder, model, rates, n, "--stop", stop)
                                for n in (1, 2, 4)]
                same = ["different", "identical"]
                print(f"  {os.path.basename(model)[:-3]}, rates {rates}: "
                      f"{one[2]['events_state']} events, {len(one[0])} bytes of results "
                      f"{same[all(o[0] == one[0] for o in others)]}, traces "
                      f"{same[all(o[1] == one[1] for o in others)]}, counts "
                      f"{same[all(o[2] == one[2] for o in others)]}")


def main():
    rubato = sys.argv[1]
    print("\nFigure 3, compiled: 100 cells of which 20 switch, tolerance 1e-6, 63.5 s")
    with tempfile.TemporaryDirectory() as folder:
        loose, tight = ("--tolerance", "1e-6", "--stop", "63.5"), \
                       ("--tolerance", "1e-12", "--method", "rodas5p", "--stop", "10")
        one, _ = run(rubato, folder, "1", *loose)
        print(f"  one rate: {one['events_state']} events, {one['crossing_rows']} crossing_rows, "
              f"{one['rhs_rows']} rhs_rows")
        for rates in "2", "3", "auto":
            s, _ = run(rubato, folder, rates, *loose)
            same, _ = run(rubato, folder, rates, "--events", "global", *loose)
            print(f"  by cone, rates {rates}: {s['events_state']} events, "
                  f"{s['crossing_rows']} crossing_rows "
                  f"(1/{one['crossing_rows'] / s['crossing_rows']:.1f}), "
                  f"{s['rhs_rows']} rhs_rows (1/{one['rhs_rows'] / s['rhs_rows']:.1f}); "
                  f"--events global: 1/{same['crossing_rows'] / s['crossing_rows']:.1f}, "
                  f"1/{same['rhs_rows'] / s['rhs_rows']:.1f}")
        _, a = run(rubato, folder, "1", *tight)
        for rates in "2", "3", "auto":
            _, b = run(rubato, folder, rates, *tight)
            apart = max(abs(x - y) / x for x, y in zip(a, b)) if len(a) == len(b) else "inf"
            print(f"  1e-12, rates {rates}: {len(b)} event times apart by at most {apart:.1e} "
                  "relative")
    figure_threads(rubato)


if __name__ == "__main__":
    main()
