#!/usr/bin/env python3
# long
"""Staggered coupling: slow partitions go ahead, fast ones interpolate. The two inertias of set A against the same scheme in a few
lines here, its order against the exact solution, threads, several rates, what hold sees, and what is refused."""
import math
import os
import subprocess

RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
WORK = os.environ.get("TMPDIR", "/tmp")
PATH = os.path.join(WORK, "Staggered.mo")
EXACT = -0.03590893244771, 0.643153023780724, -0.418590754894227, 6.77409762298348  # at 1 s
MODELS = """package Staggered
  model Exchange "of motions"
    extends Rubato.Multirate.Examples.DispDisp(coupling(useDirectFeedthrough = true), fastMethod = "ExplicitMidPoint2");
  end Exchange;
  model Torque "of motion and torque"
    extends Rubato.Multirate.Examples.DispForce(coupling(useDirectFeedthrough = true), fastMethod = "ExplicitMidPoint2");
  end Torque;
  model Trapezoid
    extends Exchange(fastMethod = "ImplicitTrapezoid", slowMethod = "ImplicitTrapezoid");
  end Trapezoid;
  model Rates "x' = 1 slowly; others read it every 10 and every 2 ticks of 0.1 s"
    Real x(start = 0, fixed = true), read, middle, seen, z(start = 0, fixed = true);
    Integer n(start = 0), shown;
    Clock c = Clock(1, 10);
  equation
    when Clock(subSample(c, 10), "ImplicitTrapezoid") then
      der(x) = 1;
      n = previous(n) + 1;
    end when;
    when Clock(subSample(c, 2), "ImplicitTrapezoid") then
      middle = superSample(x) + superSample(n, 5);
      der(z) = superSample(x);
    end when;
    when c then
      read = superSample(x);
      shown = superSample(n);
    end when;
    seen = hold(x);
  end Rates;
end Staggered;
"""


def simulate(model, *options):
    """Rows of the result as dictionaries; the messages if it failed."""
    p = subprocess.run([RUBATO, "simulate", PATH, "--model", "Staggered." + model, *options, "--quiet", "--output", "-"],
                       capture_output=True, text=True)
    if p.returncode:
        return p.stderr
    lines = [line.split(",") for line in p.stdout.split()]
    names = [name.strip('"') for name in lines[0]]
    return [dict(zip(names, map(float, row))) for row in lines[1:]]


def oscillator(model, resolution):
    end = simulate(model, "--staggered", "--stop", "1", "--interval", "0.5", "--set", f"resolution={resolution}",
                   "--variables", "^J[12][.](phi|w)$")[-1]
    return [end[name] for name in ("J1.phi", "J1.w", "J2.phi", "J2.w")]


def expected(resolution, factor=10):
    """The exchange of motions with the midpoint method on both sides."""
    def step(f, x, rate, before, now, h):
        middle = [a + h/2*b for a, b in zip(x, rate)]
        return [a + h*b for a, b in zip(x, f(middle, [(a + b)/2 for a, b in zip(before, now)]))]

    def fast(x, u):
        return [x[1], (-100*x[0] - 0.05*x[1] - 10*(x[0] - u[0]) - 0.05*(x[1] - u[1]))/0.01]

    def slow(x, u):
        return [x[1], -100*x[0] - 0.5*x[1] - 10*(x[0] - u[0]) - 0.05*(x[1] - u[1])]

    h, x, y = 1/resolution, [0.1, 0], [1, 0]
    u, w, last = y, x, x  # inputs of x and y at the tick before; x at the slow tick before
    for _ in range(resolution//factor):
        carried = [2*a - b for a, b in zip(x, last)]
        ahead = step(slow, y, slow(y, w), w, carried, factor*h)
        last, w = x, carried
        for j in range(1, factor + 1):
            between = [a + j/factor*(b - a) for a, b in zip(y, ahead)]
            x, u = step(fast, x, fast(x, u), u, between, h), between
        y = ahead
    return x + y


with open(PATH, "w", encoding="utf-8") as f:
    f.write(MODELS)

for resolution in 1000, 2000:
    for ours, theirs in zip(oscillator("Exchange", resolution), expected(resolution)):
        assert abs(ours - theirs) < 1e-10, (resolution, ours, theirs)

for model in "Exchange", "Torque", "Trapezoid":
    coarse, fine = (max(abs(a - b) for a, b in zip(oscillator(model, n), EXACT)) for n in (2000, 4000))
    assert 1.9 < math.log2(coarse/fine) < 2.2, (model, coarse, fine)

one = simulate("Exchange", "--staggered", "--stop", "0.1")
for threads in "2", "8":
    assert simulate("Exchange", "--staggered", "--stop", "0.1", "--threads", threads) == one, threads
assert "with staggered coupling slow partitions are no tasks" in simulate("Exchange", "--staggered", "--tasks", "split")
assert "error D141" in simulate("Exchange", "--stop", "0.1")

rows = simulate("Rates", "--staggered", "--stop", "3.05", "--interval", "0.05")
for row in {row["time"]: row for row in rows}.values():  # after the tick where there is one
    tick, slow = math.floor(10*row["time"] + 1e-9), math.floor(row["time"] + 1e-9)
    assert abs(row["read"] - tick/10) < 1e-12, row  # the line itself, at every tick
    assert abs(row["seen"] - slow) < 1e-12 and abs(row["x"] - slow) < 1e-12, row  # held, and recorded at its ticks
    assert row["shown"] == slow + 1, row  # no continuous quantity
    middle = math.floor(5*row["time"] + 1e-9)/5
    short = 0.04 if middle > 0.3 else middle/10  # of its first step, with x held
    assert abs(row["z"] - middle**2/2 + short) < 1e-12, row
plain = simulate("Rates", "--stop", "3.05", "--interval", "0.05")
assert abs(plain[-1]["z"] - rows[-1]["z"]) > 1, (plain[-1], rows[-1])

with open(PATH, "a", encoding="utf-8") as f:
    f.write("model One\n  Real x = sample(time, Clock(1, 10));\nend One;\n")
p = subprocess.run([RUBATO, "check", PATH, "--staggered"], capture_output=True, text=True)
assert "error D147" in p.stderr + p.stdout, p
