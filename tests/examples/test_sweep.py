"""The examples in C and in Python print the same table, with the exact solution in it."""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def rows(*command):
    env = dict(os.environ, PYTHONPATH=os.path.join(ROOT, "src", "python"))
    p = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=env)
    assert p.returncode == 0, p.stderr
    lines = [line.split() for line in p.stdout.splitlines()]
    assert lines[0] == ["r1.R", "c1.v", "c2.v"] and len(lines) == 6, p.stdout
    return [[float(x) for x in line] for line in lines[1:]]


def exact(r1):
    """c1.v and c2.v at time 1: the step response of the linear system after 0.9 s, by its series."""
    r2, c1, c2, v, t = 1000, 1e-3, 1e-4, 5, 0.9
    a = [[-(1/r1 + 1/r2)/c1, 1/(r2*c1)], [1/(r2*c2), -1/(r2*c2)]]
    x, parts = [0.0, 0.0], 2000
    h = t/parts
    for _ in range(parts):  # of each part the first 8 terms of the exponential
        term = [a[0][0]*x[0] + a[0][1]*x[1] + v/(r1*c1), a[1][0]*x[0] + a[1][1]*x[1]]
        factor = h
        for k in range(2, 9):
            x = [x[i] + factor*term[i] for i in (0, 1)]
            term = [a[i][0]*term[0] + a[i][1]*term[1] for i in (0, 1)]
            factor *= h/k
    return x


def check(table):
    for (r, c1, c2), want in zip(table, (100, 200, 300, 400, 500)):
        one, two = exact(want)
        assert r == want and abs(c1 - one) < 1e-4 and abs(c2 - two) < 1e-4, (r, c1, c2, one, two)


check(rows(os.path.join(os.environ["RUBATO_BUILD"], "examples", "sweep")))
if not os.environ["RUBATO_SANITIZED"]:
    check(rows(sys.executable, "examples/python/sweep.py"))
for path, most in ("examples/c/sweep.c", 40), ("examples/python/sweep.py", 20):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        assert len(f.readlines()) <= most, path
