#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One meaning for one text: random expressions, evaluated in every way there is, and by Python.

  tools/values.py RUBATO [--count N] [--seed S] [--batch N] [--tiers 0,1] [--keep DIR]

An expression of a random type is made of the built-in operators and functions. Models compute it
  C  as a constant, interpreted while translating      G  the same through a function
  L  with literals, folded while translating
  B  as a parameter                                    F  through a function
  V  as a variable, of values that vary in time        I  through a function that is inlined
  A  in an algorithm section                           D, E  its derivative, and that of F
with the code of libtcc (tier 0) and of cc -O3 (tier 1). Nine tenths of the time go into cc, most of them into functions:
with cc a case goes through F or through A, in turn. The oracle below computes value and
derivative with an estimate of rounding; a case in which a relation or a step is decided by rounding
is left out. Every disagreement is printed with the case; the exit status is then 1. A failing
case is kept as a model in DIR.
"""
import argparse
import csv
import io
import math
import os
import random
import subprocess
import sys
import tempfile

EPS = 2.3e-16


class Leave(Exception):
    """The case is not defined, or decided by rounding."""


# ---- numbers with derivative along the time and estimates of rounding -------------------------

class Num:
    __slots__ = "v", "d", "e", "f", "c"

    def __init__(self, v, d=0.0, e=0.0, f=0.0, c=False):
        if not math.isfinite(v) or abs(v) > 1e7 or not math.isfinite(d) or abs(d) > 1e9:
            raise Leave
        self.v, self.d = float(v), float(d)
        self.e = e + EPS*abs(v)  # error of the value
        self.f = f + EPS*abs(d)  # error of the derivative
        self.c = c               # varies continuously


def num(x):
    return x if isinstance(x, Num) else Num(x)


def add(a, b):
    a, b = num(a), num(b)
    return Num(a.v + b.v, a.d + b.d, a.e + b.e, a.f + b.f, a.c or b.c)


def neg(a):
    a = num(a)
    return Num(-a.v, -a.d, a.e, a.f, a.c)


def sub(a, b):
    return add(a, neg(b))


def mul(a, b):
    a, b = num(a), num(b)
    return Num(a.v*b.v, a.d*b.v + a.v*b.d, abs(a.v)*b.e + abs(b.v)*a.e,
               abs(a.d)*b.e + abs(b.v)*a.f + abs(a.v)*b.f + abs(b.d)*a.e
               + EPS*(abs(a.d*b.v) + abs(a.v*b.d)), a.c or b.c)


def div(a, b):
    a, b = num(a), num(b)
    if abs(b.v) < 1e-2:
        raise Leave
    return mul(a, chain(b, 1/b.v, -1/b.v**2, 2/b.v**3))


def chain(a, v, d1, d2):
    """f(a) from the values of f, f', f''."""
    a = num(a)
    return Num(v, d1*a.d, abs(d1)*a.e, abs(d1)*a.f + abs(d2*a.d)*a.e + EPS*abs(d1*a.d), a.c)


def power(a, b):
    a, b = num(a), num(b)
    if abs(b.v) > 6 or abs(a.v) > 50 or (abs(a.v) < 1e-2 and (b.c or b.v < 2 or a.c)):
        raise Leave
    if b.c:
        if a.v < 1e-2:
            raise Leave
        return exp_(mul(b, log_(a)))
    n = round(b.v)
    if a.v < 0 and (abs(b.v - n) > 0 or b.e > 1e-13):
        raise Leave
    if a.v <= 0 and b.v != n:
        raise Leave
    p = lambda k: math.pow(a.v, b.v - k) if a.v or b.v - k >= 0 else 0.0
    r = chain(a, p(0), b.v*p(1), b.v*(b.v - 1)*p(2))
    r.e += abs(r.v*math.log(abs(a.v) or 1))*b.e + 4*EPS*abs(r.v)
    r.f += 8*EPS*abs(r.d) + abs(r.d)*b.e*10
    return r


def exp_(a):
    if abs(num(a).v) > 12:
        raise Leave
    x = math.exp(num(a).v)
    return chain(a, x, x, x)


def log_(a):
    v = num(a).v
    if v < 1e-2:
        raise Leave
    return chain(a, math.log(v), 1/v, -1/v**2)


def one(name, a):
    """A function of the C library."""
    v = num(a).v
    if name == "exp":
        return exp_(a)
    if name == "log":
        return log_(a)
    if name == "log10":
        return mul(log_(a), 1/math.log(10))
    if name == "sqrt":
        if v < 1e-2:
            raise Leave
        return chain(a, math.sqrt(v), 0.5/math.sqrt(v), -0.25/v**1.5)
    if name == "sin":
        return chain(a, math.sin(v), math.cos(v), -math.sin(v))
    if name == "cos":
        return chain(a, math.cos(v), -math.sin(v), -math.cos(v))
    if name == "tan":
        t, c = math.tan(v), math.cos(v)
        if abs(c) < 0.1:
            raise Leave
        return chain(a, t, 1 + t*t, 2*t*(1 + t*t))
    if name in ("asin", "acos"):
        if abs(v) > 0.99:
            raise Leave
        w, s = 1 - v*v, 1 if name == "asin" else -1
        return chain(a, getattr(math, name)(v), s/math.sqrt(w), s*v/w**1.5)
    if name == "atan":
        return chain(a, math.atan(v), 1/(1 + v*v), -2*v/(1 + v*v)**2)
    if abs(v) > 12:
        raise Leave
    s, c, t = math.sinh(v), math.cosh(v), math.tanh(v)
    if name == "sinh":
        return chain(a, s, c, s)
    if name == "cosh":
        return chain(a, c, s, c)
    return chain(a, t, 1 - t*t, -2*t*(1 - t*t))


def atan2_(a, b):
    a, b = num(a), num(b)
    r = a.v**2 + b.v**2
    if r < 1e-2 or (b.v < 0 and abs(a.v) < 1e-6):
        raise Leave
    return Num(math.atan2(a.v, b.v), (a.d*b.v - a.v*b.d)/r, (a.e + b.e)/math.sqrt(r),
               20*(a.f + b.f + (abs(a.d) + abs(b.d))*(a.e + b.e + EPS))/min(r, r*r), a.c or b.c)


def apart(a, b):
    """a and b differ by more than rounding, or are equal numbers that rounding does not touch."""
    a, b = num(a), num(b)
    if abs(a.v - b.v) <= 1e-9*(1 + abs(a.v) + abs(b.v)):
        raise Leave


