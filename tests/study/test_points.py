#!/usr/bin/env python3
"""rubato steady and rubato linearize: values that are known."""
import csv
import math
import os
import struct
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
os.chdir(os.environ["TMPDIR"])


def run(command, model, *words, code=0):
    p = subprocess.run([RUBATO, command, os.path.join(HERE, model) if model.endswith(".mo") and not
                        os.path.exists(model) else model, *words], capture_output=True, text=True)
    assert p.returncode == code, (words, p.returncode, p.stdout, p.stderr)
    return p.stdout + p.stderr


def values(text):
    return {line.split()[0]: float(line.split()[1]) for line in text.splitlines()[1:]}


def near(found, expected, within=1e-7):
    assert set(found) == set(expected), (found, expected)
    for name, value in expected.items():
        assert abs(found[name] - value) <= within*(1 + abs(value)), (name, found[name], value)


def matrices(path):
    """Of a MAT level 4 file: numbers as columns, sparse ones as {(row, column): value}."""
    found = {}
    with open(path, "rb") as f:
        while head := f.read(20):
            kind, rows, columns, _, length = struct.unpack("<5i", head)
            name = f.read(length)[:-1].decode()
            if kind == 51:
                letters = f.read(rows*columns).decode()
                found[name] = [letters[k::rows].strip() for k in range(rows)]
                continue
            numbers = struct.unpack(f"<{rows*columns}d", f.read(8*rows*columns))
            found[name] = list(numbers)
            if kind == 2:
                i, j, x = (numbers[k*rows:(k + 1)*rows] for k in range(3))
                found[name] = {(int(a), int(b)): v for a, b, v in zip(i[:-1], j[:-1], x)}
                found[name + " size"] = (int(i[-1]), int(j[-1]))
    return found


# tanks whose valve is another one above a level: k sqrt(h1) = u, and both ways of the relation
near(values(run("steady", "Plant.mo")), {"h1": 4, "h2": 4, "a": 0, "w": 0})
near(values(run("steady", "Plant.mo", "--set", "u=0.5", "^(h[12]|y|high)$")), {"h1": 1, "h2": 4, "y": 4.25, "high": 0})
# what the equations leave open, the start decides: a + b = 4, b = 3 a
out = run("steady", "Closed.mo")
assert "by integration" in out, out
near(values(out), {"a": 1, "b": 3}, 1e-6)
assert "no steady state is found up to time 0.001" in run("steady", "Closed.mo", "--stop", "0.001", code=3)
# a state that was saved is gone on with: nothing moves
run("steady", "Plant.mo", "--save-state", "rest.state")
run("simulate", "Plant.mo", "--from-state", "rest.state", "--output", "rest.csv", "--quiet")
with open("rest.csv", newline="", encoding="utf-8") as f:
    rows = list(csv.DictReader(f))
assert all(abs(float(row["h2"]) - 4) < 1e-6 for row in rows) and float(rows[-1]["time"]) == 200
# constraints of an index 3 pendulum without friction hold: it has no state of rest that is found
assert "no steady state" in run("steady", os.path.join(HERE, "../../examples/Pendulum.mo"), code=3)

# matrices at the steady state and at a time
run("linearize", "Plant.mo", "--steady")
m = matrices("Plant_linear.mat")
assert m["states"] == ["h1", "h2", "a", "w"] and m["inputs"] == ["u"] and m["outputs"] == ["y"], m
near(m["A"], {(1, 1): -0.125, (2, 1): 0.125, (2, 2): -0.125, (3, 4): 1, (4, 3): -1, (4, 4): -0.4}, 1e-8)
near(m["B"], {(1, 1): 1}, 0)
near(m["C"], {(1, 2): 1}, 0)
near(m["D"], {(1, 1): 0.5}, 0)
assert (m["A size"], m["B size"], m["C size"], m["D size"]) == ((4, 4), (4, 1), (1, 4), (1, 1))
assert [round(x, 7) for x in m["x0"]] == [4, 4, 0, 0] and abs(m["y0"][0] - 4.5) < 1e-7
run("linearize", "Plant.mo", "--at", "1.5", "--output", "later.mat")
run("simulate", "Plant.mo", "--stop", "1.5", "--output", "later.csv", "--quiet")
with open("later.csv", newline="", encoding="utf-8") as f:
    end = list(csv.DictReader(f))[-1]
m = matrices("later.mat")
near(dict(enumerate(m["x0"])), {k: float(end[n]) for k, n in enumerate(("h1", "h2", "a", "w"))}, 1e-6)
h1, a = m["x0"][0], m["x0"][2]
near({k: m["A"][k] for k in ((1, 1), (4, 3))}, {(1, 1): -0.25/math.sqrt(h1), (4, 3): -math.cos(a)}, 1e-8)
# as Modelica text it is simulated, and follows the model near the point
run("linearize", "Plant.mo", "--steady", "--output", "linear.mo")
for model, extra in (("linear.mo", "u[1]=1.001"), ("Plant.mo", "u=1.001")):
    words = ["--set", extra, "--stop", "20", "--output", model + ".csv", "--quiet"]
    if model == "Plant.mo":
        words += ["--set", "h1.start=4", "--set", "h2.start=4", "--set", "a.start=0"]
    run("simulate", model, *words)
ends = []
for model, name in (("linear.mo", "y[1]"), ("Plant.mo", "y")):
    with open(model + ".csv", newline="", encoding="utf-8") as f:
        ends.append(float(list(csv.DictReader(f))[-1][name]))
assert abs(ends[0] - ends[1]) < 2e-6 and abs(ends[0] - 4.5) > 1e-3, ends
# derivatives with respect to inputs and of outputs are those of the equations, not differences
run("linearize", "Valve.mo", "--output", "valve.mat")
m = matrices("valve.mat")
u, w, x = 0.7, 2, 1.5
q = 1.0
for _ in range(50):
    q -= (q + q**3 - math.exp(x*w))/(1 + 3*q**2)
slope = math.exp(x*w)/(1 + 3*q**2)
near(m["A"], {(1, 1): 2*u*math.cos(2*u*x) - w*slope}, 1e-13)
near(m["B"], {(1, 1): 2*x*math.cos(2*u*x), (1, 2): -x*slope}, 1e-13)
near(m["C"], {(1, 1): 2*x*math.sqrt(u), (2, 1): w*slope}, 1e-13)
near(m["D"], {(1, 1): x**2/2/math.sqrt(u), (2, 2): x*slope}, 1e-13)
# nothing is differenced unless it must be, which is said
with open("clocked.mo", "w", encoding="utf-8") as f:
    f.write("model Clocked input Real u; output Real y = sin(u) + x; Real x(start = 1, fixed = true); Real s = sample(x, Clock(0.1));"
            " equation der(x) = hold(s) - u*x; end Clocked;")
assert "are differences" in run("linearize", "clocked.mo")
assert ".mat or .mo" in run("linearize", "Plant.mo", "--output", "x.txt", code=2)
