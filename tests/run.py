#!/usr/bin/env python3
"""Runs every test and ends with the line `N passed, N failed`.

  tests/run.py [--build DIR] [--filter TEXT] [--jobs N] [--verbose] [--short]

Unit tests are the cmocka programs in DIR/unit. Files test_*.py are programs: they find DIR in the
environment variable RUBATO_BUILD, a fresh folder in TMPDIR, folders with libraries, if the caller has a MODELICAPATH, in
RUBATO_LIBRARIES, and "yes" in RUBATO_SANITIZED if code in DIR cannot be loaded by a program of others; exit status 77
leaves one out. Every other test is a file below tests/ whose comments carry its expectations, one per line, introduced by `//!`:

  //! command ARGS         what to run; {file} is this file, {dir} its folder, {tmp} a fresh
                           folder, {rubato} the program. Default: parse {file}
  //! error CODE [L:C]     this error (or `warning CODE`) is reported, at this line:column of the
                           file; without L:C, on the line where the comment itself stands
  //! environment A=B      set for the run; may be repeated
  //! exit N               exit status (default: 1 if an error is expected, else 0)
  //! output TEXT          standard output contains TEXT          (\\n is a line break)
  //! golden FILE          standard output is exactly the content of FILE (beside the test)
  //! message TEXT         the printed messages contain TEXT
  //! input SHELL          a command to run before, in {tmp}: it prepares files
  //! check SHELL          a command to run afterwards, in {tmp}: it must succeed
  //! needs WORD           an optional library; the test is left out if `rubato methods` does not
                           print WORD
  //! near NAME(T) = VALUE within EPS
                           in the CSV result on standard output the variable has this value at
                           the point nearest to time T; the command ends with --output -
  //! stat KEY OP VALUE    the command, run with --stats, gives this number. KEY is a name in the
                           statistics (steps_accepted, levels[1].steps), OP one of < <= = >= >,
                           VALUE a sum of products of numbers and keys (5 * levels[0].steps)
  //! same-as OPTIONS      with these additional options standard output is the same, byte for
                           byte; the command has --output -. An option given twice counts as
                           given last

  //! long                 left out with --short; in a program the line is `# long`. What it runs, shorter tests
                           run as well, with fewer points or smaller models

All errors and warnings must be expected ones: one message too many fails the test.
"""
import argparse
import csv
import difflib
import io
import json
import math
import operator
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
TIME_LIMIT = 120
COMPARE = {"<": operator.lt, "<=": operator.le, "=": operator.eq, ">=": operator.ge,
           ">": operator.gt}


def folder():
    """A temporary one; a compiler in the background may still write there when it is removed."""
    return tempfile.TemporaryDirectory(ignore_cleanup_errors=True)


CACHE = folder()  # for this run of all tests, not that of the user


