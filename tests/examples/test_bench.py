#!/usr/bin/env python3
"""`make bench`: tables and pictures are read out of what the benchmarks print; one of them runs to a page."""
import os
import subprocess
import sys
import xml.dom.minidom

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD, TMP = os.environ["RUBATO_BUILD"], os.environ["TMPDIR"]
sys.path.insert(0, os.path.join(ROOT, "tools"))
import bench  # noqa: E402

if os.environ["RUBATO_SANITIZED"]:
    sys.exit(77)  # benchmarks are plain programs

SAMPLES = {  # what they print, shortened
    "rate": """
inverter: 1000 states, t = 0 .. 60
  rates      tol         ms  state_steps     rhs_rows     error steps 0        1        2
  1        1e-05    2238.12      4097000     36643000   5.3e-04    4097        0        0
  1        1e-06    3670.71      6995000     60823000   1.5e-05    6995        0        0
  auto     1e-05     629.11       376752      3464131   1.8e-05     210    11328      680
  auto     1e-06     836.08       575973      5039407   8.4e-07     307    19584     2094

Figures 1, 4, 5: at equal error, single rate and IDA over auto; at equal tolerance, time and error of auto over single rate
  model              wall    IDA + KLU  state_steps  time auto/1 error auto/1
  inverter          11.20        33.10        20.00         0.23         0.06
""",
    "ode": """
van der Pol, mu = 1  (n = 2, t = 0 .. 20)
  solver             tol     error         ms    steps      rhs     jac      LU  reject  time / best of SUNDIALS
  cvode            1e-03   1.3e-01     0.1459      164      247       3      32      16
  cvode            1e-04   3.7e-02     0.2053      237      347       5      41      21
  vdp1: time / best of SUNDIALS at equal error: auto 0.03, best fixed 0.07

Geometric mean of time / best of CVODE, IDA, ARKODE at equal achieved error:
  auto         0.243 over 118 runs, 3 of them lost
  best fixed   0.190 over 118 runs, 1 lost
""",
    "lied": "    crabs       path translate s instantiate s  memory MB evaluate ms  ns/crab to bound\n"
            "        1 components      0.0154        0.0004       15.2      0.0001    104.0     5.19\n"
            "        4 components      0.0154        0.0004       15.2      0.0003     80.0     4.00\n",
    "robot": "method, step                             ms over partitions        E2      Einf\n"
             "IDA 1e-4                              812.1            4.90   1.2e-05   3.4e-05\n",
}


def rows(name, table=0):
    found = next(b for b in bench.BENCHES if b.name == name)
    return found.tables[table].rows(SAMPLES[name])


assert rows("rate") == [("inverter", "11.20", "33.10", "20.00", "0.23", "0.06")]
assert rows("ode") == [("vdp1", "0.03", "0.07")]
assert rows("ode", 1) == [("auto", "0.243", "118", "3"), ("best fixed", "0.190", "118", "1")]
assert [r[:2] for r in rows("lied")] == [("1", "components"), ("4", "components")]
assert rows("robot")[0][2] == "4.90" and len(rows("robot")) == 1
for b in bench.BENCHES:
    assert b.compared and b.change and b.tables, b.name
    program = next(w for w in b.command.split() if "/" in w and "rubato" not in w)
    source = program.replace("{b}/bench/", "bench/") + ("" if program.endswith(".py") else ".c")
    assert os.path.exists(os.path.join(ROOT, source)), source
    for picture in b.pictures:
        if b.name in SAMPLES:
            text = bench.svg(picture, picture.curves(SAMPLES[b.name]))
            drawn = xml.dom.minidom.parseString(text)
            assert len(drawn.getElementsByTagName("circle")) >= 2, b.name

page = os.path.join(TMP, "page.md")
p = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "bench.py"), BUILD, "--only", "theta", "--page", page],
                   capture_output=True, text=True)
assert p.returncode == 0, p.stdout + p.stderr
with open(page) as f:
    text = f.read()
for word in ("| processor |", "| compiler |", "*Compared with:*", "*What would change it:*", "| ThetaCircuit2Dynamic"):
    assert word in text, (word, text)
p = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "bench.py"), BUILD, "--only", "nothing"], capture_output=True, text=True)
assert p.returncode == 1 and "known are rate, cells" in p.stderr, p.stderr
sys.exit(0)