def step(a, f):
    """floor and its like."""
    a = num(a)
    whole = a.v == round(a.v) and not a.c and a.e <= EPS*abs(a.v)*2
    if not whole and abs(a.v - round(a.v)) < 1e-9*(1 + abs(a.v)):
        raise Leave
    return f(a.v)


def quotient(a, b, f):
    a, b = num(a), num(b)
    if abs(b.v) < 1e-2:
        raise Leave
    return step(Num(a.v/b.v, 0, a.e/abs(b.v) + abs(a.v)*b.e/b.v**2 + 1e-13, 0, True), f)


def choose(a, b, least):
    a, b = num(a), num(b)
    if abs(a.v - b.v) <= 1e-9*(1 + abs(a.v)):
        raise Leave
    x = a if (a.v < b.v) == least else b
    return Num(x.v, x.d, x.e, x.f, a.c or b.c)


def whole(x):
    if not isinstance(x, int) or abs(x) > 10**6:
        raise Leave
    return x


def trunc_div(a, b):
    if b == 0:
        raise Leave
    q = abs(a)//abs(b)
    return q if (a < 0) == (b < 0) else -q


# ---- expressions: (text, value). In texts <name> is a variable -------------------------------------

LITERALS = ("one", "two", "'three'")
SHAPES = {"R": "Real", "I": "Integer", "B": "Boolean", "S": "String", "E": "E"}


class World:
    """The variables of a case: name -> (type letter, dims, value)."""

    def __init__(self, rng):
        self.var = {}
        real = lambda: round(rng.choice([rng.uniform(-3, 3), rng.uniform(0.1, 2), rng.uniform(-9, 9)]), 3)
        slope = lambda: rng.choice([1.0, -0.5, 2.0, 0.25])
        for k in range(4):
            self.var["r%d" % k] = ("R", (), Num(real() or 0.5, slope(), c=True))
        for k in range(3):
            self.var["i%d" % k] = ("I", (), rng.randint(-4, 7))
        for k in range(2):
            self.var["b%d" % k] = ("B", (), rng.random() < 0.5)
        self.var["e0"] = ("E", (), rng.randint(1, 3))
        self.var["s0"] = ("S", (), rng.choice(["", "a", "ab", "B z", "10"]))
        vec = lambda n: [Num(real() or 1.5, slope(), c=True) for _ in range(n)]
        self.var["v2"] = ("R", (2,), vec(2))
        self.var["v3"] = ("R", (3,), vec(3))
        self.var["w3"] = ("I", (3,), [rng.randint(-3, 5) for _ in range(3)])
        self.var["p3"] = ("B", (3,), [rng.random() < 0.5 for _ in range(3)])
        self.var["m23"] = ("R", (2, 3), [vec(3) for _ in range(2)])
        self.var["m22"] = ("R", (2, 2), [vec(2) for _ in range(2)])
        self.var["k22"] = ("I", (2, 2), [[rng.randint(-3, 3) for _ in range(2)] for _ in range(2)])


def flat(x):
    return [z for y in x for z in flat(y)] if isinstance(x, list) else [x]


