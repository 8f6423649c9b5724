#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random models of loops, arrays, records and arrays of components, whose values are known.

  tools/loops.py RUBATO [--count N] [--seed S] [--keep DIR] [--tier T]

Each model has base arrays that depend on time and some targets, each of which is defined completely by
one construct: nested and triangular loops, conditions on counters, comprehensions, slices, recurrences,
algorithms, functions, arrays of records and of components. Subscripts are conditional, permuted, looked
up or loop-dependent ranges. Python computes every element at two points of time. A crash, a refusal or a
wrong value is printed and the model is kept; the exit status is then 1.
"""
import argparse
import csv
import io
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TIMES = (0.0, 0.5)


class World:
    """Base arrays of a model: value(name, time) with subscripts from 1 as lists."""

    def __init__(self, rng, n):
        c = lambda: round(rng.uniform(0.5, 2), 2)
        self.n = n
        self.v = [(c(), c()) for _ in range(n)]
        self.w = [(c(), c()) for _ in range(n)]
        self.M = [[(c(), c()) for _ in range(n)] for _ in range(n)]
        self.p = rng.sample(range(1, n + 1), n)
        self.q = [[rng.randint(1, n) for _ in range(n)] for _ in range(n)]
        self.ra = [(c(), c()) for _ in range(n)]
        self.rb = [[(c(), c()) for _ in range(2)] for _ in range(n)]
        self.ck = [c() for _ in range(n)]

    def at(self, t):
        f = lambda x: x[0] + x[1]*t
        vec = lambda xs: [None] + [f(x) for x in xs]
        return {"v": vec(self.v), "w": vec(self.w), "M": [None] + [vec(row) for row in self.M],
                "p": [None] + self.p, "q": [None] + [[None] + row for row in self.q],
                "ra": vec(self.ra), "rb": [None] + [vec(row) for row in self.rb],
                "cy": [None] + [k*(1 + t) for k in self.ck], "cz": [None] + [[None, k, 2*k + t] for k in self.ck],
                "n": self.n, "t": t}

    def text(self):
        f = lambda x: "%r + %r*time" % x
        vec = lambda xs: "{%s}" % ", ".join(map(f, xs))
        return """  parameter Integer n = %d;
  constant Integer p[%d] = {%s};
  parameter Integer q[n, n] = {%s} annotation(Evaluate = true);
  Real v[n] = %s, w[n] = %s, M[n, n] = {%s};
  record R Real a; Real b[2]; end R;
  R r[n] = {%s};
  model C parameter Real k = 1; Real y = k*(1 + time); Real z[2] = {k, 2*k + time}; end C;
  C c[n](k = {%s});
  function total input Real x[:]; output Real y = 0; algorithm
    for i in 1:size(x, 1) loop y := y + i*x[i]; end for; end total;
  function turned input Real x[:]; output Real y[size(x, 1)]; algorithm
    for i in 1:size(x, 1) loop y[i] := x[end + 1 - i]; end for; end turned;
