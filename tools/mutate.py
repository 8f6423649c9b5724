#!/usr/bin/env python3
"""Checks that `rubato check` survives wrong models: no crash, no hang.

  tools/mutate.py RUBATO [--count N] [--seed N] [--seconds S] [--keep DIR] FILE_OR_DIR...

Takes the .mo files named, changes each at random (drops, doubles, swaps or replaces words and
lines) and runs `RUBATO check` on it. Exit status 0 and 1 are answers; anything else, a message of
a sanitizer, or more than 5 s is a failure, and the text is kept in DIR.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time

LIMIT = 5
WORDS = ["Real", "Integer", "Boolean", "String", "parameter", "constant", "input", "output",
         "flow", "stream", "each", "final", "inner", "outer", "replaceable", "redeclare",
         "extends", "der", "pre", "size", "0", "-1", "1e300", "2147483648", "x", "M", "{}",
         "end", "time", "if", "then", "else", "when", "for", "loop", "connect", "[", "]", "(",
         ")", "=", ":=", "+", "*", "^", ".", ",", ";", ":", "\"a\"", "fill(0, 0)", "1:0"]


def mutate(text, rng):
    words = re.findall(r"\w+|\s+|.", text)
    for _ in range(rng.randint(1, 4)):
        if not words:
            break
        a, b = rng.randrange(len(words)), rng.randrange(len(words))
        kind = rng.randrange(6)
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
        else:
            lines = "".join(words).split("\n")
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines.insert(i, lines[j])
            words = re.findall(r"\w+|\s+|.", "\n".join(lines), re.S)
    return "".join(words)


def failure(rubato, path):
    """What went wrong, empty if nothing."""
    try:
        p = subprocess.run([rubato, "check", path], capture_output=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return f"more than {LIMIT} s"
    err = p.stderr.decode(errors="replace")
    if "Sanitizer" in err or "runtime error" in err:
        return next(l for l in err.split("\n") if "Sanitizer" in l or "runtime error" in l)
    if p.returncode not in (0, 1):
        return f"exit status {p.returncode}: {err.strip()[-200:]}"
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rubato")
    parser.add_argument("path", nargs="+")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--keep", default=None)
    a = parser.parse_args()
    files = []
    for p in a.path:
        if os.path.isdir(p):
            for folder, _, names in os.walk(p):
                files += [os.path.join(folder, n) for n in names if n.endswith(".mo")]
        else:
            files.append(p)
    files.sort()
    rng, failed, start, runs = random.Random(a.seed), 0, time.time(), 0
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "mutant.mo")
        while runs < a.count and time.time() - start < a.seconds:
            runs += 1
            source = rng.choice(files)
            with open(source, encoding="utf-8", errors="replace") as f:
                text = mutate(f.read(), rng)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            what = failure(a.rubato, path)
            if not what:
                continue
            failed += 1
            print(f"FAIL {source}: {what}")
            if a.keep:
                os.makedirs(a.keep, exist_ok=True)
                with open(os.path.join(a.keep, f"{failed}.mo"), "w", encoding="utf-8") as f:
                    f.write(text)
    print(f"{runs} mutants, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