class Maker:
    """Random expressions over a world. it: iterators in scope, [(name, value)]."""

    def __init__(self, rng, world):
        self.rng, self.world, self.it = rng, world, []
        self.iterators = 0

    def some(self, kind, dims):
        found = [n for n, (t, d, _) in self.world.var.items() if t == kind and d == dims]
        n = self.rng.choice(found)
        return "<%s>" % n, self.world.var[n][2]

    def cond(self, depth, make):
        """if c then a else b, of a type made by make(depth)."""
        c, a, b = self.boolean(depth - 1), make(depth - 1), make(depth - 1)
        return "(if %s then %s else %s)" % (c[0], a[0], b[0]), self.taken(c[1], a[1], b[1])

    @staticmethod
    def taken(c, a, b):
        x = a if c else b
        if isinstance(x, Num):
            return Num(x.v, x.d, x.e, x.f, a.c or b.c)
        return x

    # -- reductions: text and list of the values of the body
    def over(self, depth, make, values=None):
        rng = self.rng
        name = "j%d" % self.iterators
        self.iterators += 1
        if values is None:
            a = rng.randint(-1, 2)
            n = rng.randint(1, 4)
            s = rng.choice([1, 1, 2])
            values = [a + s*k for k in range(n)]
            text = "%s:%s" % (a, values[-1]) if s == 1 else "%s:%d:%s" % (a, s, values[-1])
        else:
            text = "%d:%d" % (values[0], values[-1])
        state, found, body = rng.getstate(), [], None
        iterators = self.iterators
        for x in values:
            rng.setstate(state)
            self.iterators = iterators
            self.it.append((name, x))
            try:
                e = make(depth - 1)
            finally:
                self.it.pop()
            if body is not None and body != e[0]:
                raise Leave  # the text depended on the value
            body = e[0]
            found.append(e[1])
        return body, "%s in %s" % (name, text), found

    # -- scalars
    def real(self, depth):
        rng = self.rng
        if depth <= 0:
            k = rng.random()
            if k < 0.75:
                return self.some("R", ())
            if k < 0.9:
                x = round(rng.uniform(0.1, 5), 2)
                return repr(x), Num(x)
            return self.integer(0) if rng.random() < 0.5 else self.element("R")
        return rng.choice(self.REAL)(self, depth)

    def two(self, depth):
        return self.number(depth - 1), self.real(depth - 1)

    def number(self, depth):
        return self.integer(depth) if self.rng.random() < 0.25 else self.real(depth)

    def r_add(self, depth):
        a, b = self.two(depth)
        return "(%s + %s)" % (a[0], b[0]), add(a[1], b[1])

    def r_sub(self, depth):
        a, b = self.two(depth)
        return "(%s - %s)" % (a[0], b[0]), sub(a[1], b[1])

    def r_mul(self, depth):
        a, b = self.two(depth)
        return "%s*%s" % (a[0], b[0]) if a[0][0] not in "-" else "(%s)*%s" % (a[0], b[0]), mul(a[1], b[1])

    def r_div(self, depth):
        a, b = self.number(depth - 1), self.number(depth - 1)
        return "(%s/(%s))" % (a[0], b[0]), div(a[1], b[1])

    def r_neg(self, depth):
        a = self.real(depth - 1)
        return "(-%s)" % a[0], neg(a[1])

    def r_pow(self, depth):
        a = self.number(depth - 1)
        if self.rng.random() < 0.7:
            n = self.rng.choice([0, 1, 2, 3, -1, -2, 0.5])
            return "((%s)^(%s))" % (a[0], n), power(a[1], n)
        b = self.number(depth - 1)
        return "((%s)^(%s))" % (a[0], b[0]), power(a[1], b[1])

    def r_one(self, depth):
        name = self.rng.choice(["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
                                "exp", "log", "log10", "sqrt"])
        a = self.number(depth - 1)
        return "%s(%s)" % (name, a[0]), one(name, a[1])

    def r_atan2(self, depth):
        a, b = self.two(depth)
        return "atan2(%s, %s)" % (a[0], b[0]), atan2_(a[1], b[1])

    def r_abs(self, depth):
        a = self.real(depth - 1)
        apart(a[1], 0)
        x = num(a[1])
        return "abs(%s)" % a[0], x if x.v > 0 else neg(x)

    def r_step(self, depth):
        name = self.rng.choice(["floor", "ceil"])
        a = self.number(depth - 1)
        return "%s(%s)" % (name, a[0]), Num(step(a[1], getattr(math, name)))

    def r_quotient(self, depth):
        name = self.rng.choice(["div", "mod", "rem"])
        a, b = self.two(depth)
        x, y = num(a[1]), num(b[1])
        q = quotient(x, y, math.floor if name == "mod" else math.trunc)
        text = "%s(%s, %s)" % (name, a[0], b[0])
        if name == "div":
            return text, Num(q)
        r = sub(x, mul(q, y))
        r.e += 4*EPS*(abs(x.v) + abs(q*y.v))
        return text, r

    def r_extreme(self, depth):
        name = self.rng.choice(["min", "max"])
        a, b = self.two(depth)
        return "%s(%s, %s)" % (name, a[0], b[0]), choose(a[1], b[1], name == "min")

    def r_special(self, depth):
        k, a = self.rng.randrange(4), self.real(depth - 1)
        if k == 0:
            return "noEvent(%s)" % a[0], num(a[1])
        if k == 1:
            return "smooth(1, %s)" % a[0], num(a[1])
        if k == 2:
            b = self.real(depth - 1)
            return "homotopy(%s, %s)" % (a[0], b[0]), Num(num(a[1]).v, num(a[1]).d, num(a[1]).e, num(a[1]).f, True)
        b, c = self.real(depth - 1), self.real(depth - 1)
        apart(a[1], 0)
        x = num(a[1])
        r = mul(x, b[1] if x.v >= 0 else c[1])
        r.c = x.c or num(b[1]).c or num(c[1]).c
        return "semiLinear(%s, %s, %s)" % (a[0], b[0], c[0]), r

    def r_if(self, depth):
        c, a, b = self.boolean(depth - 1), self.number(depth - 1), self.real(depth - 1)
        if self.rng.random() < 0.3:
            d, e = self.boolean(depth - 1), self.real(depth - 1)
            x = num(a[1]) if c[1] else num(e[1]) if d[1] else num(b[1])
            cont = num(a[1]).c or num(b[1]).c or num(e[1]).c
            return ("(if %s then %s elseif %s then %s else %s)" % (c[0], a[0], d[0], e[0], b[0]),
                    Num(x.v, x.d, x.e, x.f, cont))
        return "(if %s then %s else %s)" % (c[0], a[0], b[0]), self.taken(c[1], num(a[1]), num(b[1]))

    def r_total(self, depth):
        name = self.rng.choice(["sum", "product", "min", "max"])
        if self.rng.random() < 0.5:
            a = self.vector("R", self.rng.choice([2, 3]), depth - 1)
        else:
            a = self.matrix("R", 2, self.rng.choice([2, 3]), depth - 1)
        return "%s(%s)" % (name, a[0]), self.total(name, flat(a[1]))

    @staticmethod
    def total(name, values):
        r = values[0]
        for x in values[1:]:
            if isinstance(r, Num) or isinstance(x, Num):
                r = (add(r, x) if name == "sum" else mul(r, x) if name == "product"
                     else choose(r, x, name == "min"))
            else:
                r = whole(r + x if name == "sum" else r*x if name == "product"
                          else min(r, x) if name == "min" else max(r, x))
        return r

    def r_reduce(self, depth):
        name = self.rng.choice(["sum", "product", "min", "max"])
        body, it, values = self.over(depth, self.real)
        return "%s(%s for %s)" % (name, body, it), self.total(name, [num(x) for x in values])

    def r_dot(self, depth):
        n = self.rng.choice([2, 3])
        a, b = self.vector("R", n, depth - 1), self.vector("R", n, depth - 1)
        return "((%s)*(%s))" % (a[0], b[0]), self.total("sum", [mul(x, y) for x, y in zip(a[1], b[1])])

    def element(self, kind):
        n = self.rng.choice([x for x, (t, d, _) in self.world.var.items() if t == kind and d])
        _, dims, value = self.world.var[n]
        at = [self.rng.randint(1, d) for d in dims]
        for k in at:
            value = value[k - 1]
        return "<%s>[%s]" % (n, ", ".join(map(str, at))), value

    def r_element(self, depth):
        if self.rng.random() < 0.5:
            return self.element("R")
        n = self.rng.choice([2, 3])
        a, k = self.vector("R", n, depth - 1), self.integer(depth - 1)
        if not 1 <= k[1] <= n:
            k = (str(self.rng.randint(1, n)),) * 2
            k = (k[0], int(k[0]))
        return "(%s)[%s]" % (a[0], k[0]), a[1][k[1] - 1]

    def r_record(self, depth):
        a, i, v = self.real(depth - 1), self.integer(depth - 1), self.vector("R", 2, depth - 1)
        value = sub(add(a[1], 2*i[1]), v[1][1])
        return "pick(Rec(%s, %s, %s))" % (a[0], i[0], v[0]), value

    def r_call(self, depth):
        n = self.rng.choice([2, 3])
        a, v = self.real(depth - 1), self.vector("R", n, depth - 1)
        s = Num(0)
        for k, x in enumerate(v[1]):
            s = add(s, mul(k + 1, x))
        return "weigh(%s, %s)" % (v[0], a[0]), add(s, a[1])

    REAL = [r_add, r_add, r_sub, r_sub, r_mul, r_mul, r_div, r_neg, r_pow] + [r_one]*8 + [r_atan2,
            r_abs, r_step, r_quotient, r_extreme, r_special, r_if, r_if, r_total, r_reduce, r_dot,
            r_element, r_record, r_call]

    def integer(self, depth):
        rng = self.rng
        if depth <= 0:
            if self.it and rng.random() < 0.6:
                k = rng.randrange(len(self.it))
                return self.it[k]
            if rng.random() < 0.7:
                return self.some("I", ())
            x = rng.randint(0, 6)
            return str(x), x
        e = rng.choice(self.INTEGER)(self, depth)
        return e[0], whole(e[1])

    def pair(self, depth):
        return self.integer(depth - 1), self.integer(depth - 1)

    def i_plain(self, depth):
        a, b = self.pair(depth)
        op = self.rng.choice("+-*")
        value = a[1] + b[1] if op == "+" else a[1] - b[1] if op == "-" else a[1]*b[1]
        return "((%s) %s (%s))" % (a[0], op, b[0]), value

    def i_neg(self, depth):
        a = self.integer(depth - 1)
        return "(-(%s))" % a[0], -a[1]

    def i_quotient(self, depth):
        a, b = self.pair(depth)
        name = self.rng.choice(["div", "mod", "rem"])
        q = trunc_div(a[1], b[1])
        value = q if name == "div" else a[1] - q*b[1] if name == "rem" else a[1] % b[1]
        return "%s(%s, %s)" % (name, a[0], b[0]), value

    def i_one(self, depth):
        name = self.rng.choice(["abs", "sign"])
        a = self.integer(depth - 1)
        return "%s(%s)" % (name, a[0]), abs(a[1]) if name == "abs" else (a[1] > 0) - (a[1] < 0)

    def i_of_real(self, depth):
        a = self.real(depth - 1)
        if self.rng.random() < 0.3:
            apart(a[1], 0)
            return "sign(%s)" % a[0], 1 if num(a[1]).v > 0 else -1
        return "integer(%s)" % a[0], int(step(a[1], math.floor))

    def i_extreme(self, depth):
        a, b = self.pair(depth)
        name = self.rng.choice(["min", "max"])
        return "%s(%s, %s)" % (name, a[0], b[0]), (min if name == "min" else max)(a[1], b[1])

    def i_if(self, depth):
        return self.cond(depth, self.integer)

    def i_enum(self, depth):
        a = self.enum(depth - 1)
        return "Integer(%s)" % a[0], a[1]

    def i_size(self, depth):
        if self.rng.random() < 0.3:
            a = self.matrix("R", 2, 3, 0)
            return "ndims(%s)" % a[0], 2
        n = self.rng.choice([2, 3])
        a = self.matrix("R", n, 2, depth - 1) if self.rng.random() < 0.5 else self.vector("R", n, depth - 1)
        return "size(%s, 1)" % a[0], n

    def i_total(self, depth):
        name = self.rng.choice(["sum", "product", "min", "max"])
        a = (self.vector("I", self.rng.choice([2, 3]), depth - 1) if self.rng.random() < 0.6
             else self.matrix("I", 2, 2, depth - 1))
        return "%s(%s)" % (name, a[0]), self.total(name, flat(a[1]))

    def i_range(self, depth):
        a, n, s = self.integer(0), self.rng.randint(0, 5), self.rng.choice([1, 2, 3, -1, -2])
        to = a[1] + s*n
        values = list(range(a[1], to + (1 if s > 0 else -1), s))
        if s == 1:
            return "sum((%s):(%s + %d))" % (a[0], a[0], n), sum(values)
        return "sum((%s):(%d):(%s + (%d)))" % (a[0], s, a[0], s*n), sum(values)

    def i_reduce(self, depth):
        name = self.rng.choice(["sum", "product", "min", "max"])
        body, it, values = self.over(depth, self.integer)
        return "%s(%s for %s)" % (name, body, it), self.total(name, values)

    def i_dot(self, depth):
        a, b = self.vector("I", 3, depth - 1), self.vector("I", 3, depth - 1)
        return "((%s)*(%s))" % (a[0], b[0]), sum(x*y for x, y in zip(a[1], b[1]))

    def i_element(self, depth):
        return self.element("I")

    INTEGER = [i_plain, i_plain, i_plain, i_neg, i_quotient, i_quotient, i_one, i_of_real, i_extreme, i_if,
               i_enum, i_size, i_total, i_range, i_reduce, i_dot, i_element]

    def boolean(self, depth):
        if depth <= 0:
            k = self.rng.random()
            if k < 0.6:
                return self.some("B", ())
            return ("true", True) if k < 0.7 else ("false", False) if k < 0.8 else self.element("B")
        return self.rng.choice(self.BOOLEAN)(self, depth)

    def compared(self, a, b, op):
        return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "<>": a != b}[op]

    def b_real(self, depth):
        a, b = self.two(depth)
        apart(a[1], b[1])
        op = self.rng.choice(["<", "<=", ">", ">="])
        return "(%s %s %s)" % (a[0], op, b[0]), self.compared(num(a[1]).v, num(b[1]).v, op)

    def b_integer(self, depth):
        a, b = self.pair(depth)
        op = self.rng.choice(["<", "<=", ">", ">=", "==", "<>"])
        return "((%s) %s (%s))" % (a[0], op, b[0]), self.compared(a[1], b[1], op)

    def b_enum(self, depth):
        a, b = self.enum(depth - 1), self.enum(depth - 1)
        op = self.rng.choice(["<", "<=", ">", ">=", "==", "<>"])
        return "(%s %s %s)" % (a[0], op, b[0]), self.compared(a[1], b[1], op)

    def b_string(self, depth):
        a, b = self.string(depth - 1), self.string(depth - 1)
        op = self.rng.choice(["<", "<=", ">", ">=", "==", "<>"])
        return "(%s %s %s)" % (a[0], op, b[0]), self.compared(a[1], b[1], op)

    def b_boolean(self, depth):
        a, b = self.boolean(depth - 1), self.boolean(depth - 1)
        op = self.rng.choice(["<", "<=", ">", ">=", "==", "<>"])
        return "(%s %s %s)" % (a[0], op, b[0]), self.compared(a[1], b[1], op)

    def b_logic(self, depth):
        a, b = self.boolean(depth - 1), self.boolean(depth - 1)
        op = self.rng.choice(["and", "or"])
        return "(%s %s %s)" % (a[0], op, b[0]), (a[1] and b[1]) if op == "and" else (a[1] or b[1])

    def b_not(self, depth):
        a = self.boolean(depth - 1)
        return "(not %s)" % a[0], not a[1]

    def b_if(self, depth):
        return self.cond(depth, self.boolean)

    def b_total(self, depth):
        name = self.rng.choice(["min", "max"])
        a = self.vector("B", 3, depth - 1)
        return "%s(%s)" % (name, a[0]), (all if name == "min" else any)(a[1])

    BOOLEAN = [b_real, b_real, b_integer, b_integer, b_enum, b_string, b_boolean, b_logic, b_logic, b_not,
               b_if, b_total]

    def enum(self, depth):
        k = self.rng.random()
        if depth <= 0 or k < 0.4:
            if self.rng.random() < 0.6:
                return self.some("E", ())
            n = self.rng.randint(1, 3)
            return "E.%s" % LITERALS[n - 1], n
        if k < 0.6:
            a = self.integer(depth - 1)
            return "E(mod(%s, 3) + 1)" % a[0], a[1] % 3 + 1
        if k < 0.8:
            a, b = self.enum(depth - 1), self.enum(depth - 1)
            name = self.rng.choice(["min", "max"])
            return "%s(%s, %s)" % (name, a[0], b[0]), (min if name == "min" else max)(a[1], b[1])
        return self.cond(depth, self.enum)

    def string(self, depth):
        rng, k = self.rng, self.rng.randrange(9)
        if depth <= 0 or k == 0:
            if rng.random() < 0.6:
                return self.some("S", ())
            s = rng.choice(["", "a", "b z", "10", "B"])
            return '"%s"' % s, s
        if k <= 2:
            a, b = self.string(depth - 1), self.string(depth - 1)
            return "(%s + %s)" % (a[0], b[0]), a[1] + b[1]
        if k == 3:
            return self.cond(depth, self.string)
        width, left = rng.choice([0, 3, 9]), rng.random() < 0.5
        if k == 4:
            a, text = self.integer(depth - 1), None
            text, args = str(a[1]), ""
        elif k == 5:
            a = self.boolean(depth - 1)
            text, args = "true" if a[1] else "false", ""
        elif k == 6:
            a = self.enum(depth - 1)
            text, args = LITERALS[a[1] - 1], ""
        else:
            a, digits = self.real(depth - 1), rng.randint(2, 6)
            x = num(a[1])
            for r in (x.v - 4*x.e - 1e-15, x.v + 4*x.e + 1e-15):
                if "%.*g" % (digits, r) != "%.*g" % (digits, x.v):
                    raise Leave
            if k == 8:
                form = rng.choice(["%d.%df" % (digits + 4, digits), ".%de" % digits, "g", "-12.3f"])
                text = ("%" + form) % x.v
                for r in (x.v - 4*x.e - 1e-15, x.v + 4*x.e + 1e-15):
                    if ("%" + form) % r != text:
                        raise Leave
                if isinstance(a[1], Num) is False:
                    raise Leave
                return 'String(%s + 0.0, format = "%s")' % (a[0], form), text
            if not isinstance(a[1], Num):
                raise Leave
            text, args = "%.*g" % (digits, x.v), ", significantDigits = %d" % digits
        args += ", minimumLength = %d, leftJustified = %s" % (width, str(left).lower())
        if a[0].startswith("String"):
            raise Leave
        return "String(%s%s)" % (a[0], args), text.ljust(width) if left else text.rjust(width)

    # -- arrays
    def vector(self, kind, n, depth):
        rng = self.rng
        make = {"R": self.real, "I": self.integer, "B": self.boolean}[kind]
        have = [x for x, (t, d, _) in self.world.var.items() if t == kind and d == (n,)]
        if depth <= 0 and have and rng.random() < 0.7:
            return self.some(kind, (n,))
        k = rng.randrange(4) if kind == "B" or depth <= 0 else rng.randrange(16)
        if k <= 1:
            items = [make(depth - 1) for _ in range(n)]
            if kind == "R" and not any(isinstance(x[1], Num) for x in items):
                raise Leave
            return "{%s}" % ", ".join(x[0] for x in items), [x[1] for x in items]
        if k == 2:
            s = make(depth - 1)
            return "fill(%s, %d)" % (s[0], n), [s[1]]*n
        if k == 3:
            body, it, values = self.over(depth, make, list(range(1, n + 1)))
            return "{%s for %s}" % (body, it), values
        vec = lambda: self.vector(kind, n, depth - 1)
        plus = (lambda x, y: add(x, y)) if kind == "R" else (lambda x, y: whole(x + y))
        minus = (lambda x, y: sub(x, y)) if kind == "R" else (lambda x, y: whole(x - y))
        times = (lambda x, y: mul(x, y)) if kind == "R" else (lambda x, y: whole(x*y))
        if k == 4:
            op, f = rng.choice([("+", plus), ("-", minus), (".+", plus), (".-", minus), (".*", times)])
            a, b = vec(), vec()
            return "((%s) %s (%s))" % (a[0], op, b[0]), [f(x, y) for x, y in zip(a[1], b[1])]
        if k == 5:
            s, a = make(depth - 1), vec()
            op = rng.choice(["*", ".*", ".+", ".-"])
            f = plus if op == ".+" else minus if op == ".-" else times
            if rng.random() < 0.5:
                return "((%s) %s (%s))" % (s[0], op, a[0]), [f(s[1], x) for x in a[1]]
            return "((%s) %s (%s))" % (a[0], op, s[0]), [f(x, s[1]) for x in a[1]]
        if k == 6:
            a = vec()
            return "(-(%s))" % a[0], [neg(x) if kind == "R" else -x for x in a[1]]
        if k == 7:
            c, a, b = self.boolean(depth - 1), vec(), vec()
            pick = a[1] if c[1] else b[1]
            return "(if %s then %s else %s)" % (c[0], a[0], b[0]), pick
        if k == 8:
            m = rng.choice([2, 3]) if kind == "R" else 2
            if kind == "I" and n != 2:
                raise Leave
            M, a = self.matrix(kind, n, m, depth - 1), self.vector(kind, m, depth - 1)
            return ("((%s)*(%s))" % (M[0], a[0]),
                    [self.total("sum", [times(x, y) for x, y in zip(row, a[1])]) for row in M[1]])
        if k == 9:
            if kind == "I" and n != 2:
                raise Leave
            M = self.matrix(kind, n, 2, depth - 1)
            j = rng.randint(1, 2)
            return "(%s)[:, %d]" % (M[0], j), [row[j - 1] for row in M[1]]
        if k == 10:
            a = vec()
            at = [rng.randint(1, n) for _ in range(n)]
            if rng.random() < 0.4:
                return "(%s)[%d:-1:1]" % (a[0], n), a[1][::-1]
            return "(%s)[{%s}]" % (a[0], ", ".join(map(str, at))), [a[1][x - 1] for x in at]
        if k == 11:
            m = rng.randint(1, n - 1)
            a = "{%s}", [make(depth - 1) for _ in range(m)]
            b = [make(depth - 1) for _ in range(n - m)]
            text = ["{%s}" % ", ".join(x[0] for x in part) for part in (a[1], b)]
            items = [x[1] for x in a[1] + b]
            if kind == "R" and not any(isinstance(x, Num) for x in items):
                raise Leave
            return "cat(1, %s, %s)" % tuple(text), items
        if k == 12 and n == 3:
            a, b = vec(), vec()
            x, y = a[1], b[1]
            return ("cross(%s, %s)" % (a[0], b[0]),
                    [minus(times(x[1], y[2]), times(x[2], y[1])), minus(times(x[2], y[0]), times(x[0], y[2])),
                     minus(times(x[0], y[1]), times(x[1], y[0]))])
        if k == 13:
            M = self.matrix(kind, 1, n, depth - 1)
            return "vector(%s)" % M[0], list(M[1][0])
        if kind == "I":
            if rng.random() < 0.5:
                a = rng.randint(-2, 4)
                return "((%d):(%d))" % (a, a + n - 1), [a + k for k in range(n)]
            name = rng.choice(["ones", "zeros"])
            return "%s(%d)" % (name, n), [int(name == "ones")]*n
        if k == 14:
            return self.spread(vec())
        if k == 15 and rng.random() < 0.4:
            a, s = round(rng.uniform(-2, 2), 1), round(rng.uniform(0.1, 2), 1)
            to = round(a + s*(n - 1) + rng.choice([0, 0.3*s]), 6)  # equations know their sizes
            return "((%r):%r:(%r))" % (a, s, to), [add(Num(a), mul(Num(s), Num(i))) for i in range(n)]
        if k == 15:
            a, b = self.real(depth - 1), self.real(depth - 1)
            return ("linspace(%s, %s, %d)" % (a[0], b[0], n),
                    [add(a[1], mul(sub(b[1], a[1]), Num(i/(n - 1)))) for i in range(n)])
        a, s = vec(), self.number(depth - 1)
        return "((%s)/(%s))" % (a[0], s[0]), [div(x, s[1]) for x in a[1]]

    def listed(self, kind, n, depth):
        make = {"R": self.real, "I": self.integer}[kind]
        items = [make(depth - 1) for _ in range(n)]
        if kind == "R" and not any(isinstance(x[1], Num) for x in items):
            raise Leave
        return "{%s}" % ", ".join(x[0] for x in items), [x[1] for x in items]

    def spread(self, a):
        """A function of scalars, applied to the elements of a vector."""
        name = self.rng.choice(["sin", "cos", "exp", "atan", "tanh", "abs", "floor", "mod", "max", "own"])
        values = [num(x) for x in a[1]]
        if name == "abs":
            for x in values:
                apart(x, 0)
            return "abs(%s)" % a[0], [x if x.v > 0 else neg(x) for x in values]
        if name == "floor":
            return "floor(%s)" % a[0], [Num(step(x, math.floor)) for x in values]
        if name == "mod":
            q = [quotient(x, Num(1.5), math.floor) for x in values]
            r = [sub(x, mul(y, Num(1.5))) for x, y in zip(values, q)]
            for x, y in zip(r, values):
                x.e += 4*EPS*abs(y.v)
            return "mod(%s, 1.5)" % a[0], r
        if name == "max":
            return "{max(x, 0.5) for x in %s}" % a[0], [choose(x, Num(0.5), False) for x in values]
        if name == "own":
            return "square(%s, 2)" % a[0], [add(mul(x, x), 2) for x in values]
        return "%s(%s)" % (name, a[0]), [one(name, x) for x in values]

    def matrix(self, kind, n, m, depth):
        rng = self.rng
        have = [x for x, (t, d, _) in self.world.var.items() if t == kind and d == (n, m)]
        if depth <= 0 and have:
            return self.some(kind, (n, m))
        make = {"R": self.real, "I": self.integer}[kind]
        plus = (lambda x, y: add(x, y)) if kind == "R" else (lambda x, y: whole(x + y))
        minus = (lambda x, y: sub(x, y)) if kind == "R" else (lambda x, y: whole(x - y))
        times = (lambda x, y: mul(x, y)) if kind == "R" else (lambda x, y: whole(x*y))
        mat = lambda: self.matrix(kind, n, m, depth - 1)
        k = rng.randrange(16) if depth > 0 else rng.randrange(2)
        if k <= 1:
            items = [[make(depth - 2) for _ in range(m)] for _ in range(n)]
            value = [[x[1] for x in row] for row in items]
            if kind == "R" and not any(isinstance(x, Num) for x in flat(value)):
                raise Leave
            if k == 0:
                return "[%s]" % "; ".join(", ".join(x[0] for x in row) for row in items), value
            return "{%s}" % ", ".join("{%s}" % ", ".join(x[0] for x in row) for row in items), value
        if k == 2:
            a = self.matrix(kind, m, n, depth - 1)
            return "transpose(%s)" % a[0], [list(x) for x in zip(*a[1])]
        if k == 3:
            s = make(depth - 1)
            return "fill(%s, %d, %d)" % (s[0], n, m), [[s[1]]*m for _ in range(n)]
        if k == 4:
            op, f = rng.choice([("+", plus), ("-", minus), (".*", times)])
            a, b = mat(), mat()
            return ("((%s) %s (%s))" % (a[0], op, b[0]),
                    [[f(x, y) for x, y in zip(p, q)] for p, q in zip(a[1], b[1])])
        if k == 5:
            s, a = make(depth - 1), mat()
            return "((%s)*(%s))" % (s[0], a[0]), [[times(s[1], x) for x in row] for row in a[1]]
        if k == 6:
            inner = 2
            a, b = self.matrix(kind, n, inner, depth - 1), self.matrix(kind, inner, m, depth - 1)
            return ("((%s)*(%s))" % (a[0], b[0]),
                    [[self.total("sum", [times(x, y) for x, y in zip(row, col)]) for col in zip(*b[1])]
                     for row in a[1]])
        if k == 7 and n > 1 and m > 1:
            a, b = self.vector(kind, n, depth - 1), self.vector(kind, m, depth - 1)
            return "outerProduct(%s, %s)" % (a[0], b[0]), [[times(x, y) for y in b[1]] for x in a[1]]
        if k == 8 and n == m and n > 1:
            a = self.vector(kind, n, depth - 1)
            zero = Num(0) if kind == "R" else 0
            return ("diagonal(%s)" % a[0],
                    [[a[1][i] if i == j else zero for j in range(n)] for i in range(n)])
        if k == 9 and n == m:
            a = mat()
            return ("symmetric(%s)" % a[0],
                    [[a[1][min(i, j)][max(i, j)] for j in range(n)] for i in range(n)])
        if k == 10 and n == m and kind == "R":
            a, p = mat(), rng.randint(0, 3)
            value = [[Num(i == j) for j in range(n)] for i in range(n)]
            for _ in range(p):
                value = [[self.total("sum", [mul(x, y) for x, y in zip(row, col)]) for col in zip(*a[1])]
                         for row in value]
            return "((%s)^%d)" % (a[0], p), value
        if k == 14:
            inner = lambda d: self.vector(kind, m, d) if d < 2 else self.listed(kind, m, d)
            body, it, values = self.over(depth, inner, list(range(1, n + 1)))
            return "{%s for %s}" % (body, it), [list(x) for x in values]
        if k == 15:
            rows = [self.vector(kind, m, depth - 1) for _ in range(n)]
            return "{%s}" % ", ".join(x[0] for x in rows), [list(x[1]) for x in rows]
        if k == 11 and n > 1:
            a, b = self.matrix(kind, 1, m, depth - 1), self.matrix(kind, n - 1, m, depth - 1)
            return "[%s; %s]" % (a[0], b[0]), a[1] + b[1]
        if k == 12 and m > 1:
            a, b = self.matrix(kind, n, m - 1, depth - 1), self.matrix(kind, n, 1, depth - 1)
            return "cat(2, %s, %s)" % (a[0], b[0]), [p + q for p, q in zip(a[1], b[1])]
        if n == m == 3 and kind == "R":
            a = self.vector(kind, 3, depth - 1)
            x, y, z = (num(v) for v in a[1])
            o = Num(0)
            return "skew(%s)" % a[0], [[o, neg(z), y], [z, o, neg(x)], [neg(y), x, o]]
        c, a, b = self.boolean(depth - 1), mat(), mat()
        return "(if %s then %s else %s)" % (c[0], a[0], b[0]), a[1] if c[1] else b[1]


