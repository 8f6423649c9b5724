#!/usr/bin/env python3
# long
"""Two inertias between walls: exact values, errors, orders and limits of stability of methods and couplings.

Set A has a fast and a slow inertia, set B two equal ones with a stiff spring between them. Exact values are those of
the matrix exponential; errors and limits are eigenvalues and recursions computed by an independent program."""
import csv
import os
import subprocess

RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
WORK = os.environ.get("TMPDIR", "/tmp")
B = ["J1.J=1", "wall1.c=1", "wall1.d=0.1", "J2.J=1", "wall2.c=1", "wall2.d=0.1", "cc=1000", "dc=1", "J1.phi=1",
     "J2.phi=0"]
EXAMPLES = "Rubato.Multirate.Examples."
EE, MP, RK, IE, IT = "ExplicitEuler", "ExplicitMidPoint2", "ExplicitRungeKutta4", "ImplicitEuler", "ImplicitTrapezoid"
ONE = """model One "Both inertias in one partition"
  parameter String method = "ExplicitEuler";
  parameter Real h = 1e-3, J1 = 0.01, c1 = 100, d1 = 0.05, J2 = 1, c2 = 100, d2 = 0.5, cc = 10, dc = 0.05;
  Real p1(start = 0.1, fixed = true), w1(start = 0, fixed = true);
  Real p2(start = 1, fixed = true), w2(start = 0, fixed = true);
equation
  when Clock(Clock(h), method) then
    der(p1) = w1;
    der(p2) = w2;
    J1*der(w1) = -c1*p1 - d1*w1 + cc*(p2 - p1) + dc*(w2 - w1);
    J2*der(w2) = -c2*p2 - d2*w2 - cc*(p2 - p1) - dc*(w2 - w1);
  end when;
end One;
"""
EXACT = {0.1: (0.0407462949076265, -0.388081988993455, 0.511070993431713, -8.79116777766),
         0.5: (0.0399417575700704, 0.652140633000774, 0.405069464452989, 7.97238309843449),
         1: (-0.03590893244771, 0.643153023780724, -0.418590754894227, 6.77409762298348),
         2: (-0.0246107706588309, -0.488755120500016, -0.245437645592811, -5.44334748161667),
         5: (-0.00890704064883526, -0.227119486734859, -0.0865679248437802, -2.51721857013033)}
EXACT_B = (0.409714162489728, -5.66730980482259, 0.145277558128105, 4.86651969746918)


def run(target, stop, interval, *settings):
    """Points (time, phi1, w1, phi2, w2), those after the tick of a time."""
    out = os.path.join(WORK, "orders.csv")
    p = subprocess.run([RUBATO, "simulate", target, "--stop", f"{stop:.12g}", "--interval", f"{interval:.12g}", "--quiet",
                        "--tier", "0", "--output", out, "--variables", "^([pw][12]|J[12][.](phi|w))$",
                        *[x for s in settings for x in ("--set", s)]], capture_output=True, text=True)
    assert p.returncode == 0, (target, settings, p.stderr)
    with open(out, encoding="utf-8") as f:
        rows = list(csv.reader(f))
    order = [rows[0].index("time")] + [next(k for k, n in enumerate(rows[0]) if n in names) for names in
                                       (("p1", "J1.phi"), ("w1", "J1.w"), ("p2", "J2.phi"), ("w2", "J2.w"))]
    return [[float(row[k]) for k in order] for row in rows[1:]]


def one(method, h, stop, *settings):
    points = run(ONE_MO, stop, stop, f'method="{method}"', f"h={h!r}", *settings)
    return {round(t/h): x for t, *x in points}


def coupled(model, fast, slow, resolution, factor, nP, stop, *settings):
    return run(EXAMPLES + model, stop, stop, f'fastMethod="{fast}"', f'slowMethod="{slow}"', f"resolution={resolution}",
               f"factor={factor}", f"nP={nP}", *settings)


def amplitude(points):
    return max(abs(x) for p in points for x in p[1:])


