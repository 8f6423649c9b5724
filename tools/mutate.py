#!/usr/bin/env python3
"""Checks that wrong models end in messages: no crash, no hang, no silent NaN.

  tools/mutate.py RUBATO [--command check|simulate] [--count N] [--first N] [--seed N]
                  [--seconds S] [--jobs N] [--keep DIR] FILE_OR_DIR...

Takes the .mo files named, changes each at random (drops, doubles, swaps or replaces words,
numbers and lines) and runs RUBATO on it. An answer is an exit status that the command line
documents: 0, 1 and for simulate 3. Anything else, a message of a sanitizer, more than the time
limit, or exit status 0 with a value that is not finite in the result is a failure, and the text is
kept in DIR. Runs end after 100 steps: a long simulation is no hang. Mutant K depends on the seed and K alone: --first K --count 1 repeats one.
"""
import argparse
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

LIMIT = 60
WORDS = ["Real", "Integer", "Boolean", "String", "parameter", "constant", "input", "output",
         "flow", "stream", "each", "final", "inner", "outer", "replaceable", "redeclare",
         "extends", "der", "pre", "size", "0", "-1", "1e300", "2147483648", "x", "M", "{}",
         "end", "time", "if", "then", "else", "when", "for", "loop", "connect", "[", "]", "(",
         ")", "=", ":=", "+", "*", "^", ".", ",", ";", ":", "\"a\"", "fill(0, 0)", "1:0"]
# changes that leave the grammar alone, so that more mutants run
SWAPS = [("+", "-"), ("*", "/"), ("<", ">"), ("sin", "log"), ("der", "abs"), ("1", "0"),
         ("true", "false"), ("start", "min"), ("fixed", "max"), ("sqrt", "asin"), ("^", "*")]


def pieces(text):
    return re.findall(r"\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\w+|\s+|.", text, re.S)


def soft(words, rng):
    """Another number, name or operator in place of one."""
    at = [i for i, w in enumerate(words) if not w.isspace()]
    for _ in range(20):
        i = rng.choice(at)
        w = words[i]
        if w[0].isdigit():
            words[i] = rng.choice(["0", "1", "-1", "1e-9", "1e9", "1e300", str(rng.random())])
            return
        for a, b in SWAPS:
            if w in (a, b):
                words[i] = b if w == a else a
                return
        if re.fullmatch(r"[a-z]\w*", w):
            same = [x for x in words if re.fullmatch(r"[a-z]\w*", x)]
            words[i] = rng.choice(same)
            return


def mutate(text, rng):
    words = pieces(text)
    for _ in range(rng.randint(1, 4)):
        if not words:
            break
        a, b = rng.randrange(len(words)), rng.randrange(len(words))
        kind = rng.randrange(12)
        if kind == 0:
            del words[a]
        elif kind == 1:
            words.insert(a, words[b])
        elif kind == 2:
            words[a], words[b] = words[b], words[a]
        elif kind == 3:
            words[a] = rng.choice(WORDS)
        elif kind == 4:
            words[a] = words[b]
        elif kind == 5:
            lines = "".join(words).split("\n")
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines.insert(i, lines[j])
            words = pieces("\n".join(lines))
        elif kind == 6:
            lines = "".join(words).split("\n")
            del lines[rng.randrange(len(lines))]
            words = pieces("\n".join(lines))
        else:
            soft(words, rng)
    return "".join(words)


def not_finite(path):
    """Does a CSV result hold a value that is not finite?"""
    with open(path, encoding="utf-8", errors="replace") as f:
        next(f, None)
        for line in f:
            for word in line.split(","):
                try:
                    if not math.isfinite(float(word)):
                        return True
                except ValueError:
                    pass
    return False


def failure(options, folder, path):
    """What went wrong (empty if nothing) and the exit status."""
    result = os.path.join(folder, "r.csv")
    if os.path.exists(result):
        os.unlink(result)
    command = [options.rubato, options.command, path]
    if options.command == "simulate":
        command += ["--quiet", "--output", result, "--intervals", "20", "--max-steps", "100"]
    env = dict(os.environ, XDG_CACHE_HOME=folder)
    try:
        p = subprocess.run(command, capture_output=True, timeout=LIMIT, cwd=folder, env=env)
    except subprocess.TimeoutExpired:
        return f"more than {LIMIT} s", None
    err = p.stderr.decode(errors="replace")
    if "Sanitizer" in err or "runtime error" in err:
        return next(l for l in err.split("\n")
                    if "Sanitizer" in l or "runtime error" in l), p.returncode
    if p.returncode not in ((0, 1, 3) if options.command == "simulate" else (0, 1)):
        return f"exit status {p.returncode}: {err.strip()[-200:]}", p.returncode
    if p.returncode and not err.strip():
        return f"exit status {p.returncode} without a message", p.returncode
    if p.returncode == 0 and os.path.exists(result) and not_finite(result):
        return "exit status 0 with a value that is not finite", 0
    return "", p.returncode


def run(options, files, number):
    rng = random.Random(f"{options.seed} {number}")
    source = rng.choice(files)
    with open(source, encoding="utf-8", errors="replace") as f:
        text = mutate(f.read(), rng)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "mutant.mo")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        what, status = failure(options, folder, path)
    if what and options.keep:
        os.makedirs(options.keep, exist_ok=True)
        with open(os.path.join(options.keep, f"{number}.mo"), "w", encoding="utf-8") as f:
            f.write(text)
    if what:
        print(f"FAIL {number} {os.path.basename(source)}: {what}", flush=True)
    return what, status


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rubato")
    parser.add_argument("path", nargs="+")
    parser.add_argument("--command", default="check")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=7200)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", default=None)
    a = parser.parse_intermixed_args()
    a.rubato = os.path.abspath(a.rubato)
    files = []
    for p in a.path:
        if os.path.isdir(p):
            for folder, _, names in os.walk(p):
                files += [os.path.join(folder, n) for n in names if n.endswith(".mo")]
        else:
            files.append(p)
    files.sort()
    start, done = time.time(), []

    def one(number):
        return run(a, files, number) if time.time() - start < a.seconds else None

    with ThreadPoolExecutor(a.jobs) as pool:
        done = [r for r in pool.map(one, range(a.first, a.first + a.count)) if r]
    failed = sum(1 for what, _ in done if what)
    by = {s: sum(1 for _, t in done if t == s) for s in (0, 1, 3)}
    print(f"{len(done)} mutants of {len(files)} files in {time.time() - start:.0f} s: "
          f"{by[0]} ran, {by[1]} wrong, {by[3]} stopped; {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
