#!/usr/bin/env python3
# long
"""The linter: each rule finds its mistake at its place, stays silent about what only looks like it, and can be switched;
the language server shows the same."""
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
from lsp_client import Client  # noqa: E402

RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
path = os.path.join(os.environ["TMPDIR"], "Mistakes.mo")
TEXT = '''package Mistakes "what the linter finds"
  constant Real g(unit="m/s2") = 9.81 "gravity";
  model Unused "unused names"
    parameter Real used(unit="1") = 1 "used";
    parameter Real spare(unit="1") = 2 "never used"; // W102
    parameter Integer n = 2 "used in a size";
    parameter Boolean show = true "used in an annotation" annotation(Dialog(enable=flag));
    parameter Boolean flag = true "used by the dialog of another";
    Real x[n](each unit="1") = fill(used, n) "a result";
  protected
    Real y = 3; // W101
    Real z = 4;
    Real w = z + (if show then w2 else 0);
    Real w2 = w;
  end Unused;
  partial model Open "others use its parameters"
    parameter Real k(unit="1") = 1 "of those who extend it";
  end Open;
  model Words "no description, no unit"
    parameter Real a(unit="1") = 1; // W103
    Real b = a; // W104
    Real c(unit="m") = 2;
    input Real d(unit="1"); // W103
  end Words;
  model Silent // W103
  end Silent;
  model Hides "names that hide others"
    parameter Real g(unit="1") = 2 "not that of the package"; // W105
    Real x[3](each unit="1") = {g*k for k in 1:3};
    parameter Integer i = 3 "of the model";
    Real y[3](each unit="1") = {i + j for j in 1:3};
    Real z[3](each unit="1") = {i for i in 1:3}; // W105
  end Hides;
  model Events "relations"
    Real x(unit="1") = time;
    Real a(unit="1") = if x > 1 then x else 1; // W106
    Real b(unit="1") = if x < 0 then -x else x; // W106
    Real c(unit="1") = noEvent(if x > 1 then x else 1);
    Real d(unit="1") = if x > 1 then 2 else 1;
    Boolean zero = x == 0; // W109
    Boolean none = p == 0;
    parameter Real p(unit="1") = 1 "a parameter";
    Real f(unit="1") = if p > 1 then p else 1;
    parameter Real q(unit="1") = if p > 1 then p else 1 "no event in parameters";
    Real e(unit="1") = q*p;
  end Events;
  model Evaluates "Evaluate"
    parameter Real r(unit="1") = 1 "a Real" annotation(Evaluate=true); // W107
    parameter Integer n = 1 "an Integer" annotation(Evaluate=true);
    Real v(unit="1") = r*n annotation(Evaluate=true); // W107
  end Evaluates;
  model Branches "if without else"
    parameter Boolean on = true "known";
    Real x(unit="1"), y(unit="1"), z(unit="1");
  equation
    if time > 1 then // W108
      x = time;
    end if;
    if on then
      z = 1;
    end if;
    if on then
      y = 1;
    else
      y = 2;
    end if;
    if on then
      assert(x > -1, "no equation, so no else is missed");
    end if;
  end Branches;
  function compare "comparisons"
    input Real u "a Real";
    input Integer k "an Integer";
    input Real v "never used"; // W102
    output Boolean y "result";
  protected
    Boolean t; // W101
    Real i = 1; // W101
  algorithm
    for i in 1:3 loop // W105
      y := i == 2; // an Integer, whatever it hides
    end for;
    t := true;
    y := u == 0.5; // W109
    y := u <> 0; // before a division
    y := k == 1;
    y := k <> 2 or u <> k; // W109
  end compare;
end Mistakes;
'''
with open(path, "w", encoding="utf-8") as f:
    f.write(TEXT)
wanted = sorted((n, m.group(1)) for n, line in enumerate(TEXT.splitlines(), 1) for m in re.finditer(r"// (W\d+)", line))


def found(*options):
    p = subprocess.run([RUBATO, "lint", path, "--diagnostics=json", *options], capture_output=True, text=True)
    messages = [json.loads(line) for line in p.stderr.splitlines() if line.startswith("{")]
    return sorted((m["line"], m["code"]) for m in messages), p


places, p = found()
assert places == wanted, "found %s\nwanted %s" % (sorted(set(places) - set(wanted)), sorted(set(wanted) - set(places)))
assert p.returncode == 0 and p.stdout.splitlines()[-1] == "%d findings in 1 file" % len(wanted), p.stdout
counts = {line.split()[0]: int(line.split()[2]) for line in p.stdout.splitlines()[:-1]}
assert counts == {code: sum(c == code for _, c in wanted) for code in counts} and len(counts) == 9, counts
assert found("--rules", "shadowed-name,W109")[0] == [w for w in wanted if w[1] in ("W105", "W109")]
assert found("--rules=-missing-unit,-W103")[0] == [w for w in wanted if w[1] not in ("W104", "W103")]
p = found("--rules", "nonsense")[1]
assert p.returncode == 2 and "there is no rule 'nonsense'" in p.stderr, p.stderr

probe = subprocess.run([RUBATO, "lsp"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
if "built without cJSON" not in probe.stderr:
    client = Client([RUBATO, "lsp"])
    uri = client.open(path)
    client.diagnostics(uri)
    client.wait(2)
    told = sorted((d["range"]["start"]["line"] + 1, d["code"]) for d in client.told[uri][1] if d["severity"] == 3)
    assert told == wanted, "the server tells %s" % told
    assert client.stop() == 0
print("%d findings" % len(wanted))