# ---- cases and models -------------------------------------------------------------------------------

class Case:
    def __init__(self, kind, dims, text, value):
        self.kind, self.dims, self.text, self.value = kind, dims, text, value


def make_case(rng, world):
    for _ in range(500):
        maker = Maker(rng, world)
        depth = rng.choice([1, 2, 2, 3, 3, 4])
        kind = rng.choice("RRRRIIIBBSEvvwm")
        try:
            if kind == "v":
                n = rng.choice([2, 3])
                e, kind, dims = maker.vector("R", n, depth), "R", (n,)
                e = e[0], [num(x) for x in e[1]]
            elif kind == "w":
                n = rng.choice([2, 3])
                e, kind, dims = maker.vector("I", n, depth), "I", (n,)
            elif kind == "m":
                n = rng.choice([2, 3])
                e, kind, dims = maker.matrix("R", n, n, depth), "R", (n, n)
                e = e[0], [[num(x) for x in row] for row in e[1]]
            else:
                f = {"R": maker.real, "I": maker.integer, "B": maker.boolean, "S": maker.string,
                     "E": maker.enum}[kind]
                e, dims = f(depth), ()
                if kind == "R":
                    e = e[0], num(e[1])
            if len(e[0]) > 600:
                raise Leave
            if kind == "S":  # compared with what it must be
                e, kind = ("(%s) == \"%s\"" % e, True), "B"
            if any(isinstance(x, int) and not isinstance(x, bool) and abs(x) > 10**6 for x in flat(e[1])):
                raise Leave
            return Case(kind, dims, *e)
        except (Leave, OverflowError, ZeroDivisionError, ValueError):
            pass
    raise SystemExit("no case in 500 attempts")


