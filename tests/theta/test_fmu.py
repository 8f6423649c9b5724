#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A circuit whose capacitor is infinitely fast, exported as an FMU of both versions and kinds, gives what the model gives."""
import csv
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD, TMP = os.environ["RUBATO_BUILD"], os.environ["TMPDIR"]
RUBATO = os.path.join(BUILD, "rubato")
if os.environ["RUBATO_SANITIZED"] or not os.path.exists(os.path.join(BUILD, "librubato_fmu.so")):
    sys.exit(77)
CIRCUIT = [os.path.join(HERE, "../../examples/theta/Circuits.mo"), "--model", "Circuits.ThetaCircuit2Dynamic"]


def last(*target):
    """R1.v and the rows of a run."""
    path = os.path.join(TMP, "r.csv")
    words = subprocess.run([RUBATO, "simulate", *target, "--stop", "0.65", "--tolerance", "1e-8", "--output", path], check=True,
                           capture_output=True, text=True).stdout
    assert ", 1 state, " in words, words
    with open(path, encoding="utf-8", newline="") as f:
        rows = list(csv.DictReader(f))
    assert float(rows[-1]["time"]) == 0.65
    return float(rows[-1]["R1.v"])


expected = last(*CIRCUIT)
assert abs(expected - 998.49164221) < 1e-6, expected
for version in "2", "3":
    for kind in "me", "cs":
        unit = os.path.join(TMP, f"{kind}{version}.fmu")
        words = subprocess.run([RUBATO, "fmu", *CIRCUIT, "--fmi", version, "--kind", kind, "--output", unit], check=True,
                               capture_output=True, text=True).stdout
        assert ": 1 state, " in words, words
        value = last(unit, "--trust")
        assert abs(value - expected) < 1e-6, (version, kind, value, expected)
