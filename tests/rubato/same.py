#!/usr/bin/env python3
"""same.py A B EPS LEAST: at the last points of two CSV results all variables of B have the value they have in A, up
to EPS*(1 + value); B has at least LEAST variables."""
import csv
import sys


def last(path):
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))
    return dict(zip(rows[0], map(float, rows[-1])))


a, b, eps, least = last(sys.argv[1]), last(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
missing = sorted(set(b) - set(a))
worst = max(b, key=lambda n: abs(a.get(n, 0) - b[n]) / (1 + abs(a.get(n, 0))))
if missing or len(b) < least or not abs(a[worst] - b[worst]) <= eps * (1 + abs(a[worst])):
    sys.exit(f"{worst}: {a.get(worst)} and {b[worst]}, {len(b)} variables, missing {missing[:3]}")
