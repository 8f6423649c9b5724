#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mechanisms of different build: memory and time in proportion to joints, values as of one alone.

  bench_trees.py RUBATO [--kinds 50] [--total 100000] [--samples 5] [--single 10]

Makes `kinds` random trees of 1 to 12 joints as Modelica text, each as an array, `total` mechanisms in all, and
simulates them with --components by the classical method. Then the same mechanisms are declared in pieces: two arrays of two
classes with the same text, and `single` components of each kind one by one; how many families are found is
printed. At last some of the trees are simulated alone, without --components, with the same steps: the largest difference of
any joint is printed."""
import argparse
import csv
import json
import os
import random
import re
import subprocess
import tempfile

HEAD = """model %s
  import Rubato.Planar.*;
  Fixed fixed;
"""


def tree(rng):
    """Text of a random tree, with %s for its name, and its number of joints."""
    joints = rng.randint(1, 12)
    text, rows, ends = "", "", ["fixed.on"]
    for k in range(joints):
        end = rng.choice(ends)
        kind = rng.choice(["Revolute", "Revolute", "Prismatic"])
        state = "phi" if kind == "Revolute" else "s"
        text += f"  {kind} j{k}(d = {rng.uniform(0.05, 0.5):.3f}, {state}(start = {rng.uniform(-1, 1):.3f}));\n"
        text += f"  Translation rod{k}(r = {{{rng.uniform(-0.5, 0.5):.3f}, {rng.uniform(-1, -0.2):.3f}}});\n"
        text += f"  Body body{k}(m = {rng.uniform(0.2, 2):.3f}, I = {rng.uniform(0.01, 0.2):.3f});\n"
        rows += f"  connect({end}, j{k}.to);\n  connect(j{k}.on, rod{k}.to);\n  connect(rod{k}.on, body{k}.to);\n"
        ends.append(f"rod{k}.on")
    return HEAD + text + "equation\n" + rows + "end %s;\n", joints


def run(rubato, *arguments):
    p = subprocess.run([rubato, "simulate", *arguments], capture_output=True, text=True, check=False)
    if p.returncode:
        raise SystemExit(p.stdout + p.stderr)
    return p.stdout


def last(path):
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))
    return dict(zip(rows[0], map(float, rows[-1])))


def forest(trees, each, single):
    """All mechanisms; single: that many of each kind one by one, the others in two arrays of two classes."""
    text = "".join(t % (f"Tree{k}", f"Tree{k}") for k, (t, _) in enumerate(trees))
    if single:
        text += "".join(t % (f"Baum{k}", f"Baum{k}") for k, (t, _) in enumerate(trees))
    text += "model Forest\n"
    for k in range(len(trees)):
        half = (each - single) // 2 if single else 0
        if half:
            text += f"  Baum{k} b{k}[{half}];\n"
        text += f"  Tree{k} t{k}[{each - single - half}];\n"
        text += "".join(f"  Tree{k} s{k}_{i};\n" for i in range(single))
    return text + "end Forest;\n"


def grow(o, tmp, file, trees, each, single, shown, common):
    """Simulates a forest and prints what it takes; the last values of the joints of the instances shown."""
    with open(file, "w", encoding="utf-8") as f:
        f.write(forest(trees, each, single))
    out, stats = os.path.join(tmp, "many.csv"), os.path.join(tmp, "s.json")
    run(o.rubato, file, "--model", "Forest", "--components", "--instances", str(shown), *common, "--output", out,
        "--stats=" + stats, "--no-cache")
    with open(stats, encoding="utf-8") as f:
        s = json.load(f)
    families = subprocess.run([o.rubato, "structure", file, "--model", "Forest", "--components"], capture_output=True,
                              text=True, check=True).stdout.count("family ")
    joints = sum(j for _, j in trees) * each
    declared = len(trees) * ((2 if single else 1) + single)
    print(f"{len(trees)} kinds, {len(trees) * each} mechanisms, {joints} joints in {declared} declarations: {families} families, "
          f"{s['memory_peak_bytes'] / 1e6:.0f} MB, {1e9 * s['time_simulate'] / (joints * s['rhs_calls']):.0f} "
          f"ns a joint and evaluation, {s['steps_accepted']} steps", flush=True)
    return last(out)


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("rubato")
    a.add_argument("--kinds", type=int, default=50)
    a.add_argument("--total", type=int, default=100000)
    a.add_argument("--samples", type=int, default=5)
    a.add_argument("--single", type=int, default=10)
    a.add_argument("--seed", type=int, default=1)
    o = a.parse_args()
    rng = random.Random(o.seed)
    trees = [tree(rng) for _ in range(o.kinds)]
    each = o.total // o.kinds
    common = ["--stop", "0.1", "--interval", "0.1", "--fixed-step", "1e-3", "--method", "rk4", "--variables",
              r"j[0-9]+\.(s|phi)$", "--quiet"]
    with tempfile.TemporaryDirectory() as tmp:
        file = os.path.join(tmp, "trees.mo")
        grow(o, tmp, file, trees, each // 10, 0, each // 10, common)
        found = grow(o, tmp, file, trees, each, 0, each, common)
        pieces = grow(o, tmp, file, trees, each, o.single, 1, common)
        worst = alone = 0
        for k in range(o.kinds):
            for name, value in found.items():
                kind, _, joint = name.partition(".")
                if kind == f"t{k}[{each}]":
                    alone = max(alone, *(abs(pieces[f"{one}.{joint}"] - value) for one in (f"t{k}[1]", f"b{k}[1]", f"s{k}_0")))
        print(f"the same in pieces: largest difference of a joint {alone:.2e}")
        for k in rng.sample(range(o.kinds), o.samples):
            one = os.path.join(tmp, "one.csv")
            run(o.rubato, file, "--model", f"Tree{k}", *common, "--output", one)
            for name, value in last(one).items():
                if re.match(r"j\d+\.", name):
                    worst = max(worst, abs(found[f"t{k}[{each}].{name}"] - value))
        print(f"{o.samples} kinds alone, without --components: largest difference of a joint {worst:.2e}")


main()
