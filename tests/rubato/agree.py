#!/usr/bin/env python3
"""agree.py A B EPS: the last points of two CSV results agree in all variables of A, whatever the first
subscript of their names is."""
import csv
import re
import sys


def last(path):
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))
    return {re.sub(r"\[\d+\]", "[]", n, count=1): float(v) for n, v in zip(rows[0], rows[-1])}


a, b, eps = last(sys.argv[1]), last(sys.argv[2]), float(sys.argv[3])
a = {n: v for n, v in a.items() if "[]" in n}
worst = max(a, key=lambda n: abs(a[n] - b[n]))
if len(a) < 10 or abs(a[worst] - b[worst]) > eps:
    sys.exit(f"{worst}: {a[worst]} and {b[worst]}, {len(a)} variables")
