#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Networks of parts: a chain of links and a heat exchanger, component by component and as a whole.

  bench_network.py RUBATO [--most 100000] [--whole 1000] [--library ThermofluidStream --library Modelica]

With these libraries also a heat exchanger made of parts of ThermofluidStream (bench/streams/Parts.mo).
For each size, in a process of its own: the time of all passes of the translation, memory of the process at most, bytes an
instance beyond that of the smallest size, and the time of an evaluation for one instance (the longer of two runs
less the shorter one, which differ in their steps only). The last column compares all recorded values of both paths
after the same steps."""
import argparse
import csv
import json
import os
import re
import subprocess
import tempfile

CHAIN = """model Link
  import Rubato.Planar.*;
  FlangeTo to;
  FlangeOn on;
  Revolute j(d = 0.1, phi(start = 0.05));
  Translation rod(r = {0.3, -0.7});
  Body body(m = 0.4, I = 0.02);
equation
  connect(to, j.to);
  connect(j.on, rod.to);
  connect(rod.on, body.to);
  connect(rod.on, on);
end Link;
model Chain
  parameter Integer n = 10;
  Rubato.Planar.Fixed fixed;
  Link link[n];
equation
  connect(fixed.on, link[1].to);
  for k in 1:n - 1 loop
    connect(link[k].on, link[k + 1].to);
  end for;
end Chain;
"""


def translation(text):
    """Seconds of all passes, from the lines of --timing up to the last one."""
    passes = re.findall(r"^([a-z]+) +([0-9.]+) ms +[0-9.]+ MB", text, re.MULTILINE)
    return sum(float(ms) for _, ms in passes) / 1000


def run(rubato, folder, model, n, steps, components):
    """Statistics of so many steps of the classical method, and the last values."""
    out, stats = os.path.join(folder, "r.csv"), os.path.join(folder, "s.json")
    command = [rubato, "simulate", *model, "--set", f"n={n}", "--fixed-step", "1e-6", "--method", "rk4", "--stop",
               f"{steps}e-6", "--interval", f"{steps}e-6", "--output", out, "--stats=" + stats, "--quiet",
               "--timing", "--no-cache"]
    shell = ["sh", "-c", '"$@"; exit $?', "sh"]  # whose own memory is small: that of the caller would count
    p = subprocess.run(shell + command + (["--components"] if components else []), capture_output=True, text=True,
                       check=False)
    if p.returncode:
        raise SystemExit(p.stdout + p.stderr)
    with open(stats, encoding="utf-8") as f:
        s = json.load(f)
    s["translate"] = translation(p.stdout + p.stderr)
    with open(out, newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))
    return s, dict(zip(rows[0], map(float, rows[-1])))


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("rubato")
    a.add_argument("--most", type=int, default=100000)
    a.add_argument("--whole", type=int, default=1000)
    a.add_argument("--library", action="append", default=[])
    o = a.parse_args()
    print("| model | instances | path | translate s | memory MB | bytes an instance | ns an instance and evaluation | apart |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "Chain.mo")
        with open(file, "w", encoding="utf-8") as f:
            f.write(CHAIN)
        models = [("chain", [file, "--model", "Chain"]), ("exchanger", ["Rubato.Streams.Examples.HeatExchanger"])]
        if o.library:
            parts = os.path.join(os.path.dirname(os.path.abspath(__file__)), "streams", "Parts.mo")
            found = [word for folder_ in o.library for word in ("--library", folder_)]
            models = [("exchanger of library parts", [parts, "--model", "Parts.Exchanger", *found])]
        for name, model in models:
            base = {c: run(o.rubato, folder, model, 10, 1, c)[0]["memory_peak_bytes"] for c in (True, False)}
            n = 100
            while n <= o.most:
                values = {}
                for components in (True, False):
                    if not components and n > o.whole:
                        continue
                    short, values[components] = run(o.rubato, folder, model, n, 1, components)
                    steps = max(20, 200000 // n)
                    long, _ = run(o.rubato, folder, model, n, steps, components)
                    spent = (long["time_simulate"] - short["time_simulate"]) / max(
                        1, long["rhs_calls"] - short["rhs_calls"])
                    apart = ""
                    if len(values) == 2:
                        apart = max(abs(values[False][k] - v) / (1 + abs(v)) for k, v in values[True].items())
                        apart = f"{apart:.1e}"
                    memory = short["memory_peak_bytes"]
                    print(f"| {name} | {n:,} | {'components' if components else 'whole'} | {short['translate']:.2f} | "
                          f"{memory / 1e6:.1f} | "
                          f"{(memory - base[components]) / n:.0f} | {1e9 * spent / n:.0f} | {apart} |", flush=True)
                n *= 10


main()
