#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do random clocked models have the values that follow from chapter 16, tick by tick?

  tools/clocks.py RUBATO [--count N] [--seed S] [--keep DIR] [--timeout S] [--choices LIST]

A model has one to three base clocks: fractions of seconds, Real intervals, intervals that vary, crossings of a sine,
Booleans of another clock. Each has partitions at random fractions and shifts of it, some with a solver method, and variables of
all types that use each other through random chains of operators, as equations in any form. A few lines of Python
know the ticks in exact arithmetic and all values at them. Each model is run with one of the choices; some are
saved in the middle and continued. Exit status 1 and the model in DIR if a value differs or a run fails.
"""
import argparse
import csv
import math
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

CHOICES = ["", "", "--threads 2", "--threads 3", "--tier 1", "--rates 2", "--method dopri5", "--solver cvode", "SAVE"]
METHODS = ["ExplicitEuler", "ImplicitEuler", "ImplicitTrapezoid", "ExplicitMidPoint2", "ExplicitRungeKutta4",
           "SemiImplicitEuler"]
STAGES = METHODS[3:5]  # one step advances all states of the partition, so there is one system of them
TICKS = 25  # of the slowest partition of a base clock, about


class Decimal(float):
    """A number that can be an operand in any place of an expression."""

    def __format__(self, spec):
        text = repr(float(self))
        return f"({text})" if text.startswith("-") else text


class Expr:
    """A value as Modelica text and as a function of what is known at a tick."""

    def __init__(self, text, value):
        self.text, self.value = text, value


class Node:
    """A value that ticks with a partition: of a variable, or of an operator inside an equation."""

    def __init__(self, part, name, kind, start, value=None):
        self.part, self.name, self.kind, self.value = part, name, kind, value
        self.start = self.now = self.old = start

    def previous(self):
        return Expr(f"previous({self.name})", lambda t: self.old)

    def ref(self):
        return Expr(self.name, lambda t: self.now)


class Part:
    """A sub-clock partition: it ticks at the keys shift, shift + period, ... of its base clock."""

    def __init__(self, base, period, shift):
        self.base, self.period, self.shift = base, Fraction(period), Fraction(shift)
        self.variables, self.inside, self.outside, self.method = [], [], [], ""
        self.last, self.interval, self.first, self.states = None, None, True, False

    def ticks(self, key):
        return key >= self.shift and (key - self.shift) % self.period == 0

    def begin(self, time):
        self.first = self.last is None
        self.interval = self.base.seconds(self.period) if self.base.periodic else \
            None if self.first else time - self.last
        self.last = time


class Base:
    """A base clock: its nodes in an order in which they can be computed."""

    def __init__(self, model, kind):
        self.kind, self.model, self.nodes, self.parts = kind, model, [], []
        self.periodic = kind in ("fraction", "real")
        self.key = -1
        r = model.random
        if kind == "fraction":
            self.unit = Fraction(r.randint(1, 6), r.choice((2, 3, 5, 7, 8, 10)))
            text = f"Clock({self.unit.numerator}, {self.unit.denominator})"
            if r.random() < 0.3:
                text = f"Clock({3 * self.unit.numerator}, resolution = {3 * self.unit.denominator})"
        elif kind == "real":
            self.unit = r.uniform(0.1, 0.6)
            text = f"Clock({self.unit!r})"
        elif kind == "varies":
            self.resolution, self.elapsed = r.randint(7, 23), Fraction(0)
            text = f"Clock({model.fresh('n')}, {self.resolution})"
            self.counter = model.last
        elif kind == "crossing":
            self.w, self.p, self.border = model.decimal(5, 15), model.decimal(-3, -0.5), model.decimal(-0.5, 0.8)
            text = f"Clock(sin({self.w}*time + {self.p}) > {self.border})"
        else:
            held = r.choice(model.booleans)
            self.held = held
            self.was = False  # a condition that holds at the start has become true then
            text = f"Clock(hold({held.name}), startInterval = 0.5)"
        self.clock_text = text

    def used(self):
        return [p for p in self.parts if p.variables]

    def seconds(self, key):
        return float(self.unit * key) if self.kind == "fraction" else self.unit * float(key)

    def keys(self, stop):
        """(time, exact time, key) of what is periodic or a crossing."""
        if self.periodic:
            keys = set()
            for part in self.used():
                key = part.shift
                while self.seconds(key) <= stop:
                    keys.add(key)
                    key += part.period
            return [(self.seconds(k), k * self.unit if self.kind == "fraction" else None, k) for k in sorted(keys)]
        angle, times = math.asin(self.border), []
        if math.sin(self.p) > self.border:
            raise Unusable
        for k in range(-2, 10000):
            t = (angle + 2 * math.pi * k - self.p) / self.w
            if t > stop:
                break
            if t > 0:
                times.append((t, None, Fraction(len(times))))
        return times


class Unusable(Exception):
    """The values of this model would depend on rounding."""


def chain(a, b):
    """Operators that lead from the clock of one partition to that of another; None: there are none."""
    ratio = b.period / a.period
    up, down = ratio.denominator, ratio.numerator
    shift = (b.shift - a.shift) / b.period
    if shift < 0 or not a.base.periodic and (shift.denominator > 1 or (a.period / up).denominator > 1):
        return None
    steps = []
    if up > 1:
        steps.append(("superSample", (up,)))
    if down > 1:
        steps.append(("subSample", (down,)))
    if shift:
        steps.append(("shiftSample", (shift.numerator, shift.denominator)))
    return steps


def after(part, step):
    """The clock of a partition after an operator."""
    op, n = step
    period, shift = part.period, part.shift
    if op == "superSample":
        period /= n[0]
    elif op == "subSample":
        period *= n[0]
    else:
        shift += period * n[0] / n[1] * (1 if op == "shiftSample" else -1)
    return Part(part.base, period, shift)


def applied(step, text):
    return f"{step[0]}({text}, {', '.join(map(str, step[1]))})"


class Model:
    def __init__(self, seed):
        self.random = r = random.Random(seed)
        self.count, self.last = 0, ""
        self.declared, self.equations, self.bases = [], [], []
        self.booleans, self.signals, self.integral = [], [], None
        for _ in range(r.choice((1, 1, 2, 3))):
            kinds = ["fraction", "fraction", "fraction", "real", "varies", "crossing"]
            self.base(r.choice(kinds + (["held"] if self.booleans else [])))
        # several times the slowest clock, and no tick at the end
        slow = max([0.3] + [b.seconds(p.period) for b in self.bases if b.periodic for p in b.parts])
        fast = min([0.1] + [b.seconds(p.period) for b in self.bases if b.periodic for p in b.parts])
        self.stop = round(min(TICKS * slow, 600 * fast), 2) + 0.0034567

    def fresh(self, letter):
        self.last = f"{letter}{self.count}"
        self.count += 1
        return self.last

    def decimal(self, low, high):
        return Decimal(round(self.random.uniform(low, high), 3))

    # ---- partitions

    def base(self, kind):
        r = self.random
        base = Base(self, kind)
        self.bases.append(base)
        first = Part(base, 1, 0)
        base.parts.append(first)
        clocks = [self.fresh("c")]
        self.declared.append(f"Clock {clocks[0]} = {base.clock_text};")
        for _ in range(r.randint(0, 3)):
            k = r.randrange(len(base.parts))
            parent = base.parts[k]
            step = self.step(parent)
            if step is None:
                continue
            part, name = after(parent, step), self.fresh("c")
            if part.period < Fraction(1, 12) or part.period > 12:
                continue
            text = applied(step, clocks[k])
            if r.random() < 0.3:
                other = r.randint(2, 4)
                if base.periodic:
                    text = applied(("subSample", (other,)), applied(("superSample", (other,)), text))
            self.declared.append(f"Clock {name} = {text};")
            base.parts.append(part)
            clocks.append(name)
        if kind == "varies":
            self.counter(first)
        for part in base.parts:
            if r.random() < 0.4:
                part.method = r.choice(METHODS)
        for _ in range(r.randint(2, 4)):  # partitions take turns, so that they use each other both ways
            for part in base.parts:
                for _ in range(r.randint(0, 2)):
                    self.variable(part)
        for part, clock in zip(base.parts, clocks):
            self.write(part, clock)

    def step(self, part):
        r = self.random
        op = r.choice(("subSample", "subSample", "superSample", "shiftSample", "backSample"))
        if op in ("subSample", "superSample"):
            n = r.randint(2, 4)
            if op == "superSample" and not part.base.periodic and (part.period / n).denominator > 1:
                return None
            return op, (n,)
        n, of = r.randint(1, 3), r.randint(1, 4) if part.base.periodic else 1
        if op == "backSample" and part.shift - part.period * n / of < 0:
            return None
        return op, (n, of)

    def write(self, part, clock):
        if part.method:
            clock = f"Clock({clock}, \"{part.method}\")"
        if part.inside:
            self.equations += [f"when {clock} then", *("  " + e for e in part.inside), "end when;"]
        self.equations += part.outside

    # ---- values

    def counter(self, part):
        """The number of units to the next tick of a clock that varies."""
        n = Node(part, part.base.counter, "Integer", 1)
        most = self.random.randint(2, 5)
        n.value = lambda t: n.old % most + 1
        self.declared.append(f"Integer {n.name}(start = 1);")
        part.inside.append(f"{n.name} = mod(previous({n.name}), {most}) + 1;")
        part.base.nodes.append(n)
        part.variables.append(n)

    def signal(self):
        """A continuous variable, as text and as a function of time."""
        r = self.random
        if self.signals and r.random() < 0.5:
            return r.choice(self.signals)
        w, p, name = self.decimal(0.3, 4), self.decimal(0, 6), self.fresh("u")
        self.declared.append(f"Real {name} = sin({w}*time + {p});")
        self.signals.append(Expr(name, lambda t: math.sin(w * t.time + p)))
        return self.signals[-1]

    def from_outside(self, part):
        """A Real from the continuous part or another base clock."""
        r = self.random
        others = [n for b in self.bases if b is not part.base for n in b.nodes if n.name and n.kind == "Real"]
        if others and r.random() < 0.5:
            n = r.choice(others)
            return Expr(f"sample(hold({n.name}))", lambda t: t.before[n])
        if self.integral and r.random() < 0.3:
            return Expr("sample(q)", lambda t: t.integral)
        s = self.signal()
        return Expr(f"sample({s.text})", s.value)

    def converted(self, part, kind):
        """A value of another partition of the same base clock, through operators; None: there is none."""
        r = self.random
        nodes = [n for n in part.base.nodes if n.name and n.part is not part and n.kind == kind]
        if not nodes:
            return None
        n = r.choice(nodes)
        steps = chain(n.part, part)
        back = (n.part.shift - part.shift) / part.period
        if n.part.period == part.period and back > 0 and (part.base.periodic or back.denominator == 1):
            text = f"backSample({n.name}, {back.numerator}, {back.denominator})"
            return Expr(text, lambda t: n.now)
        if steps is None or r.random() < 0.15:
            return Expr(f"noClock({n.name})", lambda t: n.now)
        if not steps:
            return Expr(f"superSample(subSample({n.name}, 1), 1)", lambda t: n.now)
        text, at, source = n.name, n.part, n
        if len(steps) == 1 and steps[0][0] != "shiftSample" and r.random() < 0.3:
            return Expr(f"{steps[0][0]}({text})", lambda t: n.now)
        for step in steps:
            text, at = applied(step, text), after(at, step)
            hidden = Node(at, None, kind, n.start, lambda t, of=source: of.now)
            part.base.nodes.append(hidden)
            source = hidden
        return Expr(text, lambda t: source.now)

    def term(self, part, kind, own=None):
        """A value of a kind at the ticks of a partition."""
        r = self.random
        for _ in range(3):
            which = r.choice(("own", "previous", "converted", "outside", "self", "constant"))
            nodes = [n for n in part.variables if n.kind == kind]
            if which == "own" and nodes:
                return r.choice(nodes).ref()
            if which == "previous" and nodes:
                return r.choice(nodes).previous()
            if which == "self" and own:
                return own.previous()
            if which == "converted":
                e = self.converted(part, kind)
                if e:
                    return e
            if which == "outside" and kind == "Real":
                return self.from_outside(part)
        if kind == "Boolean":
            return Expr("firstTick()", lambda t: part.first)
        if kind == "Integer":
            n = r.randint(0, 5)
            return Expr(str(n), lambda t: n)
        if part.base.periodic or r.random() < 0.5:
            if part.base.periodic:
                return Expr("interval()", lambda t: part.interval)
            return Expr("(if firstTick() then 0.25 else interval())", lambda t: 0.25 if part.first else part.interval)
        x = self.decimal(-1, 1)
        return Expr(f"{x}", lambda t: x)

    def variable(self, part):
        r = self.random
        if part.method and r.random() < 0.5 and (part.method not in STAGES or not part.states):
            part.states = True
            return self.states(part)
        kind = r.choice(("Real", "Real", "Integer", "Boolean"))
        if kind == "Real" and r.random() < 0.15:
            return self.loop(part)
        start = {"Real": self.decimal(-1, 1), "Integer": r.randint(-3, 3), "Boolean": r.random() < 0.4}[kind]
        node = Node(part, self.fresh(kind[0].lower() + "v"), kind, start)
        e = getattr(self, kind.lower())(part, node)
        node.value = e.value
        self.declared.append(f"{kind} {node.name}(start = {str(start).lower() if kind == 'Boolean' else start});")
        self.equation(part, node, e)
        self.add(part, node)
        if kind == "Boolean":
            self.booleans.append(node)
        if kind == "Real" and not self.integral and r.random() < 0.3:
            self.integral = node
            self.declared.append("Real q(start = 0.5, fixed = true);")
            self.equations.append(f"der(q) = hold({node.name});")
        return node

    @staticmethod
    def add(part, node):
        part.base.nodes.append(node)
        part.variables.append(node)

    def equation(self, part, node, e):
        """x = e in one of many forms, inside a clause of the clock or, if it is tied to one in it, outside."""
        r, x = self.random, node.name
        tie = part.variables and not part.method and r.random() < 0.25
        if tie and r.random() < 0.3 and node.kind != "Boolean":
            first, value = r.choice(part.variables).name, e.value
            node.value = lambda t: value(t) + (0 if part.first else 1)
            part.outside.append(f"{x} = if firstTick({first}) then {e.text} else {e.text} + 1;")
            return
        if tie and node.kind != "Boolean":
            e = Expr(f"{e.text} + {self.nothing(r.choice(part.variables))}", e.value)
        to = part.outside if tie and node.kind != "Boolean" else part.inside
        forms = [f"{x} = {e.text};", f"{e.text} = {x};"]
        if node.kind != "Boolean":
            forms += [f"{x} - ({e.text}) = 0;", f"2*({e.text}) = 2*{x};"]
        elif r.random() < 0.5:
            forms = [f"if {e.text} then {x} = true; else {x} = false; end if;"]
        to.append(r.choice(forms))

    @staticmethod
    def nothing(node):
        """0, by a variable that ties an equation to its partition."""
        return f"(if {node.name}{' and not ' + node.name if node.kind == 'Boolean' else ' > 1000'} then 1 else 0)"

    def real(self, part, own):
        r = self.random
        a, b = self.term(part, "Real", own), self.term(part, "Real", own)
        x, y = self.decimal(-0.6, 0.6), self.decimal(-0.6, 0.6)
        form = r.choice(("sum", "sum", "sum", "max", "if", "product"))
        if form == "max":
            return Expr(f"max({a.text}, {x})*0.7 + {y}*{b.text}", lambda t: max(a.value(t), x) * 0.7 + y * b.value(t))
        if form == "product":
            return Expr(f"{x}*({a.text})/(2 + ({b.text})^2)", lambda t: x * a.value(t) / (2 + b.value(t) ** 2))
        if form == "if":
            c = self.term(part, "Boolean")
            return Expr(f"(if {c.text} then {x}*{a.text} else {b.text}*{y} + {x})",
                        lambda t: x * a.value(t) if c.value(t) else b.value(t) * y + x)
        return Expr(f"{x}*{a.text} + {y}*{b.text} + {x}", lambda t: x * a.value(t) + y * b.value(t) + x)

    def integer(self, part, own):
        r = self.random
        a, b, m = self.term(part, "Integer", own), self.term(part, "Integer", own), r.randint(2, 9)
        if r.random() < 0.3:
            c = self.term(part, "Boolean")
            return Expr(f"mod({a.text} + (if {c.text} then 1 else {b.text}), {m})",
                        lambda t: (a.value(t) + (1 if c.value(t) else b.value(t))) % m)
        return Expr(f"mod({a.text} + 2*{b.text} + 1, {m})", lambda t: (a.value(t) + 2 * b.value(t) + 1) % m)

    def boolean(self, part, own):
        r = self.random
        a, b, n = self.term(part, "Boolean", own), self.term(part, "Integer"), r.randint(0, 4)
        if r.random() < 0.4:
            return Expr(f"not ({a.text})", lambda t: not a.value(t))
        return Expr(f"({a.text} or {b.text} > {n})", lambda t: a.value(t) or b.value(t) > n)

    def loop(self, part):
        """Two variables that depend on each other at the same tick."""
        r = self.random
        x, y = self.decimal(-0.8, 0.8), self.decimal(-0.8, 0.8)
        a, b = self.term(part, "Real"), self.term(part, "Real")
        one, two = Node(part, self.fresh("l"), "Real", 0.0), Node(part, self.fresh("l"), "Real", 0.0)
        one.value = lambda t: (a.value(t) + x * b.value(t)) / (1 - x * y)
        two.value = lambda t: b.value(t) + y * one.now
        self.declared.append(f"Real {one.name}, {two.name};")
        part.inside += [f"{one.name} - ({a.text}) = {x}*{two.name};", f"{two.name} = {y}*{one.name} + ({b.text});"]
        self.add(part, one)
        self.add(part, two)
        return one

    def states(self, part):
        """Two states with a linear right-hand side and an input."""
        r = self.random
        u = self.converted(part, "Real") or self.from_outside(part)
        rates = [[self.decimal(-1, 0), self.decimal(-1, 1)],
                 [self.decimal(-1, 1), self.decimal(-1, 0)]]
        gain = [self.decimal(-1, 1), self.decimal(-1, 1)]
        if part.method == "SemiImplicitEuler":
            rates[0], gain[0] = [Decimal(0), Decimal(1)], Decimal(0)
        start = [self.decimal(-1, 1), self.decimal(-1, 1)]
        whole = Node(part, None, None, None)
        whole.value = lambda t: step(part.method, rates, gain, start, whole.old, u.value(t), part)
        part.base.nodes.append(whole)
        w = self.fresh("i")
        source = Node(part, w, "Real", 0.0, u.value)
        self.declared.append(f"Real {w};")
        part.inside.append(f"{w} = {u.text};")
        self.add(part, source)
        names = [self.fresh("x"), self.fresh("x")]
        for k in range(2):
            state = Node(part, names[k], "Real", start[k], lambda t, k=k: whole.now[0][k])
            self.declared.append(f"Real {names[k]}(start = {start[k]}, fixed = true);")
            right = f"{rates[k][0]}*{names[0]} + {rates[k][1]}*{names[1]} + {gain[k]}*{w}"
            if part.method == "SemiImplicitEuler" and k == 0:
                right = names[1]
            part.inside.append(f"der({names[k]}) = {right};")
            self.add(part, state)
        return source

    def text(self):
        return "model Random\n  " + "\n  ".join(self.declared) + "\nequation\n  " + \
            "\n  ".join(self.equations) + "\nend Random;\n"

    # ---- what the values are

    def instants(self):
        """[(time, the same as a fraction or None, [(base, key)])] of clocks whose ticks are known before the run."""
        found = [(0.0, Fraction(0), [])]
        for base in self.bases:
            if base.kind == "varies":
                found.append((0.0, Fraction(0), [(base, Fraction(0))]))
            elif base.kind != "held":
                found += [(time, Fraction(0) if time == 0 else exact, [(base, key)])
                          for time, exact, key in base.keys(self.stop)]
        return merged(found)

    def expected(self):
        """[(time, {name: value})] after each instant."""
        pending, result = self.instants(), []
        nodes = [n for b in self.bases for n in b.nodes]
        now = Now(self.integral)
        while pending:
            time, exact, ticking = pending.pop(0)
            now.advance(time, nodes)
            for base, key in ticking:
                tick(base, key, now)
                if base.kind == "varies":
                    n = next(n for n in base.nodes if n.name == base.counter)
                    base.elapsed += Fraction(n.now, base.resolution)
                    pending = merged(pending + [(float(base.elapsed), base.elapsed, [(base, key + 1)])])
            while True:
                held = [b for b in self.bases if b.kind == "held" and b.held.now and not b.was]
                for b in self.bases:
                    if b.kind == "held":
                        b.was = b.held.now
                if not held:
                    break
                now.advance(time, nodes)
                for b in held:
                    b.key += 1
                    tick(b, Fraction(b.key), now)
            result.append((time, {n.name: n.now for n in nodes if n.name}))
            pending = [p for p in pending if p[0] <= self.stop]
        return result


class Now:
    """What is the same for all at a tick: the time, and what was held before."""

    def __init__(self, node):
        self.node, self.time, self.integral, self.before = node, 0.0, 0.5, {}

    def advance(self, time, nodes):
        if self.node:
            self.integral += self.node.now * (time - self.time)
        self.time = time
        self.before = {n: n.now for n in nodes}


def merged(instants):
    """In order; equal fractions are one, all others are far enough from each other."""
    result = []
    for time, exact, ticking in sorted(instants, key=lambda i: i[0]):
        if result and exact is not None and exact == result[-1][1]:
            result[-1] = (time, exact, result[-1][2] + ticking)
        elif result and time - result[-1][0] < 1e-5:
            raise Unusable
        else:
            result.append((time, exact, ticking))
    return result


def tick(base, key, now):
    for part in base.parts:
        if part.ticks(key):
            part.begin(now.time)
    active = [n for n in base.nodes if n.part.ticks(key)]
    for n in active:
        n.old = n.now
    for n in active:
        n.now = n.value(now)


def step(method, a, b, start, old, u, part):
    """((states), (derivatives), input) at a tick from those of the tick before."""
    def rate(x, u):
        return [a[k][0] * x[0] + a[k][1] * x[1] + b[k] * u for k in (0, 1)]

    def moved(x, h, f):
        return [x[k] + h * f[k] for k in (0, 1)]

    def solved(x, h, u):  # y = x + h rate(y, u)
        m = [[1 - h * a[0][0], -h * a[0][1]], [-h * a[1][0], 1 - h * a[1][1]]]
        r = [x[k] + h * b[k] * u for k in (0, 1)]
        d = m[0][0] * m[1][1] - m[0][1] * m[1][0]
        if abs(d) < 1e-3:
            raise Unusable
        return [(r[0] * m[1][1] - m[0][1] * r[1]) / d, (m[0][0] * r[1] - r[0] * m[1][0]) / d]

    if old is None:
        return start, rate(start, u), u
    x, f, before = old
    h = part.interval
    middle = (before + u) / 2
    if method == "ExplicitEuler":
        y = moved(x, h, f)
    elif method == "ImplicitEuler":
        y = solved(x, h, u)
    elif method == "ImplicitTrapezoid":
        y = solved(moved(x, h / 2, f), h / 2, u)
    elif method == "SemiImplicitEuler":
        speed = x[1] + h * f[1]
        y = [x[0] + h * speed, speed]
    elif method == "ExplicitMidPoint2":
        y = moved(x, h, rate(moved(x, h / 2, f), middle))
    else:
        k2 = rate(moved(x, h / 2, f), middle)
        k3 = rate(moved(x, h / 2, k2), middle)
        k4 = rate(moved(x, h, k3), u)
        y = [x[k] + h / 6 * (f[k] + 2 * k2[k] + 2 * k3[k] + k4[k]) for k in (0, 1)]
    if max(map(abs, y)) > 100:
        raise Unusable
    return y, rate(y, u), u


# ---- runs

def run(command, timeout):
    try:
        p = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return "hangs"
    return p.stdout.strip().split("\n")[0] if p.returncode else ""


def rows_of(rubato, path, choice, stop, timeout):
    """The rows of the result, or why there are none."""
    result, rows = path[:-3] + ".csv", []
    base = [rubato, "simulate", path, "--output", result, "--intervals", "2", "--quiet", "--tolerance", "1e-9"]
    if "--tier" not in choice:
        base += ["--tier", "0"]
    runs = [[*choice.split(), "--stop", repr(stop)]]
    if choice == "SAVE":
        state = path[:-3] + ".state"
        runs = [["--stop", repr(0.4 * stop), "--save-state", state], ["--stop", repr(stop), "--from-state", state]]
    for flags in runs:
        why = run(base + flags, timeout)
        if why:
            return None, why
        with open(result) as f:
            rows += list(csv.DictReader(f))
    return rows, ""


def difference(rows, expected):
    """What differs first; empty: nothing."""
    at = 0
    for time, values in expected:
        while at + 1 < len(rows) and float(rows[at + 1]["time"]) <= time + 2e-6:
            at += 1
        if abs(float(rows[at]["time"]) - time) > 2e-6:
            return f"no tick at {time}"
        for name, value in values.items():
            got = float(rows[at][name])
            if not abs(got - value) <= 2e-6 * (1 + abs(value)):
                return f"{name}({time}) is {got} instead of {float(value)}"
    return ""


def main():
    args = argparse.ArgumentParser()
    args.add_argument("rubato")
    args.add_argument("--count", type=int, default=100)
    args.add_argument("--seed", type=int, default=1)
    args.add_argument("--keep", default="build/clocks")
    args.add_argument("--timeout", type=float, default=60)
    args.add_argument("--choices", help="separated by ;")
    options = args.parse_args()
    choices = options.choices.split(";") if options.choices is not None else CHOICES
    wrong = values = models = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        path = os.path.join(folder, "Random.mo")
        for seed in range(options.seed, options.seed + options.count):
            try:
                model = Model(seed)
                expected = model.expected()
            except Unusable:
                continue
            with open(path, "w") as f:
                f.write(model.text())
            models += 1
            values += sum(len(v) for _, v in expected)
            choice = model.random.choice(choices)
            rows, why = rows_of(options.rubato, path, choice, model.stop, options.timeout)
            why = why or difference(rows, expected)
            if not why:
                continue
            wrong += 1
            os.makedirs(options.keep, exist_ok=True)
            kept = os.path.join(options.keep, f"clocks_{seed}.mo")
            with open(kept, "w") as f:
                f.write(model.text())
            print(f"{seed}: WRONG {why} with {choice or 'no option'} until {model.stop} -> {kept}", flush=True)
    print(f"{models} models, {values} values, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