def grows(points, *what):
    n = len(points)
    last, before = amplitude(points[4*n//5:]), amplitude(points[2*n//5:3*n//5])
    assert not 0.8 < last/before < 1.25, ("neither grows nor decays", last/before, what)
    return last > before


ONE_MO = os.path.join(WORK, "One.mo")
with open(ONE_MO, "w", encoding="utf-8") as f:
    f.write(ONE)

# Set A in one partition: exact values, errors at 1 ms, limits of stability.
fine = one(RK, 1e-4, 5.00005)
for t, exact in EXACT.items():
    assert all(abs(a - b) < 1e-9 for a, b in zip(fine[round(t/1e-4)], exact)), (t, fine[round(t/1e-4)])
for method, error in (EE, 6.3e-2), (MP, 2.2e-4), (RK, 6.4e-8), (IE, 5.8e-2), (IT, 1.1e-4):
    points = one(method, 1e-3, 2.0005)
    worst = max(abs(points[k][j] - fine[10*k][j]) for k in range(2001) for j in (0, 2))
    assert 0.97*error < worst < 1.03*error, (method, worst)
for method, limit in (EE, 0.000909791), (MP, 0.0074921), (RK, 0.0277166):
    for share, unstable in (0.98, False), (1.02, True):
        points = one(method, share*limit, 25 if method == EE else 60 if method == MP else 20)
        assert grows([[k, *x] for k, x in sorted(points.items())]) == unstable, (method, share)
for method in IE, IT:
    assert not grows([[k, *x] for k, x in sorted(one(method, 0.05, 20).items())]), method

# Set A in two: the unit delay limits the order to one in the fast interval, whatever nP is.
for model, nP in ("ForceDisp", 1), ("DispDisp", 1), ("DispForce", 1), ("DispDisp", 2):
    errors = []
    for resolution in 4000, 8000:
        points = {round(t*1000): x for t, *x in coupled(model, RK, RK, resolution, 4, nP, 1.00005)
                  if abs(t*1000 - round(t*1000)) < 1e-9}
        errors.append(max(abs(points[k][2] - fine[10*k][2]) for k in range(1001)))
    assert 1.9 < errors[0]/errors[1] < 2.1, (model, nP, errors)
for model, errors in (("ForceDisp", (5.5e-2, 6.9e-3, 4.6e-3)), ("DispDisp", (3.0e-3, 5.6e-4, 4.9e-4)),
                      ("DispForce", (2.7e-3, 5.1e-4, 4.5e-4))):
    for nP, error in enumerate(errors):
        points = {round(t*1000): x for t, *x in coupled(model, RK, RK, 1000, 10, nP, 2.0005)
                  if abs(t*1000 - round(t*1000)) < 1e-9}
        worst = max(abs(points[k][2] - fine[10*k][2]) for k in range(0, 2001, 10))
        assert 0.95*error < worst < 1.05*error, (model, nP, worst)

# A slow explicit Euler step of 10 ms gains energy whatever the coupling is.
for model in "ForceDisp", "DispDisp", "DispForce":
    assert grows(coupled(model, RK, EE, 1000, 10, 0, 20), model), model

# Set B: exact values, and the largest slow interval of five fast ones.
fine = one(RK, 1e-4, 1.00005, "J1=1", "c1=1", "d1=0.1", "c2=1", "d2=0.1", "cc=1000", "dc=1", "p1=1", "p2=0")
assert all(abs(a - b) < 1e-9 for a, b in zip(fine[10000], EXACT_B)), fine[10000]
LIMITS = [("ForceDisp", RK, RK, 0, None, 2, 30), ("ForceDisp", RK, RK, 1, 7.5, 8.5, 8),
          ("ForceDisp", IE, MP, 1, 11, 12.6, 8), ("ForceDisp", IE, IE, 1, 37, 41, 8),
          ("DispDisp", RK, RK, 0, 6.5, 7.5, 8), ("DispDisp", IE, MP, 0, 13, 15, 8),
          ("DispDisp", RK, RK, 1, 13.5, 16, 8), ("DispDisp", IE, MP, 1, 20, 22, 8),
          ("DispDisp", IE, IE, 0, 2500, None, 4000), ("DispForce", RK, RK, 0, 3.2, 3.9, 8),
          ("DispForce", IE, MP, 0, 4.6, 5.8, 8), ("DispForce", RK, RK, 1, 8, 9.5, 8),
          ("DispForce", IE, MP, 1, 11, 15.5, 8), ("ForceDisp", RK, RK, 2, 18, 21, 8), ("ForceDisp", IE, MP, 2, None, 26, 8),
          ("DispDisp", RK, RK, 2, 24, 28, 8), ("DispDisp", IE, MP, 2, 24, 29, 8), ("DispDisp", RK, EE, 0, 1.4, 2.5, 8),
          ("DispForce", RK, EE, 0, None, 2.5, 8)]  # slow intervals in ms that are stable and not, stop time
for model, fast, slow, nP, below, above, stop in LIMITS:
    for H, unstable in (below, False), (above, True):
        if H:
            points = coupled(model, fast, slow, round(5e3/H), 5, nP, stop, *B)
            assert grows(points, model, fast, slow, nP, H) == unstable, (model, fast, slow, nP, H)
