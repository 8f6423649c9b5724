#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_robot.py RUBATO [RUNS]: a robot in partitions, against one method for all of it.

The robot of examples/robot moves for 2 s. Three things are compared: all of it with the variable steps of IDA at
1e-4, drives and arm as one partition with one fixed-step method, and each drive and the arm as partitions of their
own. e is the distance of the load from where it should be over the distance of that place from the base, on a grid
of 0.8 ms; E2 is the root of the integral of its square, Einf its maximum. The reference has a tolerance of 1e-8.
Times are processor times of the run without translation, the best of RUNS (3) in turn. A method of the middle kind
counts as comparable if both of its errors are at most twice those of the partitions; its best time is the one that
is divided. Last comes the wall time of the partitions on two threads beside that on one, the best of RUNS of 8 s in turn; on a
machine with other work it says nothing. The share of the work that the busier thread has says what can be gained at most."""
import csv
import json
import math
import os
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROBOT = os.path.join(HERE, "../examples/robot/Robot.mo")
GRID, STOP = 8e-4, 2.0


def single(method, factor):
    return (f"{method} {8e-4/factor:.3g}", "single",
            ["--model", "Robot.Single", "--set", f'method="{method}"', "--set", f"factor={factor}"])


def fixed(method, factor):
    return (f"{method} {8e-4/factor:.3g} (ours)", "single",
            ["--model", "Robot.Whole", "--method", method, "--fixed-step", f"{8e-4/factor:.17g}"])


RUNS = [("IDA 1e-4", "variable", ["--model", "Robot.Whole", "--solver", "ida", "--tolerance", "1e-4"]),
        ("automatic 1e-4", "variable", ["--model", "Robot.Whole", "--tolerance", "1e-4"]),
        single("ExplicitEuler", 16), single("ExplicitEuler", 32), single("ExplicitMidPoint2", 16),
        single("ExplicitRungeKutta4", 12), single("ImplicitEuler", 1), single("ImplicitEuler", 2),
        single("ImplicitEuler", 4), single("ImplicitTrapezoid", 1), single("SemiImplicitEuler", 16),
        fixed("impl_euler", 1), fixed("trapezoid", 1), fixed("sdirk2", 1), fixed("rodas4", 1), fixed("rk4", 12),
        ("partitions 0.0008", "partitions", ["--model", "Robot.Partitioned"])]


def run(rubato, folder, options, stop=STOP):
    """Processor time, and the place of the load by tick; None, None if it failed."""
    out = os.path.join(folder, "r.csv")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    p = subprocess.run([rubato, "simulate", ROBOT, *options, "--stop", str(stop), "--interval", str(GRID),
                        "--variables", "^tip", "--quiet", "--tier", "1", "--output", out],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if p.returncode:
        return None, None
    place = {}
    with open(out, encoding="utf-8") as f:
        for row in csv.DictReader(f):
            tick = round(float(row["time"])/GRID)
            if abs(float(row["time"]) - tick*GRID) < 1e-9:
                place[tick] = [float(row[f"tip[{k}]"]) for k in (1, 2, 3)]
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, place


def errors(place, reference):
    e = [math.dist(place[k], r)/math.hypot(*r) if k in place else math.inf for k, r in sorted(reference.items())]
    e = [x if math.isfinite(x) else math.inf for x in e]
    return math.sqrt(sum(x*x for x in e)*GRID), max(e)


def wall(rubato, folder, threads):
    """Wall time of the partitions for 8 s in seconds, and the share of the busiest thread in their work."""
    stats = os.path.join(folder, "s.json")
    subprocess.run([rubato, "simulate", ROBOT, "--model", "Robot.Partitioned", "--stop", "8", "--variables", "^tip", "--quiet",
                    "--tier", "1", "--threads", str(threads), "--stats", stats, "--output", os.path.join(folder, "r.mat")],
                   check=True)
    with open(stats, encoding="utf-8") as f:
        told = json.load(f)
    work = [0]*threads
    for p in told.get("partitions", ()):
        work[p["thread"]] += p["time"]
    return told["time_simulate"], max(work)/max(sum(work), 1e-9)


def main():
    rubato, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    with tempfile.TemporaryDirectory() as folder:
        for _, _, options in RUNS:  # translated and compiled before times are taken
            run(rubato, folder, options, 2*GRID)
        _, reference = run(rubato, folder, ["--model", "Robot.Whole", "--tolerance", "1e-8"])
        best, error = {}, {}
        for turn in range(runs):
            for name, kind, options in RUNS:
                if turn and name in error and (not best[name] or best[name] > 2):
                    continue
                start, _ = run(rubato, folder, options, 2*GRID)
                time, place = run(rubato, folder, options)
                if time is not None and start is not None:
                    best[name] = min(best.get(name, math.inf), time - start)
                    error[name] = errors(place, reference)
                else:
                    best[name], error[name] = None, (math.inf, math.inf)
        turns = [(wall(rubato, folder, 1)[0], *wall(rubato, folder, 2)) for _ in range(2*runs)]
        lone, pair, share = (min(column) for column in zip(*turns))
    own = best[RUNS[-1][0]]
    e2, top = error[RUNS[-1][0]]
    print(f"{'method, step':34} {'ms':>8} {'over partitions':>15} {'E2':>9} {'Einf':>9}")
    for name, kind, _ in RUNS:
        if best[name] is None:
            print(f"{name:34} {'fails':>8}")
            continue
        print(f"{name:34} {1e3*best[name]:8.1f} {best[name]/own:15.2f} {error[name][0]:9.2g} {error[name][1]:9.2g}")
    rivals = [n for n, kind, _ in RUNS if kind == "single" and best[n] and error[n][0] <= 2*e2 and error[n][1] <= 2*top]
    if rivals:
        first = min(rivals, key=lambda n: best[n])
        print(f"best single method of comparable error: {first}, {best[first]/own:.2f} times the partitions")
    print(f"IDA at 1e-4: {best['IDA 1e-4']/own:.2f} times the partitions")
    print(f"partitions for 8 s: {1e3*lone:.0f} ms on one thread, {1e3*pair:.0f} ms on two, {lone/pair:.2f} times faster; the "
          f"busier thread has {100*share:.0f} % of the work: at most {1/share:.2f} times")


main()