def literal(kind, value):
    if isinstance(value, list):
        return "{%s}" % ", ".join(literal(kind, x) for x in value)
    if kind == "R":
        return repr(value.v) if value.v >= 0 else "(%r)" % value.v
    if kind == "B":
        return str(value).lower()
    if kind == "S":
        return '"%s"' % value
    if kind == "E":
        return "E.%s" % LITERALS[value - 1]
    return str(value) if value >= 0 else "(%d)" % value


def in_place(var):
    kind, dims, value = var
    return "(%s)" % literal(kind, value) if dims else literal(kind, value)


def put(text, name):
    out, rest = [], text
    while "<" in rest:
        a, _, rest = rest.partition("<")
        word = rest.split(">", 1)[0]
        if word.isalnum() and ">" in rest:
            out.append(a + name(word))
            rest = rest.split(">", 1)[1]
        else:
            out.append(a + "<")
    return "".join(out) + rest


def declared(kind, dims, name, prefix=""):
    return "%s%s %s%s" % (prefix, SHAPES[kind], name, "[%s]" % ", ".join(map(str, dims)) if dims else "")


def varying(kind, dims, value):
    """The value as one that varies in time, as the oracle takes it at time 0."""
    if isinstance(value, list):
        return "{%s}" % ", ".join(varying(kind, dims[1:], x) for x in value)
    if kind == "R":
        return "%s + (%r)*time" % (literal("R", value), value.d)
    other = {"I": "0", "B": "not %s" % literal("B", value) if kind == "B" else "", "S": '"?"', "E": "E.two"}[kind]
    return "if time < 0.5 then %s else %s" % (literal(kind, value), other)


