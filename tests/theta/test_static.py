#!/usr/bin/env python3
# long
# SPDX-License-Identifier: Apache-2.0
"""The diode circuit without a parasitic capacitor runs to 1 s with every solver and every method from order 3 on, at
tolerance 1e-6: long steps take its nonlinear system far from the last solution."""
import csv
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
RESULT = os.path.join(os.environ["TMPDIR"], "r.csv")


def last(*options):
    """R1.v at the end."""
    subprocess.run([RUBATO, "simulate", os.path.join(HERE, "../../examples/theta/Circuits.mo"), "--model",
                    "Circuits.Circuit1Static", "--stop", "1", "--tolerance", "1e-6", "--quiet", "--tier", "0",
                    "--output", RESULT, *options], check=True)
    with open(RESULT, encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    assert float(rows[-1]["time"]) == 1, options
    return float(rows[-1]["R1.v"])


def methods():
    """Names of order 3 or more, and the solvers of SUNDIALS if they are there."""
    text = subprocess.run([RUBATO, "methods"], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines()[1:]:
        words = line.split()
        numbers = [w for w in words if w.isdigit()]
        if len(numbers) > 2 and int(numbers[1]) >= 3:
            yield "--method", words[0]
    if "SUNDIALS" in text and "without SUNDIALS" not in text:
        for solver in "cvode", "ida", "arkode":
            yield "--solver", solver


choices = list(methods())
assert len(choices) > 20, choices
if os.environ.get("RUBATO_SANITIZED"):
    choices = choices[::6]  # all of them take a minute there
for choice in choices:
    value = last(*choice)
    assert abs(value - 999.9544324016) < 0.01, (choice, value)
