#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_eval.py RUBATO LIBRARY... [--old RUBATO] [--runs N] [--models WORD,...]: what an evaluation of a library
model costs.

LIBRARY are folders with the Modelica Standard Library and, for the last row, the ScalableTestSuite. Every model is
run to two stop times in native code; the difference of the processor times is divided by the difference of the
evaluations, so that translation, compilation and start do not count. Of N such pairs the fastest counts. Beside it:
rows per evaluation, nanoseconds per row, and the processor time of a whole run from the cache, also with CVODE and
IDA. With --old a second program is measured in turn. A model without states has output points for evaluations."""
import argparse
import json
import os
import resource
import subprocess
import tempfile

BODY = "Modelica.Mechanics.MultiBody.Examples."
MODELS = [  # name, two stop times, options
    (BODY + "Elementary.DoublePendulum", 1, 60, []),
    (BODY + "Elementary.ThreeSprings", 1, 60, []),
    (BODY + "Systems.RobotR3.FullRobot", 0.2, 1.2, []),
    (BODY + "Loops.Fourbar1", 1, 10, []),
    (BODY + "Loops.EngineV6", 0.05, 0.2, []),
    (BODY + "Rotational3DEffects.BevelGear1D", 0.1, 0.6, []),
    ("Modelica.Media.Examples.WaterIF97", 0.1, 1, []),
    ("ScalableTestSuite.Electrical.DistributionSystemDC.ScaledExperiments.DistributionSystemModelica_N_28_M_28",
     0.2, 1, ["--interval", "0.002"]),
]


class Program:
    """A program with a cache of its own, so that none runs what another translated."""

    def __init__(self, path, libraries, folder, number):
        self.path = path
        self.libraries = [word for path in libraries for word in ("--library", path)]
        self.out = os.path.join(folder, "r%d" % number)
        self.environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(folder, "cache%d" % number))

    def run(self, model, stop, options):
        """Processor time in seconds and statistics; None: it failed."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        p = subprocess.run([self.path, "simulate", model, *self.libraries, "--tier", "1", "--stop", str(stop),
                            "--quiet", "--output", self.out + ".mat", "--stats", self.out + ".json", *options],
                           capture_output=True, text=True, env=self.environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if p.returncode:
            return None
        with open(self.out + ".json", encoding="utf-8") as f:
            return after.ru_utime - before.ru_utime, json.load(f)

    def evaluation(self, model, first, last, options):
        """Seconds, rows and number of evaluations between the two stop times."""
        few = [] if "--interval" in options else ["--intervals", "2"]
        a, b = (self.run(model, stop, [*options, *few]) for stop in (first, last))
        if not a or not b:
            return None
        key = "rhs_calls" if b[1]["rhs_calls"] else "points"
        n = b[1][key] - a[1][key]
        return ((b[0] - a[0])/n, (b[1]["rhs_rows"] - a[1]["rhs_rows"])/n, n) if n > 0 else None


def measure(programs, model, first, last, options, runs):
    best = [None]*len(programs)
    for p in programs:
        p.run(model, first, options)  # translates and compiles
    for _ in range(runs):
        for k, p in enumerate(programs):
            found = p.evaluation(model, first, last, options)
            if found and (not best[k] or found[0] < best[k][0]):
                best[k] = found
    return best


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rubato")
    parser.add_argument("library", nargs="+")
    parser.add_argument("--old")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--models", default="")
    args = parser.parse_args()
    words = [word for word in args.models.split(",") if word]
    print("%-38s %12s %10s %8s %8s   seconds of a run: own, cvode, ida" %
          ("model", "evaluations", "us each", "rows", "ns/row"))
    with tempfile.TemporaryDirectory() as folder:
        paths = [args.rubato] + ([args.old] if args.old else [])
        programs = [Program(path, args.library, folder, k) for k, path in enumerate(paths)]
        for model, first, last, options in MODELS:
            if words and not any(word in model for word in words):
                continue
            found = measure(programs, model, first, last, options, args.runs)
            for p, best, mark in zip(programs, found, ("", " (old)")):
                name = model.split(".")[-1] + mark
                if not best:
                    print("%-38s failed" % name, flush=True)
                    continue
                times = []
                for solver in ("rk", "cvode", "ida"):
                    run = p.run(model, last, [*options, "--solver", solver])
                    times.append("%.3f" % run[0] if run else "-")
                print("%-38s %12d %10.2f %8.0f %8.1f   %s" %
                      (name, best[2], 1e6*best[0], best[1], 1e9*best[0]/max(1, best[1]), " ".join(times)), flush=True)


if __name__ == "__main__":
    main()