HEAD = """  type E = enumeration(%s);
  record Rec Real a; Integer i; Real v[2]; end Rec;
  function pick input Rec r; output Real y; algorithm y := r.a + 2*r.i - r.v[2]; end pick;
  function square input Real x, c; output Real y; algorithm y := x^2 + c; end square;
  function weigh input Real v[:]; input Real a; output Real y;
  algorithm y := a; for k in 1:size(v, 1) loop y := y + k*v[k]; end for; end weigh;
""" % ", ".join(LITERALS)


def names_in(text):
    found = []
    put(text, lambda w: found.append(w) or w)
    return list(dict.fromkeys(found))


def function_text(k, case, world, name, inline, open_sizes):
    inputs = names_in(case.text)
    out = ["  function %s%d" % (name, k)]
    for n in inputs:
        kind, dims, _ = world.var[n]
        out.append("    input %s;" % declared(kind, [":"]*len(dims) if open_sizes else dims, n))
    out.append("    output %s;" % declared(case.kind, case.dims, "y"))
    out.append("  algorithm\n    y := %s;\n    annotation(Inline = %s);\n  end %s%d;" %
               (put(case.text, lambda w: w), str(inline).lower(), name, k))
    return "\n".join(out)


def of_case(ways, number, tier):
    """With cc one case in four goes through F, the others through A, if both are wanted."""
    if tier == "0" or "F" not in ways or "A" not in ways:
        return ways
    return ways.replace("A" if number % 4 == 0 else "F", "")