""" % (self.n, self.n, ", ".join(map(str, self.p)),
            ", ".join("{%s}" % ", ".join(map(str, row)) for row in self.q),
            vec(self.v), vec(self.w), ", ".join(vec(row) for row in self.M),
            ", ".join("R(%s, %s)" % (f(a), vec(b)) for a, b in zip(self.ra, self.rb)),
            ", ".join(map(str, self.ck)))


class Maker:
    """Expressions as (text, function of an environment); counters are in the environment by name."""

    def __init__(self, rng, known):
        self.rng, self.known, self.inner = rng, known, 0

    def subscript(self, counters, depth=2):
        """An Integer in 1..n if all counters are."""
        rng = self.rng
        if not counters or rng.random() < 0.08:
            k = rng.randint(1, 2)
            return (str(k), lambda e: k) if rng.random() < 0.6 else ("end", lambda e: e["n"])
        i = rng.choice(counters)
        j = rng.choice(counters)
        a = lambda e: e[i]
        form = rng.randrange(11 if depth else 5)
        if form <= 1:
            return i, a
        if form == 2:
            return "n + 1 - %s" % i, lambda e: e["n"] + 1 - e[i]
        if form == 3:
            return "p[%s]" % i, lambda e: e["p"][e[i]]
        if form == 4:
            return "mod(%s, n) + 1" % i, lambda e: e[i] % e["n"] + 1
        if form == 5:
            return "max(%s - 1, 1)" % i, lambda e: max(e[i] - 1, 1)
        if form == 6:
            return "min(%s + 1, n)" % i, lambda e: min(e[i] + 1, e["n"])
        if form == 7:
            return "div(%s + 1, 2)" % i, lambda e: (e[i] + 1)//2
        if form == 8:
            return "q[%s, %s]" % (i, j), lambda e: e["q"][e[i]][e[j]]
        c, x, y = self.condition(counters), self.subscript(counters, 0), self.subscript(counters, 0)
        return "if %s then %s else %s" % (c[0], x[0], y[0]), lambda e: x[1](e) if c[1](e) else y[1](e)

    def condition(self, counters):
        rng = self.rng
        i, j = rng.choice(counters), rng.choice(counters)
        k = rng.randint(1, 3)
        forms = [("%s == %s" % (i, j), lambda e: e[i] == e[j]), ("%s < %s" % (i, j), lambda e: e[i] < e[j]),
                 ("%s >= %s" % (i, j), lambda e: e[i] >= e[j]), ("%s == %d" % (i, k), lambda e: e[i] == k),
                 ("%s > 1" % i, lambda e: e[i] > 1), ("%s < n" % i, lambda e: e[i] < e["n"]),
                 ("mod(%s, 2) == 0" % i, lambda e: e[i] % 2 == 0),
                 ("%s + %s <= n" % (i, j), lambda e: e[i] + e[j] <= e["n"])]
        c = rng.choice(forms)
        if rng.random() < 0.2:
            d = rng.choice(forms)
            return "(%s) and not %s > 2" % (c[0], i), lambda e: c[1](e) and not e[i] > 2
        return c

    def number(self, counters, depth):
        rng = self.rng
        if depth <= 0:
            return self.leaf(counters)
        form = rng.randrange(13)
        if form <= 1:
            return self.leaf(counters)
        if form <= 4:
            a, b = self.number(counters, depth - 1), self.number(counters, depth - 1)
            op = rng.choice("+-*")
            f = {"+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x*y}[op]
            return "(%s %s %s)" % (a[0], op, b[0]), lambda e: f(a[1](e), b[1](e))
        if form == 5 and counters:
            c, a, b = self.condition(counters), self.number(counters, depth - 1), self.number(counters, depth - 1)
            return "(if %s then %s else %s)" % (c[0], a[0], b[0]), lambda e: a[1](e) if c[1](e) else b[1](e)
        if form == 6 and counters:
            i = rng.choice(counters)
            a = rng.choice([("(if %s > 1 then v[%s - 1] else 0.5)" % (i, i), lambda e: e["v"][e[i] - 1] if e[i] > 1 else 0.5),
                            ("(if %s < n then w[%s + 1] else v[1])" % (i, i),
                             lambda e: e["w"][e[i] + 1] if e[i] < e["n"] else e["v"][1])])
            return a
        if form == 7:
            return self.over(counters, depth)
        if form <= 9:
            return self.part(counters)
        if form == 10 and len(counters) > 1:
            i, j = counters[:2]
            a = self.number(counters, depth - 1)
            return "(%s/(1 + abs(%s - %s)))" % (a[0], i, j), lambda e: a[1](e)/(1 + abs(e[i] - e[j]))
        a = self.number(counters, depth - 1)
        return "total({%s, 2})" % a[0], lambda e: a[1](e) + 4

    def leaf(self, counters):
        rng = self.rng
        s = self.subscript(counters)
        form = rng.randrange(10)
        if form <= 2:
            name = rng.choice("vw")
            return "%s[%s]" % (name, s[0]), lambda e: e[name][s[1](e)]
        if form == 3:
            u = self.subscript(counters)
            return "M[%s, %s]" % (s[0], u[0]), lambda e: e["M"][s[1](e)][u[1](e)]
        if form == 4:
            return "r[%s].a" % s[0], lambda e: e["ra"][s[1](e)]
        if form == 5:
            k = rng.randint(1, 2)
            return "r[%s].b[%d]" % (s[0], k), lambda e: e["rb"][s[1](e)][k]
        if form == 6:
            return "c[%s].y" % s[0], lambda e: e["cy"][s[1](e)]
        if form == 7:
            return "c[%s].z[2]" % s[0], lambda e: e["cz"][s[1](e)][2]
        if form == 8 and counters:
            i = rng.choice(counters)
            return i, lambda e: float(e[i])
        if self.known:
            name, value = rng.choice(self.known)
            return "%s[%s]" % (name, s[0]), lambda e: e[name][s[1](e)]
        x = round(rng.uniform(0.1, 2), 1)
        return str(x), lambda e: x

    def over(self, counters, depth):
        """A reduction whose range may depend on a counter."""
        rng = self.rng
        k = "k%d" % self.inner
        self.inner += 1
        bounds = [("1:n", lambda e: range(1, e["n"] + 1)), ("2:n", lambda e: range(2, e["n"] + 1))]
        if counters:
            i = rng.choice(counters)
            bounds += [("1:%s" % i, lambda e: range(1, e[i] + 1)), ("%s:n" % i, lambda e: range(e[i], e["n"] + 1)),
                       ("1:%s - 1" % i, lambda e: range(1, e[i]))]
        text, values = rng.choice(bounds)
        body = self.number(counters + [k], depth - 1)
        name = rng.choice(["sum", "sum", "max", "min"])
        if name != "sum" and "- 1" in text:
            name = "sum"
        f = {"sum": sum, "max": max, "min": min}[name]
        return ("%s(%s for %s in %s)" % (name, body[0], k, text),
                lambda e: f([body[1]({**e, k: x}) for x in values(e)]))

    def part(self, counters):
        """Of a slice whose ends may depend on a counter."""
        rng = self.rng
        ranges = [("1:n", lambda e: (1, e["n"])), (":", lambda e: (1, e["n"])), ("2:end", lambda e: (2, e["n"]))]
        if counters:
            i = rng.choice(counters)
            ranges += [("1:%s" % i, lambda e: (1, e[i])), ("%s:n" % i, lambda e: (e[i], e["n"])),
                       ("%s:end" % i, lambda e: (e[i], e["n"]))]*2
        text, ends = rng.choice(ranges)

        def cut(xs, e):
            a, b = ends(e)
            return xs[a:b + 1]
        s = self.subscript(counters)
        form = rng.randrange(9)
        if form == 0:
            return "sum(v[%s])" % text, lambda e: sum(cut(e["v"], e))
        if form == 1:
            return "max(w[%s])" % text, lambda e: max(cut(e["w"], e))
        if form == 2:
            return "v[%s]*w[%s]" % (text, text), lambda e: sum(a*b for a, b in zip(cut(e["v"], e), cut(e["w"], e)))
        if form == 3:
            return "sum(M[%s, %s])" % (s[0], text), lambda e: sum(cut(e["M"][s[1](e)], e))
        if form == 4:
            return "sum(M[%s, %s])" % (text, s[0]), lambda e: sum(row[s[1](e)] for row in cut(e["M"], e))
        if form == 5:
            return "sum(r[%s].a)" % text, lambda e: sum(cut(e["ra"], e))
        if form == 6:
            return "sum(c[%s].y)" % text, lambda e: sum(cut(e["cy"], e))
        if form == 7:
            return "total(v[%s])" % text, lambda e: sum((k + 1)*x for k, x in enumerate(cut(e["v"], e)))
        return "sum(c.z[2])", lambda e: sum(x[2] for x in e["cz"][1:])


class Target:
    """name; declaration, equations or algorithm as text; value(env): list with None in front."""

    def __init__(self, name, declaration, equation="", algorithm="", value=None, fields=None, dims=1):
        self.name, self.declaration, self.equation, self.algorithm = name, declaration, equation, algorithm
        self.value, self.fields, self.dims = value, fields, dims


def vector_of(f, n):
    return [None] + [f(i) for i in range(1, n + 1)]


def make_target(rng, k, known, n):
    m, name = Maker(rng, known), "t%d" % k
    form = rng.randrange(17)
    d = rng.choice([1, 1, 2, 2, 3])
    one = lambda e, body, i: body[1]({**e, "i": i})
    two = lambda e, body, i, j: body[1]({**e, "i": i, "j": j})
    grid = lambda e, f: vector_of(lambda i: vector_of(lambda j: f(i, j), n), n)
    if form <= 1:
        b = m.number(["i"], d)
        return Target(name, "Real %s[n];" % name, "  for i in 1:n loop %s[i] = %s; end for;" % (name, b[0]),
                      value=lambda e: vector_of(lambda i: one(e, b, i), n))
    if form <= 4:
        b = m.number(["i", "j"], d)
        loop = rng.choice(["  for i in 1:n loop for j in 1:n loop %s[i, j] = %s; end for; end for;",
                           "  for i in 1:n, j in 1:n loop %s[i, j] = %s; end for;",
                           "  for j in n:-1:1 loop for i in 1:n loop %s[i, j] = %s; end for; end for;"])
        return Target(name, "Real %s[n, n];" % name, loop % (name, b[0]), dims=2,
                      value=lambda e: grid(e, lambda i, j: two(e, b, i, j)))
    if form == 5:
        a, b = m.number(["i", "j"], d), m.number(["i", "j"], d)
        return Target(name, "Real %s[n, n];" % name,
                      "  for i in 1:n loop\n    for j in 1:i loop %s[i, j] = %s; end for;\n"
                      "    for j in i + 1:n loop %s[i, j] = %s; end for;\n  end for;" % (name, a[0], name, b[0]),
                      dims=2, value=lambda e: grid(e, lambda i, j: two(e, a if j <= i else b, i, j)))
    if form <= 7:
        c, a, b = m.condition(["i", "j"]), m.number(["i", "j"], d), m.number(["i", "j"], d)
        return Target(name, "Real %s[n, n];" % name,
                      "  for i in 1:n loop for j in 1:n loop\n    if %s then %s[i, j] = %s;\n"
                      "    else %s[i, j] = %s; end if;\n  end for; end for;" % (c[0], name, a[0], name, b[0]), dims=2,
                      value=lambda e: grid(e, lambda i, j: two(e, a if c[1]({**e, "i": i, "j": j}) else b, i, j)))
    if form == 8:
        a, b, c = m.number(["i"], d), m.number(["i"], d), m.number(["i"], d)
        return Target(name, "Real %s[n], %su[n];" % (name, name),
                      "  for i in 1:n loop\n    if i == 1 then %s[i] = %s; %su[i] = 1;\n    elseif i == n then %s[i] = %s; "
                      "%su[i] = 2;\n    else %s[i] = %s; %su[i] = 3; end if;\n  end for;" %
                      (name, a[0], name, name, b[0], name, name, c[0], name),
                      value=lambda e: vector_of(lambda i: one(e, a if i == 1 else b if i == n else c, i), n))
    if form == 9:
        b = m.number(["i"], d)
        return Target(name, "Real %s[n] = {%s for i in 1:n};" % (name, b[0]),
                      value=lambda e: vector_of(lambda i: one(e, b, i), n))
    if form == 10:
        b = m.number(["i", "j"], d)
        return Target(name, "Real %s[n, n] = {%s for j in 1:n, i in 1:n};" % (name, b[0]), dims=2,
                      value=lambda e: grid(e, lambda i, j: two(e, b, i, j)))
    if form == 11:
        a, b = m.number([], d), m.number(["i"], d)

        def steps(e):
            x = [None, a[1](e)]
            for i in range(2, n + 1):
                x.append(0.5*x[i - 1] + one(e, b, i))
            return x
        return Target(name, "Real %s[n];" % name, "  %s[1] = %s;\n  for i in 2:n loop %s[i] = 0.5*%s[i - 1] + %s; end for;" %
                      (name, a[0], name, name, b[0]), value=steps)
    if form == 12:
        a, b = m.number(["i"], d), m.number(["i", "j"], 1)

        def run(e):
            x = vector_of(lambda i: one(e, a, i), n)
            for i in range(1, n + 1):
                for j in range(1, i + 1):
                    if j == 3:
                        break
                    x[i] += two(e, b, i, j)
            return x
        return Target(name, "Real %s[n];" % name, "",
                      "algorithm\n  for i in 1:n loop\n    %s[i] := %s;\n    for j in 1:i loop\n      if j == 3 then break; "
                      "end if;\n      %s[i] := %s[i] + %s;\n    end for;\n  end for;" % (name, a[0], name, name, b[0]), run)
    if form == 13:
        a, b, c = m.number(["i"], d), m.number(["i"], 1), m.number(["i"], 1)
        whole = rng.random() < 0.5
        text = ("%s[i] = R(%s, {%s, %s});" % (name, a[0], b[0], c[0]) if whole else
                "%s[i].a = %s; %s[i].b[1] = %s; %s[i].b[2] = %s;" % (name, a[0], name, b[0], name, c[0]))
        return Target(name, "R %s[n];" % name, "  for i in 1:n loop %s end for;" % text, fields=("a", "b"),
                      value=lambda e: vector_of(lambda i: (one(e, a, i), [None, one(e, b, i), one(e, c, i)]), n))
    if form == 14:
        h = rng.randint(1, n - 1)
        a, b = m.number(["i"], d), m.number([], d)
        return Target(name, "Real %s[n];" % name,
                      "  %s[1:%d] = {%s for i in 1:%d};\n  %s[%d:n] = fill(%s, n - %d);" %
                      (name, h, a[0], h, name, h + 1, b[0], h),
                      value=lambda e: vector_of(lambda i: one(e, a, i) if i <= h else b[1](e), n))
    if form == 15:
        b = m.number(["i"], d)
        return Target(name, "Real %s[n] = turned({%s for i in 1:n});" % (name, b[0]),
                      value=lambda e: vector_of(lambda i: one(e, b, n + 1 - i), n))
    a, b = m.number(["i"], d), m.number(["i"], d)
    return Target(name, "Real %s[n](each start = 0);" % name,
                  "  for i in 1:n loop\n    %s[i] - %s = if time < 2 then %s else %s; end for;" %
                  (name, "0.25*%s[i]" % name, a[0], b[0]),
                  value=lambda e: vector_of(lambda i: one(e, a, i)/0.75, n))


def make_model(seed):
    rng = random.Random(seed)
    n = rng.randint(2, 6)
    world, targets, known = World(rng, n), [], []
    for k in range(rng.randint(2, 6)):
        t = make_target(rng, k, list(known), n)
        targets.append(t)
        if t.dims == 1 and not t.fields:
            known.append((t.name, t.value))
    text = "model Loops\n" + world.text()
    text += "".join("  %s\n" % t.declaration for t in targets)
    text += "equation\n" + "".join("%s\n" % t.equation for t in targets if t.equation)
    text += "".join("%s\n" % t.algorithm for t in targets if t.algorithm) + "end Loops;\n"
    wanted = []
    for time in TIMES:
        e, values = world.at(time), {}
        for t in targets:
            x = t.value(e)
            e[t.name] = x
            for i in range(1, n + 1):
                if t.fields:
                    values["%s[%d].a" % (t.name, i)] = x[i][0]
                    values["%s[%d].b[1]" % (t.name, i)] = x[i][1][1]
                    values["%s[%d].b[2]" % (t.name, i)] = x[i][1][2]
                elif t.dims == 1:
                    values["%s[%d]" % (t.name, i)] = x[i]
                else:
                    for j in range(1, n + 1):
                        values["%s[%d,%d]" % (t.name, i, j)] = x[i][j]
        wanted.append(values)
    return text, wanted


def problems(rubato, path, tier, wanted):
    try:
        p = subprocess.run([rubato, "simulate", path, "--no-cache", "--quiet", "--tier", tier, "--stop", "0.5",
                            "--intervals", "1", "--output", "-"], capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return ["time limit"]
    if p.returncode:
        return ["exit status %d: %s" % (p.returncode, p.stderr[:700])]
    rows = list(csv.reader(io.StringIO(p.stdout)))
    found = []
    for row, values in ((rows[1], wanted[0]), (rows[-1], wanted[1])):
        result = dict(zip(rows[0], row))
        for name, value in values.items():
            if name not in result:
                found.append("%s is not in the result" % name)
            elif not abs(float(result[name]) - value) <= 1e-8*(1 + abs(value)):
                found.append("%s(%s) is %s, not %.12g" % (name, row[0], result[name], value))
    return found


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("rubato")
    p.add_argument("--count", type=int, default=200)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--tier", default="0")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--keep", default="")
    p.add_argument("--most", type=int, default=20, help="models to print")
    options = p.parse_args()
    if options.keep:
        os.makedirs(options.keep, exist_ok=True)
    wrong = 0
    with tempfile.TemporaryDirectory() as tmp:

        def run(k):
            seed = options.seed*1000003 + k
            try:
                text, wanted = make_model(seed)
            except OverflowError:
                return None
            path = os.path.join(tmp, "loops%d.mo" % seed)
            with open(path, "w") as f:
                f.write(text)
            found = problems(options.rubato, path, options.tier, wanted)
            if found and options.keep:
                with open(os.path.join(options.keep, "loops%d.mo" % seed), "w") as f:
                    f.write(text)
            os.remove(path)
            return seed, found
        with ThreadPoolExecutor(options.jobs) as pool:
            for result in pool.map(run, range(options.count)):
                if not result or not result[1]:
                    continue
                wrong += 1
                if wrong <= options.most:
                    print("seed %d: %s" % (result[0], "\n  ".join(result[1][:4])), flush=True)
    print("%d models, %d wrong" % (options.count, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
