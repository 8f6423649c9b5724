#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mechanisms of different build: memory and time in proportion to joints, values as of one alone.

  bench_trees.py RUBATO [--kinds 50] [--total 100000] [--samples 5]

Makes `kinds` random trees of 1 to 12 joints as Modelica text, each as an array, `total` mechanisms in all, and
simulates them with --components by the classical method. Then some of the trees are simulated alone, without
--components, with the same steps: the largest difference of any joint is printed."""
import argparse
import csv
import json
import os
import random
import re
import subprocess
import tempfile

HEAD = """within ;
model Tree%d
  import Rubato.Planar.*;
  Fixed fixed;
"""


def tree(number, rng):
    """Text of a random tree and its number of joints."""
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
    return HEAD.replace("within ;\n", "") % number + text + "equation\n" + rows + f"end Tree{number};\n", joints


def run(rubato, *arguments):
    p = subprocess.run([rubato, "simulate", *arguments], capture_output=True, text=True, check=False)
    if p.returncode:
        raise SystemExit(p.stdout + p.stderr)
    return p.stdout


def last(path):
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))
    return dict(zip(rows[0], map(float, rows[-1])))


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("rubato")
    a.add_argument("--kinds", type=int, default=50)
    a.add_argument("--total", type=int, default=100000)
    a.add_argument("--samples", type=int, default=5)
    a.add_argument("--seed", type=int, default=1)
    o = a.parse_args()
    rng = random.Random(o.seed)
    trees = [tree(k, rng) for k in range(o.kinds)]
    each = o.total // o.kinds
    common = ["--stop", "0.1", "--interval", "0.1", "--fixed-step", "1e-3", "--method", "rk4", "--variables",
              r"j[0-9]+\.(s|phi)$", "--quiet"]
    with tempfile.TemporaryDirectory() as tmp:
        file = os.path.join(tmp, "trees.mo")
        joints = sum(j for _, j in trees) * each
        for share in (10, 1):
            with open(file, "w", encoding="utf-8") as f:
                f.write("".join(t for t, _ in trees) + "model Forest\n" + "".join(
                    f"  Tree{k} t{k}[{each // share}];\n" for k in range(o.kinds)) + "end Forest;\n")
            many = os.path.join(tmp, "many.csv")
            s = run(o.rubato, file, "--model", "Forest", "--components", "--instances", str(each // share), *common,
                    "--output", many, "--stats=" + os.path.join(tmp, "s.json"))
            with open(os.path.join(tmp, "s.json"), encoding="utf-8") as f:
                s = json.load(f)
            n = joints // share
            print(f"{o.kinds} kinds, {o.kinds * (each // share)} mechanisms, {n} joints: "
                  f"{s['memory_peak_bytes'] / 1e6:.0f} MB, {1e9 * s['time_simulate'] / (n * s['rhs_calls']):.2f} "
                  f"ns a joint and evaluation, {s['steps_accepted']} steps")
        found, worst = last(many), 0
        for k in rng.sample(range(o.kinds), o.samples):
            one = os.path.join(tmp, "one.csv")
            run(o.rubato, file, "--model", f"Tree{k}", *common, "--output", one)
            for name, value in last(one).items():
                if re.match(r"j\d+\.", name):
                    worst = max(worst, abs(found[f"t{k}[{each}].{name}"] - value))
        print(f"{o.samples} kinds alone, without --components: largest difference of a joint {worst:.2e}")


main()
