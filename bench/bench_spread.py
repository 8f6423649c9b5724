#!/usr/bin/env python3
"""One large model over several processes: what is sent and computed, and that the results agree.

  bench/bench_spread.py RUBATO [--ranks 1,2,4] [--states 1000000] [--steps 10] [--method rk4] [--implicit radauIIA3]

A rod and a plate are integrated with steps of fixed length. Strong: the same states on all numbers of processes;
weak: the same states for each process. Bytes are those of the halo; each point of the result sends all states once
besides. Rows are those that the process with the number 0 evaluated, a process for all of them being 1.
"Apart" is the largest relative difference of some states from one process.

--implicit: a second table, of an implicit method with controlled steps. Sums are what each process gives to sums over all, entries of
factors those of the matrix of one part and one slot, at most."""
import argparse
import csv
import json
import math
import os
import re
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
RANKS = "mpirun -n {} --oversubscribe --allow-run-as-root"


FIXED, FREE = "fixed", "free"


def run(o, model, size, picked, ranks, work, steps=FIXED):
    out, stats = os.path.join(work, "out.csv"), os.path.join(work, "stats.json")
    command = RANKS.format(ranks).split() if ranks > 1 else []
    command += [o.rubato, "simulate", os.path.join(HERE, model), "--set", f"N={size}",
                *(["--set", f"L={size / 1000}"] if "Branches" not in model else []), "--start", "0", "--intervals", "1",
                "--variables", picked, "--output", out, "--stats", stats]
    command += ["--method", o.method, "--fixed-step", "1e-3", "--stop", repr(o.steps / 1000)] if steps == FIXED else \
        ["--method", o.implicit, "--stop", "100" if "Branches" not in model else "3", "--tolerance", "1e-4"]
    command += ["--rates", "1"] if ranks > 1 else []
    p = subprocess.run(command, capture_output=True, text=True)
    if p.returncode:
        raise SystemExit(p.stdout + p.stderr)
    with open(out, newline="") as f:
        last = [float(x) for x in list(csv.reader(f))[-1][1:]]
    with open(stats) as f:
        told = json.load(f)
    sent = re.search(r"([0-9]+) bytes from one to another", p.stdout)
    agreed = re.search(r"([0-9]+) bytes from each to agree", p.stdout)
    told["agreed"] = float(agreed.group(1)) if agreed else 0.0
    return last, told, float(sent.group(1)) if sent else 0.0


def line(name, states, ranks, told, sent, apart, rows):
    steps = told["steps_accepted"]
    halo = told.get("halo_values", 0)
    print(f"| {name} | {states:,} | {ranks} | {told.get('states_most', states):,} | "
          f"{told['rhs_rows'] / rows:.3f} | {halo:,.0f} | {8 * halo * told['rhs_calls'] / steps:,.0f} | "
          f"{sent / 1e6:.1f} | {apart:.1g} |", flush=True)


def study(o, kind, name, model, sizes, picked, work):
    first = rows = None
    for ranks, size, states in sizes:
        last, told, sent = run(o, model, size, picked, ranks, work)
        if kind == "weak":  # each has its own problem: one process is its reference
            first, alone, _ = run(o, model, size, picked, 1, work) if ranks > 1 else (last, told, sent)
            rows = alone["rhs_rows"]
        elif first is None:
            first, rows = last, told["rhs_rows"]
        apart = max(abs(a - b) / max(1.0, abs(b)) for a, b in zip(last, first))
        line(f"{name}, {kind}", states, ranks, told, sent, apart, rows)


def implicit(o, name, model, sizes, picked, work):
    first = rows = None
    for ranks, size, states in sizes:
        last, told, _ = run(o, model, size, picked, ranks, work, FREE)
        first, rows = first or last, rows or told["rhs_rows"]
        apart = max(abs(a - b) / max(1.0, abs(b)) for a, b in zip(last, first))
        steps, halo = told["steps_accepted"], told.get("halo_values", 0)
        print(f"| {name} | {states:,} | {ranks} | {steps} | {told['solves']} | {told['rhs_rows'] / rows:.3f} | "
              f"{told.get('coupling_states', 0):,} | {told.get('coupling_entries', 0):,} | "
              f"{8 * halo * (told['rhs_calls'] + told['jacobians']) / steps:,.0f} | {told['agreed'] / steps:,.0f} | "
              f"{told.get('factor_entries_most', told['factor_entries']):,.0f} | {apart:.1g} |", flush=True)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("rubato")
    a.add_argument("--ranks", default="1,2,4")
    a.add_argument("--states", type=int, default=1000000)
    a.add_argument("--steps", type=int, default=10)
    a.add_argument("--method", default="rk4")
    a.add_argument("--implicit")
    o = a.parse_args()
    ranks = [int(k) for k in o.ranks.split(",")]
    most = max(ranks)
    print("| model | states | processes | states of one | rows | values of the halo | bytes a step | "
          "MB in all | apart |\n|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as work:
        for kind in ("strong", "weak"):
            rods = [(k, o.states if kind == "strong" else o.states * k // most) for k in ranks]
            study(o, kind, "rod", "../examples/HeatedRod.mo", [(k, n, n) for k, n in rods],
                  r"^T\[(1|2|3|10|100|[0-9]*50000)\]$", work)
            sides = [(k, math.isqrt(n)) for k, n in rods]
            study(o, kind, "plate", "spread/HeatGrid.mo", [(k, n, n * n) for k, n in sides],
                  r"^T\[(1|2|3|[0-9]*50|[0-9]*00),(1|2|250|500)\]$", work)
        if not o.implicit:
            return
        print("\n| model | states | processes | steps | solves | rows | coupling states | entries between them | halo, bytes a step | "
              "sums, bytes a step | entries of factors | apart |\n|---|---|---|---|---|---|---|---|---|---|---|---|")
        implicit(o, "rod", "../examples/HeatedRod.mo", [(k, o.states, o.states) for k in ranks],
                 r"^T\[(1|2|3|10|100|[0-9]*50000)\]$", work)
        side = math.isqrt(o.states // 100)
        implicit(o, "plate", "spread/HeatGrid.mo", [(k, side, side * side) for k in ranks],
                 r"^T\[(1|2|3|[0-9]*50|[0-9]*00),(1|2|50|100)\]$", work)
        implicit(o, "branches", "../tests/study/Branches.mo", [(k, o.states // 120, 1 + 12 * (o.states // 120)) for k in ranks],
                 r"^(hub|u\[[123456],1\])$", work)


main()
