#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench_drives.py RUBATO [RUNS]: N equal drives, each a partition of its own, on one thread and on two.

A drive is a motor with a chain of M inertias, elastic gears and friction; nothing is exchanged between drives, so two
threads could halve the time. Runs on one and on two threads alternate, RUNS (7) of each; printed are the wall time of a
tick on one thread, the ratio one/two of the best times and of the median pair, and how many of the lines of the cache
hold values of both threads. On a machine with other work the ratios say nothing, the lines do. Ends with 1 if the results
differ."""
import json
import os
import statistics
import subprocess
import sys
import tempfile

MODEL = """model Drives
  parameter Integer n = 16, m = 8;
  block Drive
    parameter Real k = 1;
    parameter Integer m = 8;
    Real w[m](each start = 0, each fixed = true), phi[m](each start = 0, each fixed = true), tau[m + 1], f[m];
  equation
    tau[1] = 2*sin(k*time) - 0.1*w[1];
    for j in 1:m loop
      der(phi[j]) = w[j];
      der(w[j]) = tau[j] - tau[j + 1] - f[j];
      f[j] = 0.2*tanh(10*w[j]) + 0.01*w[j]*abs(w[j]);
    end for;
    for j in 2:m loop
      tau[j] = 50*(phi[j - 1] - phi[j]) + 0.1*sin(w[j - 1] - w[j]);
    end for;
    tau[m + 1] = 5*sin(phi[m]);
  end Drive;
  Drive drive[n](k = {3 + j/10 for j in 1:n}, each m = m);
  Clock base = Clock(1, 1000), c[n] = {Clock(base, "ExplicitRungeKutta4") for j in 1:n};
  Real y[n];
equation
  for j in 1:n loop
    when c[j] then
      y[j] = drive[j].w[m];
    end when;
  end for;
end Drives;
"""
TICKS = 4000


def run(rubato, folder, n, m, threads, interval):
    """Statistics and result."""
    out, stats = os.path.join(folder, "r.csv"), os.path.join(folder, "s.json")
    subprocess.run([rubato, "simulate", os.path.join(folder, "Drives.mo"), "--set", f"n={n}", "--set", f"m={m}",
                    "--stop", str(TICKS/1000), "--interval", interval, "--threads", str(threads), "--tier", "1",
                    "--quiet", "--stats", stats, "--output", out], check=True)
    with open(stats, encoding="utf-8") as f, open(out, "rb") as g:
        return json.load(f), g.read()


def main(rubato, runs=7):
    print("   N    M   us/tick   best  median   lines of both")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "Drives.mo"), "w", encoding="utf-8") as f:
            f.write(MODEL)
        for n, m in (2, 8), (6, 1), (6, 8), (16, 1), (16, 8), (64, 1), (64, 8):
            _, one = run(rubato, folder, n, m, 1, "0.01")
            s, two = run(rubato, folder, n, m, 2, "0.01")
            if one != two:
                sys.exit("results differ")
            pairs = [[run(rubato, folder, n, m, t, "1")[0]["time_simulate"] for t in (1, 2)] for _ in range(int(runs))]
            best = [min(p[t] for p in pairs) for t in (0, 1)]
            lines = s.get("schedule", {"lines_shared": 0, "lines": 0})
            print(f"{n:4} {m:4} {1e6*best[0]/TICKS:9.2f} {best[0]/best[1]:6.2f} "
                  f"{statistics.median(p[0]/p[1] for p in pairs):7.2f}   {lines['lines_shared']} of {lines['lines']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
