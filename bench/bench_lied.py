#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The scaling experiment of the crane crab: table and SVG.

  bench_lied.py BUILD [--most N] [--whole N] [--svg FILE]

Sizes are 1, 4, 16, ... crabs, each in a process of its own, so that the largest memory is that of this
size: BUILD/bench/bench_lied. Components up to --most crabs, the model translated as a whole up to
--whole. Slopes are those of logarithms over the last three sizes, of memory without what one crab needs, that is the
program itself, of evaluations also from 256 crabs on, with which chunks are full. What bounds
an evaluation is a loop that only copies as many bytes, measured in turns with it (see bench_lied.c)."""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile

PANELS = (("translate and instantiate", "s", lambda p: p["translate"] + p["instantiate"]),
          ("largest memory", "bytes", lambda p: p["memory"]),
          ("one evaluation", "s", lambda p: p["evaluate"]))
# What the text of the paper (Zimmer: Testing Large Scale System Simulation using Linear Implicit Equilibrium
# Dynamics) says in numbers, on its machine: i7 at 1.8 GHz, 32 GB. Its largest model has 4,194,304 crabs, 792 million
# equations, and needs 29 GB and about 15 GB of swap. It is instantiated in a second up to a million equations, 189 a
# crab. OpenModelica, as measured there, ended at 1,024 crabs with an error of the linker.
PAPER = {"largest memory": [(4194304, 44e9)], "translate and instantiate": [(1e6 / 189, 1)]}
END = 1024
COLOURS = {"components": "#0b6e4f", "whole": "#b5502f", "paper": "#555555", "end": "#7a4fb5"}


def run(build, crabs, path, cache):
    env = dict(os.environ, RUBATO_BENCH_CACHE=cache)
    p = subprocess.run([os.path.join(build, "bench/bench_lied"), str(crabs), path],
                       capture_output=True, text=True, env=env, check=False)
    if p.returncode:
        sys.exit(f"{crabs} {path}: {p.stderr}")
    return json.loads(p.stdout)


def table(points):
    print(f"{'crabs':>9} {'path':>10} {'translate s':>11} {'instantiate s':>13} {'memory MB':>10} "
          f"{'evaluate ms':>11} {'ns/crab':>8} {'to bound':>8}")
    for p in points:
        print(f"{p['crabs']:>9} {p['path']:>10} {p['translate']:>11.4f} {p['instantiate']:>13.4f} "
              f"{p['memory'] / 1e6:>10.1f} {1e3 * p['evaluate']:>11.4f} "
              f"{1e9 * p['evaluate'] / p['crabs']:>8.1f} {p['evaluate'] / p['crabs'] / p['copy']:>8.2f}")


def slope(points, value, least=0):
    last = [p for p in points if p["path"] == "components" and p["crabs"] >= least]
    last = last if least else last[-3:]
    x = [math.log(p["crabs"]) for p in last]
    y = [math.log(value(p)) for p in last]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def panel(out, number, title, unit, value, points):
    left, top, width, height = 70 + 330 * number, 40, 250, 300
    data = {path: [(p["crabs"], value(p)) for p in points if p["path"] == path]
            for path in ("components", "whole")}
    data["paper"] = PAPER.get(title, [])
    every = [q for d in data.values() for q in d]
    x0, x1 = 0, math.ceil(math.log10(max(q[0] for q in every)))
    y0 = math.floor(math.log10(min(q[1] for q in every)))
    y1 = math.ceil(math.log10(max(q[1] for q in every)))

    def at(q):
        return (left + width * (math.log10(q[0]) - x0) / (x1 - x0),
                top + height * (1 - (math.log10(q[1]) - y0) / (y1 - y0)))

    out.append(f'<text x="{left}" y="{top - 12}" font-weight="bold">{title}, {unit}</text>')
    for k in range(y0, y1 + 1):
        y = at((1, 10.0 ** k))[1]
        out.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + width}" y2="{y:.1f}" stroke="#ddd"/>'
                   f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">1e{k}</text>')
    for k in range(x0, x1 + 1):
        x = at((10.0 ** k, 10.0 ** y0))[0]
        out.append(f'<text x="{x:.1f}" y="{top + height + 16}" text-anchor="middle">1e{k}</text>')
    out.append(f'<text x="{left + width / 2}" y="{top + height + 34}" text-anchor="middle">crabs</text>')
    x, y = at((END, 10.0 ** y1))
    out.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x:.1f}" y2="{y + height}" stroke="{COLOURS["end"]}" '
               'stroke-dasharray="4 3"/>')
    for path, d in data.items():
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(at, d))
        out.append(f'<polyline points="{line}" fill="none" stroke="{COLOURS[path]}" stroke-width="1.5"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{COLOURS[path]}"/>' for x, y in map(at, d)]


def svg(points, path):
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="1010" height="420" '
           'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>']
    for k, (title, unit, value) in enumerate(PANELS):
        panel(out, k, title, unit, value, points)
    words = {"components": "component by component", "whole": "translated as a whole",
             "paper": "simulator of the paper", "end": "OpenModelica ended here (paper)"}
    for k, (name, text) in enumerate(words.items()):
        x = 70 + 240 * k
        out.append(f'<circle cx="{x}" cy="405" r="4" fill="{COLOURS[name]}"/>'
                   f'<text x="{x + 10}" y="409">{text}</text>')
    out.append("</svg>")
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(out) + "\n")


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("build")
    a.add_argument("--most", type=int, default=16777216)
    a.add_argument("--whole", type=int, default=16384)
    a.add_argument("--svg")
    o = a.parse_args()
    points, n = [], 1
    with tempfile.TemporaryDirectory() as cache:
        run(o.build, 1, "components", cache)  # the C compiler works once
        while n <= o.most:
            points.append(run(o.build, n, "components", cache))
            if n <= o.whole:
                points.append(run(o.build, n, "whole", cache))
            n *= 4
    table(points)
    one = points[0]["memory"]
    for title, _, value in PANELS:
        if title == "largest memory":
            value = lambda p: p["memory"] - one
        print(f"slope of {title}: {slope(points, value):.3f}")
    print(f"slope of one evaluation from 256 crabs on: {slope(points, PANELS[2][2], 256):.3f}")
    if o.svg:
        svg(points, o.svg)


main()
