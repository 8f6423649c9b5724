#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the intervals of `rubato fit` hold what they promise?  tools/fit_trials.py RUBATO [--trials N] [--seed S]

Three models are simulated with known values; noise is added to the results, a new one in each trial; the fit begins
elsewhere. Counted are the trials in which all true values lie in their intervals, at 95 % and at 99 %. A joint interval at 95 %
holds in 95 of 100 trials on average, so that fewer happen by chance; at 99 % fewer than 95 of 100 do not. Fails below that."""
import argparse
import csv
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# name, file, model, stop, points, {column: noise}, {parameter: (true value, start)}
MODELS = [
    ("filter", "examples/Circuit.mo", "Circuit.Filter", 1, 60, {"c1.v": 0.05, "c2.v": 0.02},
     {"r1.R": (150, 400), "c2.C": (2e-4, 5e-5)}),
    ("ball", "examples/BouncingBall.mo", "BouncingBall", 0.9, 90, {"h": 0.01}, {"e": (0.7, 0.75), "g": (9.81, 9.6)}),
    ("prey", "examples/Prey.mo", "Prey", 20, 41, {"hares": 1.5, "lynxes": 1.0},
     {"birth": (0.5, 0.55), "catch": (0.03, 0.028), "gain": (0.025, 0.024), "death": (0.75, 0.8)}),
]


def rubato(args, *words):
    p = subprocess.run([args.rubato, *words], capture_output=True, text=True)
    return p.returncode, p.stdout, p.stderr


def exact(args, model, tmp):
    """Rows of time and columns at the true values."""
    name, file, full, stop, points, noise, parameters = model
    words = [w for p, (true, _) in parameters.items() for w in ("--set", f"{p}={true!r}")]
    path = os.path.join(tmp, name + ".csv")
    code, _, err = rubato(args, "simulate", os.path.join(ROOT, file), "--model", full, *words, "--stop", str(stop),
                          "--intervals", str(points), "--tolerance", "1e-9", "--output", path, "--quiet")
    assert code == 0, err
    with open(path, newline="", encoding="utf-8") as f:
        rows = [[float(row[c]) for c in ("time", *noise)] for row in csv.DictReader(f)]
    return [row for k, row in enumerate(rows) if k == 0 or row[0] > rows[k - 1][0]]  # one point at events


def fit(args, model, data, confidence):
    """{parameter: (value, low, high)}, or None if it failed."""
    _, file, full, _, _, _, parameters = model
    words = [w for p, (_, start) in parameters.items() for w in ("--parameter", f"{p}={start!r}")]
    code, out, err = rubato(args, "fit", os.path.join(ROOT, file), "--model", full, "--data", data, *words,
                            "--confidence", str(confidence))
    found = {m.group(1): tuple(float(x) for x in m.groups()[1:])
             for m in re.finditer(r"^(\S+)\s+(\S+)\s+\S+\s+\[(\S+), (\S+)\]$", out, re.M)}
    if code or set(found) != set(parameters):
        print(f"  failed: {err.strip() or out.strip()}")
        return None
    return found


def trial(args, model, rows, data, seed):
    """(inside at 95 %, inside at 99 %)"""
    chance = random.Random(seed)
    noise, parameters = model[5], model[6]
    with open(data, "w", newline="", encoding="utf-8") as f:
        out = csv.writer(f)
        out.writerow(["time", *noise])
        for row in rows:
            out.writerow([repr(row[0])] + [repr(x + chance.gauss(0, s)) for x, s in zip(row[1:], noise.values())])
    inside = []
    for confidence in (0.95, 0.99):
        found = fit(args, model, data, confidence)
        inside.append(bool(found) and all(found[p][1] <= true <= found[p][2] for p, (true, _) in parameters.items()))
    return inside


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("rubato")
    arguments.add_argument("--trials", type=int, default=100)
    arguments.add_argument("--seed", type=int, default=1)
    args = arguments.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as tmp:
        for model in MODELS:
            rows = exact(args, model, tmp)
            held = [trial(args, model, rows, os.path.join(tmp, "data.csv"), args.seed*1000 + k) for k in range(args.trials)]
            at95, at99 = (sum(h[k] for h in held) for k in (0, 1))
            print(f"{model[0]}: of {args.trials} trials all parameters inside {at95} times at 95 %, {at99} times at 99 %")
            bad += at99 < 0.95*args.trials
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