def model_text(cases, world, all_ways, offset=0, tier="0"):
    out, equations, algorithm = ["model Values", HEAD], [], []
    for n, (kind, dims, value) in world.var.items():
        out.append("  %s = %s;" % (declared(kind, dims, "c" + n, "constant "), literal(kind, value)))
        out.append("  %s = %s;" % (declared(kind, dims, "p" + n, "parameter "), literal(kind, value)))
        out.append("  %s = %s;" % (declared(kind, dims, "x" + n), varying(kind, dims, value)))
    names = []
    for j, case in enumerate(cases):
        k = j + offset
        args = ", ".join
        inputs = names_in(case.text)
        ways = of_case(all_ways, k, tier)
        if "F" in ways or "G" in ways or "E" in ways:
            out.append(function_text(k, case, world, "f", False, k % 2))
        if "I" in ways:
            out.append(function_text(k, case, world, "g", True, k % 2))

        def declare(way, prefix, text, kind=case.kind, dims=case.dims):
            out.append("  %s%s;" % (declared(kind, dims, "%s%d" % (way, k), prefix), text and " = " + text))
            names.append((way, j))
        if "C" in ways:
            declare("C", "constant ", put(case.text, lambda w: "c" + w))
        if "G" in ways:
            declare("G", "constant ", "f%d(%s)" % (k, args("c" + n for n in inputs)))
        if "L" in ways:
            declare("L", "", put(case.text, lambda w: in_place(world.var[w])))
        if "B" in ways:
            declare("B", "parameter ", put(case.text, lambda w: "p" + w))
        if "V" in ways:
            declare("V", "", put(case.text, lambda w: "x" + w))
        if "F" in ways:
            declare("F", "", "f%d(%s)" % (k, args("x" + n for n in inputs)))
        if "I" in ways:
            declare("I", "", "g%d(%s)" % (k, args("x" + n for n in inputs)))
        if "A" in ways:
            declare("A", "", "")
            algorithm.append("  A%d := %s;" % (k, put(case.text, lambda w: "x" + w)))
        if case.kind == "R" and not case.dims and case.value.c:
            if "D" in ways:
                declare("D", "", "der(%s)" % put(case.text, lambda w: "x" + w))
            if "E" in ways:
                declare("E", "", "der(f%d(%s))" % (k, args("x" + n for n in inputs)))
    if algorithm:
        out.append("algorithm")
        out += algorithm
    out.append("end Values;\n")
    return "\n".join(out), names


