#!/usr/bin/env python3
"""From the start of the program to the first step, phase by phase.

  tools/start.py RUBATO [--library DIR --list FILE] [--rungs 1-4] [--runs N] [--details]

Runs a model of ten lines, and the classes that FILE lists, a line each: the name first, the rung in
the seventh column (tab-separated; without it every line counts). Each model runs N times; the table
shows medians in milliseconds of the phases that `rubato simulate --timing` prints. "to here" is
the sum from the first line of main to the end of the first step.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

TEN = """model Ten
  parameter Real k = 2;
  Real x(start = 1, fixed = true);
  Real v(start = 0, fixed = true);
  Real e;
equation
  der(x) = v;
  der(v) = -k*x - 0.1*v;
  e = k*x^2/2 + v^2/2;
end Ten;
"""
PHASES = ["parse", "flatten", "rows", "structure", "emit", "freeze", "compile", "initial", "first step",
          "to here"]
PARTS = {"flatten": ("instantiate", "connect"),  # passes that a phase stands for, too
         "structure": ("aliases", "index", "states", "match", "order", "tear", "bindings", "start"),
         "emit": ("schedule", "needs", "homes", "fuse", "relations"),
         "freeze": ("tables", "patterns", "readers", "locality")}


def names(options):
    low, high = (float(x) for x in (options.rungs + "-" + options.rungs).split("-")[:2])
    with open(options.list, encoding="utf-8") as f:
        for line in f:
            word = line.rstrip("\n").split("\t")
            if line.startswith("#") or not word[0]:
                continue
            if len(word) < 7 or low <= float(word[6]) <= high:
                yield word[0], word[1] if len(word) > 1 else None


def measure(options, target, stop, folder):
    """Median of each phase over the runs; None if the model does not come to a step."""
    runs = []
    command = [options.rubato, "simulate", *target, "--timing", "--quiet", "--max-steps", "2",
               "--variables", "^$", "--output", os.path.join(folder, "r.mat")]
    if stop:
        command += ["--stop", stop]
    for _ in range(options.runs):
        try:
            p = subprocess.run(command, capture_output=True, text=True, errors="replace",
                               timeout=60, cwd=folder)
        except subprocess.TimeoutExpired:
            return None
        found = dict(re.findall(r"^(\w[\w ]*?) +([\d.]+) ms", p.stderr, re.M))
        if "to here" not in found:
            return None
        runs.append([sum(float(found.get(p, 0)) for p in (k, *PARTS.get(k, ()))) for k in PHASES])
    return [statistics.median(column) for column in zip(*runs)]


def line(name, values):
    print(f"{name[-52:]:52}" + "".join(f"{v:11.2f}" for v in values))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rubato")
    parser.add_argument("--library")
    parser.add_argument("--list")
    parser.add_argument("--rungs", default="1-4")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--details", action="store_true")
    options = parser.parse_args()
    options.rubato = os.path.abspath(options.rubato)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "Ten.mo"), "w", encoding="utf-8") as f:
            f.write(TEN)
        print(f"{'milliseconds':52}" + "".join(f"{p:>11}" for p in PHASES))
        line("ten lines", measure(options, ["Ten.mo"], None, folder))
        if not options.list:
            return 0
        rows, failed = [], 0
        for name, stop in names(options):
            values = measure(options, [name, "--library", os.path.abspath(options.library)],
                             stop, folder)
            if values:
                rows.append(values)
                if options.details:
                    line(name, values)
            else:
                failed += 1
        line(f"median of {len(rows)} library models",
             [statistics.median(c) for c in zip(*rows)])
        line("slowest of them", [max(c) for c in zip(*rows)])
        print(f"{failed} models do not come to a first step")
    return 0


if __name__ == "__main__":
    sys.exit(main())
