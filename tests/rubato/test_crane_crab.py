#!/usr/bin/env python3
"""The crane crab: certified trajectory, integrals of the motion, extremes, and values of methods with fixed steps, to all digits
given, in three ways: as a whole, as an array that is translated once, and as a network of parts.

The trajectory was certified by extrapolation with 30 digits, by two other integrators and by a quadrature; values of methods are
those of a separate program. Extremes are found between points by the polynomial through eight of them."""
import csv
import math
import os
import subprocess

RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
WORK = os.environ.get("TMPDIR", "/tmp")
ONE, MANY = "Rubato.Planar.Examples.CraneCrab", "Rubato.Planar.Examples.CraneCrabs"
WAYS = {"whole": ([ONE], ""), "parts": ([ONE, "--components"], ""),
        "array": ([MANY, "--components", "--set", "N=130", "--instances", "130"], "crab[130].")}
NAMES = ("prismatic.s", "prismatic.v", "revolute.phi", "revolute.w")
EXACT = {0.1: (-0.006649272646712, -0.1333936550980, -0.01332854785274, -0.2680017713501, 0.03334081672509, 7.324159183275),
         0.5: (-0.1702032900411, -0.6591364819902, -0.3716625375281, -1.626152655603, 1.392996422144, 5.964503577856),
         1: (-0.2843200203832, 1.193114249420, -1.792965015297, -4.374498755040, 11.37091437347, -4.013414373474),
         2: (0.4384852871421, -0.5408027141104, -5.419564094855, -1.197673187957, 0.7130230106566, 6.644476989343),
         5: (-0.03112254911221, -0.2924959095442, -0.06294682482055, -0.5987320727089, 0.1688466688536, 7.188653331146),
         10: (-0.1267040265310, -0.5885202134315, -0.2685752933845, -1.344118004199, 0.9145575547743, 6.442942445226)}
FIXED = (("rk4", 1e-3, 1, {"prismatic.s": -0.28432002038332, "revolute.phi": -1.7929650152958}),
         ("rk4", 1e-3, 10, {"prismatic.s": -0.12670402653636, "revolute.phi": -0.26857529339542}),
         ("rk4", 1e-2, 10, {"prismatic.s": -0.12670479498532}),
         ("euler", 1e-3, 1, {"prismatic.s": -0.2877179571875, "revolute.phi": -1.7885604329282,
                             "revolute.w": -4.3663474501603}),
         ("midpoint", 1e-3, 10, {"revolute.phi": -0.26856872110081}))


def run(way, stop, interval, *options):
    """Columns by name: time and NAMES."""
    target, prefix = WAYS[way]
    out = os.path.join(WORK, way + ".csv")
    p = subprocess.run([RUBATO, "simulate", *target, "--stop", str(stop), "--interval", str(interval), "--output", out, "--quiet",
                        "--variables", r"(prismatic\.[sv]|revolute\.(phi|w))$", *options], capture_output=True, text=True,
                       check=False)
    assert p.returncode == 0, p.stderr
    with open(out, newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))
    column = {name: [float(r[k]) for r in rows[1:]] for k, name in enumerate(rows[0])}
    return [column["time"]] + [column[prefix + name] for name in NAMES]


def near(found, wanted, eps, what):
    assert abs(found - wanted) <= eps * (1 + abs(wanted)), f"{what}: {found!r}, not {wanted!r}"


def energies(v, phi, w):
    """Kinetic and potential; the rod is {0.5, 1.5}."""
    dx, dy = 0.5 * math.cos(phi) - 1.5 * math.sin(phi), 0.5 * math.sin(phi) + 1.5 * math.cos(phi)
    vx, vy = v - dy * w, dx * w
    return 0.5 * v * v + 0.25 * (vx * vx + vy * vy) + 0.025 * w * w, 0.5 * 9.81 * dy, dx, dy


def between(t, y, k, at):
    """The polynomial through the eight points around k, by Neville."""
    first = min(max(k - 4, 0), len(t) - 8)
    p = y[first:first + 8]
    x = t[first:first + 8]
    for m in range(1, 8):
        for i in range(8 - m):
            p[i] = ((at - x[i + m]) * p[i] + (x[i] - at) * p[i + 1]) / (x[i] - x[i + m])
    return p[0]


def zeros(t, y):
    """Where y changes its sign, after the start."""
    found = []
    for k in range(2, len(t) - 1):
        if (y[k] > 0) == (y[k + 1] > 0):
            continue
        low, high = t[k], t[k + 1]
        for _ in range(60):
            middle = (low + high) / 2
            if (between(t, y, k, middle) > 0) == (y[k] > 0):
                low = middle
            else:
                high = middle
        found.append((k, low))
    return found


def trajectory(way):
    t, s, v, phi, w = run(way, 10, 1e-3, "--fixed-step", "2.5e-4", "--method", "rk4")
    for at, wanted in EXACT.items():
        k = min(range(len(t)), key=lambda i: abs(t[i] - at))
        kinetic, potential, _, _ = energies(v[k], phi[k], w[k])
        for found, value in zip((s[k], v[k], phi[k], w[k], kinetic, potential), wanted):
            near(found, value, 2e-12, f"{way} at {at}")
    for k in range(0, len(t), 7):
        kinetic, potential, dx, dy = energies(v[k], phi[k], w[k])
        near(kinetic + potential, 7.3575, 1e-12, f"{way}: energy at {t[k]}")
        near(1.5 * v[k] - 0.5 * dy * w[k], 0, 1e-12, f"{way}: momentum at {t[k]}")
        near(1.5 * s[k] + 0.5 * dx, 0.25, 1e-12, f"{way}: centre at {t[k]}")
    ends = [between(t, s, k, at) for k, at in zeros(t, v)]
    near(min(ends), -0.360379610028, 1e-11, f"{way}: least s")
    near(max(ends), 0.693712943361, 1e-11, f"{way}: largest s")
    turns = zeros(t, w)
    near(between(t, phi, *turns[0]), -5.639684198386, 1e-11, f"{way}: where it turns")
    near(turns[1][1], 4.784743075896, 1e-11, f"{way}: period")
    slopes = [0] + [(w[k + 1] - w[k - 1]) / 2e-3 for k in range(1, len(w) - 1)] + [0]
    near(max(abs(between(t, w, k, at)) for k, at in zeros(t, slopes)), 5.849622331605, 1e-11, f"{way}: largest w")


for one in WAYS:
    trajectory(one)
    for method, h, stop, values in FIXED:
        found = run(one, stop, stop, "--fixed-step", str(h), "--method", method)
        for name, value in values.items():
            near(found[1 + NAMES.index(name)][-1], value, 3e-14 if stop < 2 else 1e-12, f"{one}, {method} {h} at {stop}")
    first = run(one, 1e-3, 1e-3, "--fixed-step", "1e-3", "--method", "euler")
    near(first[2][-1] / 1e-3, -1.325675675676, 3e-13, f"{one}: acceleration at the start")
    near(first[4][-1] / 1e-3, -2.651351351351, 3e-13, f"{one}: angular acceleration at the start")