def simulate(rubato, path, tier):
    p = subprocess.run([rubato, "simulate", path, "--no-cache", "--quiet", "--tier", tier, "--stop", "0.001",
                        "--intervals", "1", "--output", "-"], capture_output=True, text=True, timeout=600)
    if p.returncode:
        return None, "exit status %d\n%s%s" % (p.returncode, p.stderr[:1500], p.stdout[:300])
    rows = list(csv.reader(io.StringIO(p.stdout)))
    return dict(zip(rows[0], rows[1])), p.stderr[:400]


def expected(case, way):
    """[(subscript, value, error)]"""
    if way in "DE":
        return [("", case.value.d, 64*case.value.f + 1e-11*abs(case.value.d) + 1e-11)]
    if not case.dims:
        items = [("", case.value)]
    elif len(case.dims) == 1:
        items = [("[%d]" % (i + 1), x) for i, x in enumerate(case.value)]
    else:
        items = [("[%d,%d]" % (i + 1, j + 1), x) for i, row in enumerate(case.value) for j, x in enumerate(row)]
    return [(at, x.v, 16*x.e + 1e-13) if isinstance(x, Num) else (at, float(x), 0.0) for at, x in items]


def disagreements(case, way, number, result):
    for at, value, error in expected(case, way):
        name = "%s%d%s" % (way, number, at)
        if name not in result:
            yield "%s is not in the result" % name
        elif not abs(float(result[name]) - value) <= error:
            yield "%s is %s, not %.17g within %.1e" % (name, result[name], value, error)


WAYS, COMPILED = "CGLBVFIADE", "BVFAD"


def run_tier(options, cases, world, tmp, tier, report):
    """Number of wrong cases. A model that fails is run again in halves."""
    ways = options.ways or (WAYS if tier == "0" else COMPILED)
    path = os.path.join(tmp, "values.mo")
    text, names = model_text(cases, world, ways, 0, tier)
    with open(path, "w") as f:
        f.write(text)
    bad = {}
    try:
        result, message = simulate(options.rubato, path, tier)
    except subprocess.TimeoutExpired:
        result, message = None, "time limit"
    if result is None and len(cases) > 1:
        half = len(cases)//2
        return (run_tier(options, cases[:half], world, tmp, tier, report)
                + run_tier(options, cases[half:], world, tmp, tier, report))
    if result is None:
        bad[0] = ["tier %s: %s" % (tier, message)]
    for way, j in names if result is not None else []:
        for text_of in disagreements(cases[j], way, j, result):
            bad.setdefault(j, []).append("tier %s: %s" % (tier, text_of))
    for j, lines in bad.items():
        report(cases[j], world, ways, lines)
    return len(bad)


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("rubato")
    p.add_argument("--count", type=int, default=1000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--batch", type=int, default=200)
    p.add_argument("--tiers", default="0,1")
    p.add_argument("--ways", default="", help="of all tiers; else all of tier 0 and %s of others" % COMPILED)
    p.add_argument("--keep", default="")
    p.add_argument("--most", type=int, default=20, help="disagreements to print")
    options = p.parse_args()
    wrong, told, done = 0, 0, 0

    def report(case, world, ways, lines):
        nonlocal told
        told += 1
        if told > options.most:
            return
        used = ", ".join("%s = %s" % (n, literal(world.var[n][0], world.var[n][2])) for n in names_in(case.text))
        print("seed %d, after %d: %s\n  with %s" % (seed, done, put(case.text, lambda w: w), used))
        print("".join("  %s\n" % line for line in lines[:6]), flush=True, end="")
        if options.keep:
            os.makedirs(options.keep, exist_ok=True)
            name = os.path.join(options.keep, "values%d_%d.mo" % (seed, told))
            with open(name, "w") as f:
                f.write(model_text([case], world, ways)[0])
            print("  kept as %s" % name)

    with tempfile.TemporaryDirectory() as tmp:
        batch = 0
        while done < options.count:
            seed = options.seed*1000003 + batch
            rng = random.Random(seed)
            world = World(rng)
            n = min(options.batch, options.count - done)
            cases = [make_case(rng, world) for _ in range(n)]
            for tier in options.tiers.split(","):
                wrong += run_tier(options, cases, world, tmp, tier, report)
            done += n
            batch += 1
    print("%d cases, %d wrong" % (done, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
