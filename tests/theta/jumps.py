# SPDX-License-Identifier: Apache-2.0
"""Jumps of x in a result: one from 1 to -2 or back at every multiple of 3/2 - ln 2, within a time."""
import csv
import math
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    rows = [(float(r["time"]), float(r["x"])) for r in csv.DictReader(f)]
jumps = [(a, b) for a, b in zip(rows, rows[1:]) if a[1]*b[1] < 0]
assert len(jumps) == 4, jumps
for k, ((t, before), (u, after)) in enumerate(jumps, 1):
    assert abs(t - k*(1.5 - math.log(2))) < float(sys.argv[2]), (k, t)
    assert u - t < 1e-8 and abs(abs(before) - 1) < 1e-3 and abs(abs(after) - 2) < 1e-3, (before, after)