def run_unit(program):
    """(passed, failed, left out, text of failures) of one cmocka program."""
    with folder() as tmp:
        env = dict(os.environ, CMOCKA_MESSAGE_OUTPUT="TAP", TMPDIR=tmp,
                   XDG_CACHE_HOME=CACHE.name)
        try:
            p = subprocess.run([program], capture_output=True, text=True, env=env, cwd=HERE,
                               errors="replace", timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            return 0, 1, 0, "time limit"
    out = p.stdout + p.stderr
    passed = len(re.findall(r"^ok \d+\b(?! # SKIP)", out, re.M))
    failed = len(re.findall(r"^not ok \d+\b(?! # SKIP)", out, re.M))
    left_out = len(re.findall(r"^(?:not )?ok \d+ # SKIP", out, re.M))
    if p.returncode != 0 and failed == 0:
        failed = 1  # a crash before the summary
    if passed + failed + left_out == 0:
        failed, out = 1, "no test ran\n" + out
    return passed, failed, left_out, out if failed else ""


def run_script(path, build, sanitized):
    """Text of the failure, empty if the test passed, None if it was left out."""
    with folder() as tmp:
        env = dict(os.environ, HOME=tmp, TMPDIR=tmp, MODELICAPATH="", RUBATO_BUILD=build,
                   RUBATO_LIBRARIES=os.environ.get("MODELICAPATH", ""),
                   RUBATO_LIBRARY=os.path.join(build, "librubato.so"),
                   RUBATO_SANITIZED="yes" if sanitized else "")
        try:
            p = subprocess.run([sys.executable, path], capture_output=True, text=True, env=env,
                               cwd=os.path.dirname(HERE), errors="replace", timeout=TIME_LIMIT)
        except subprocess.TimeoutExpired:
            return "time limit"
    return None if p.returncode == 77 else "" if p.returncode == 0 else p.stdout + p.stderr


def is_sanitized(program):
    with open(program, "rb") as f:
        return re.search(rb"__[at]san_init", f.read()) is not None


def is_long(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return re.search(r"^(//!|#) long$", f.read(), re.M) is not None


class Expectation:
    def __init__(self, path):
        self.command, self.inputs, self.outputs, self.texts = "parse {file}", [], [], []
        self.checks, self.values, self.needs, self.stats, self.same = [], [], [], [], []
        self.messages, self.exit, self.golden, self.environment = [], None, None, []
        with open(path, encoding="utf-8", errors="replace") as f:
            for number, line in enumerate(f, 1):
                m = re.search(r"//!\s*([\w-]+)\s*(.*?)\s*$", line)
                if m:
                    self.take(m.group(1), m.group(2), number)

    def take(self, word, rest, number):
        if word in ("error", "warning"):
            code, _, place = rest.partition(" ")
            at = tuple(int(x) for x in place.split(":")) if place else (number, None)
            self.messages.append((word, code, at))
        elif word == "command":
            self.command = rest
        elif word == "exit":
            self.exit = int(rest)
        elif word == "output":
            self.outputs.append(rest.replace("\\n", "\n"))
        elif word == "message":
            self.texts.append(rest.replace("\\n", "\n"))
        elif word == "environment":
            self.environment.append(rest)
        elif word == "golden":
            self.golden = rest
        elif word == "input":
            self.inputs.append(rest)
        elif word == "near":
            m = re.fullmatch(r"(.+)\((\S+)\)\s*=\s*(\S+)\s+within\s+(\S+)", rest)
            if not m:
                raise ValueError(f"'near' needs NAME(T) = VALUE within EPS in line {number}")
            self.values.append((m.group(1), *(float(x) for x in m.groups()[1:])))
        elif word == "stat":
            m = re.fullmatch(r"(\S+)\s+([<>]=?|=)\s+(.+)", rest)
            if not m:
                raise ValueError(f"'stat' needs KEY OP VALUE in line {number}")
            self.stats.append(m.groups())
        elif word == "same-as":
            self.same.append(rest)
        elif word == "check":
            self.checks.append(rest)
        elif word == "needs":
            self.needs.append(rest)
        elif word != "long":
            raise ValueError(f"unknown expectation '{word}' in line {number}")


def compare_messages(expected, lines):
    """Text that says what is missing or superfluous, empty if all is as expected."""
    got = []
    for line in lines:
        m = json.loads(line)
        if m["severity"] in ("error", "warning"):
            got.append((m["severity"], m["code"], m.get("line"), m.get("column"), m["message"]))
    problems = []
    for severity, code, (line, column) in expected:
        for g in got:
            if g[:2] == (severity, code) and (g[2] is None or g[2] == line) and \
                    (column is None or g[3] == column):
                got.remove(g)
                break
        else:
            problems.append(f"missing: {severity} {code} at {line}:{column or '*'}")
    problems += [f"unexpected: {g[0]} {g[1]} at {g[2]}:{g[3]}: {g[4]}" for g in got]
    return "\n".join(problems)


def compare_values(expected, result):
    """Text that says which values are not near the expected ones."""
    rows = list(csv.reader(io.StringIO(result)))
    if len(rows) < 2:
        return "no result on standard output"
    problems = []
    for name, time, value, within in expected:
        if name not in rows[0]:
            problems.append(f"no variable {name} in the result")
            continue
        row = min(rows[1:], key=lambda r: abs(float(r[0]) - time))
        got = float(row[rows[0].index(name)])
        if not abs(got - value) <= within:
            problems.append(f"{name}({row[0]}) is {got!r}, expected {value!r} within {within}")
    return "\n".join(problems)


def stat_value(statistics, text):
    """Value of a sum of products of numbers and keys."""
    def factor(word):
        try:
            return float(word)
        except ValueError:
            found = statistics
            for part in re.findall(r"[^.\[\]]+", word):
                found = found[int(part) if isinstance(found, list) else part]
            return found
    return sum(math.prod(factor(word.strip()) for word in product.split("*"))
               for product in re.split(r"\s\+\s", text))


def compare_statistics(expected, path):
    """Text that says which statistics are not as expected."""
    try:
        with open(path, encoding="utf-8") as f:
            statistics = json.load(f)
    except (OSError, ValueError) as e:
        return f"no statistics: {e}"
    problems = []
    for key, sign, value in expected:
        try:
            got, limit = stat_value(statistics, key), stat_value(statistics, value)
        except (KeyError, IndexError, TypeError) as e:
            problems.append(f"stat {key} {sign} {value}: not in the statistics: {e}")
            continue
        if not COMPARE[sign](got, limit):
            problems.append(f"{key} is {got}, expected {sign} {value}, which is {limit:g}")
    return "\n".join(problems)


def difference(expected, got):
    lines = difflib.unified_diff(expected.splitlines(), got.splitlines(), "expected", "printed",
                                 lineterm="", n=1)
    return "\n".join(list(lines)[:40])


def run_file(path, rubato, methods, sanitized):
    """Text of the failure, empty if the test passed, None if it was left out.

    Messages are compared as JSON, everything else in a run that prints them as text. Sanitized, the
    one run does for both where nobody looks at the text."""
    try:
        want = Expectation(path)
    except ValueError as e:
        return str(e)
    if not all(word in methods for word in want.needs):
        return None
    with folder() as tmp:
        def fill(words):
            for name, value in (("file", path), ("dir", os.path.dirname(path)), ("tmp", tmp),
                                ("rubato", rubato)):
                words = words.replace("{" + name + "}", value)
            return words
        env = dict(os.environ, HOME=tmp, MODELICAPATH="", XDG_CACHE_HOME=CACHE.name)
        env.update(fill(e).split("=", 1) for e in want.environment)
        for command in want.inputs:
            done = subprocess.run(fill(command), shell=True, cwd=tmp, env=env)
            if done.returncode != 0:
                return f"the input command failed: {command}"
        args = [fill(a) for a in shlex.split(want.command)]
        statistics = os.path.join(tmp, "statistics.json")

        def run(*more):
            return subprocess.run([rubato, *args, *more], capture_output=True, text=True, cwd=tmp,
                                  env=env, errors="replace", timeout=TIME_LIMIT)
        try:
            coded_only = sanitized and not want.texts and not want.checks
            text = None if coded_only else run()
            coded = run("--diagnostics=json", *(["--stats", statistics] if want.stats else []))
            text = text or coded
            others = [(o, run(*shlex.split(fill(o))).stdout) for o in want.same]
        except subprocess.TimeoutExpired:
            return "time limit"
        problems = [compare_statistics(want.stats, statistics)] if want.stats else []
        failed = [c for c in want.checks
                  if subprocess.run(fill(c), shell=True, cwd=tmp, env=env).returncode != 0]
    lines = [l for l in coded.stderr.splitlines() if l.startswith("{")]
    problems.append(compare_messages(want.messages, lines))
    problems += [f"check failed: {c}" for c in failed]
    problems += [f"not the same with {options}\n{difference(text.stdout, other)}"
                 for options, other in others if not text.stdout or other != text.stdout]
    errors = any(m[0] == "error" for m in want.messages)
    status = want.exit if want.exit is not None else 1 if errors else 0
    if text.returncode != status:
        problems.append(f"exit status {text.returncode}, expected {status}\n{text.stderr[-2000:]}")
    if want.golden:
        with open(os.path.join(os.path.dirname(path), want.golden), encoding="utf-8") as f:
            problems.append(difference(f.read(), text.stdout))
    if want.values:
        problems.append(compare_values(want.values, text.stdout))
    problems += [f"output lacks: {t}\n{text.stdout[:2000]}" for t in want.outputs
                 if t not in text.stdout]
    problems += [f"messages lack: {t}\n{text.stderr[:2000]}" for t in want.texts
                 if t not in text.stderr]
    return "\n".join(p for p in problems if p)


def test_files():
    for folder, folders, files in os.walk(HERE):
        folders.sort()
        if os.path.basename(folder) in ("unit", "input"):
            folders[:] = []
            continue
        for name in sorted(files):
            if name.endswith(".mo") or re.fullmatch(r"test_.*\.py", name):
                yield os.path.join(folder, name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--filter", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() + 1)  # some wait more than they work
    parser.add_argument("--verbose", action="store_true", help="every test with its seconds")
    parser.add_argument("--short", action="store_true")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    passed = failed = left_out = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        unit_folder = os.path.join(build, "unit")
        names = [n[:-2] for n in os.listdir(os.path.join(HERE, "unit"))
                 if n.startswith("test_") and n.endswith(".c") and options.filter in n]
        units = sorted(os.path.join(unit_folder, n) for n in names)
        for program, (good, bad, none, text) in zip(units, pool.map(run_unit, units)):
            passed, failed, left_out = passed + good, failed + bad, left_out + none
            print(f"{'FAIL' if bad else 'ok  '} {os.path.basename(program)} ({good} passed)")
            if bad:
                print(text)
        files = [f for f in test_files() if options.filter in f]
        if options.short:
            files = [f for f in files if not is_long(f)]
        files.sort(key=lambda f: not f.endswith(".py"))  # the long ones first: nobody waits for the last
        rubato = os.path.join(build, "rubato")
        methods = subprocess.run([rubato, "methods"], capture_output=True, text=True).stdout
        sanitized = is_sanitized(rubato)

        def run(path):
            begun = time.monotonic()
            text = (run_script(path, build, sanitized) if path.endswith(".py") else
                    run_file(path, rubato, methods, sanitized))
            return text, time.monotonic() - begun
        for path, (text, seconds) in zip(files, pool.map(run, files)):
            if text is None:
                left_out += 1
                continue
            passed, failed = passed + (not text), failed + bool(text)
            if text or options.verbose:
                print(f"{'FAIL' if text else 'ok  '} {os.path.relpath(path, HERE)} ({seconds:.1f} s)")
                if text:
                    print(text)
    if left_out:
        print(f"{left_out} left out: a library or a locale that they need is missing")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
