#!/usr/bin/env python3
"""Clocks in FMI 3.0: partitions activated from outside (Scheduled Execution), and clocks that tell that they ticked."""
import os
import re
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fmi_driver import Archive, Instance, RUBATO, rubato  # noqa: E402

if "yes" in os.environ.get("RUBATO_SANITIZED", "") or \
        not os.path.exists(os.path.join(os.path.dirname(RUBATO), "librubato_fmu.so")):
    sys.exit(77)
WORK = tempfile.mkdtemp()
CONTROL = """model Control "A fast partition with a discretised state, a slow one"
  parameter Real k = 0.5;
  input Real u(start = 2);
  output Real y, z;
  Real fast(start = 0), slow(start = 0), w = 2*u;
  Real x(start = 1);
equation
  when Clock(Clock(1, 10), "ImplicitEuler") then
    fast = previous(fast) + k*(sample(w) - previous(fast));
    der(x) = fast - x;
  end when;
  when Clock() then
    slow = previous(slow) + subSample(shiftSample(x, 2), 3);
  end when;
  y = hold(fast);
  z = hold(slow);
end Control;
"""


def write(name, text):
    path = os.path.join(WORK, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def simulated(model, *options):
    out = rubato("simulate", model, *options, "--output", "-", "--quiet")
    rows = [line.split(",") for line in out.splitlines() if "," in line]
    return dict(zip((n.strip('"') for n in rows[0]), map(float, rows[-1])))


def export(model, *options):
    path = os.path.join(WORK, f"{len(os.listdir(WORK))}.fmu")
    rubato("fmu", model, *options, "--output", path)
    return Archive(path, path + ".unpacked")


def near(a, b):
    assert abs(a - b) < 1e-12, (a, b)


def check_scheduled(model):
    archive = export(model, "--kind", "se")
    assert archive.xml.find("ScheduledExecution") is not None
    assert archive.xml.find("CoSimulation") is None and archive.xml.find("ModelExchange") is None
    clocks = [v for v in archive.xml.find("ModelVariables") if v.tag == "Clock"]
    assert all(c.get("causality") == "input" and c.get("intervalVariability") == "constant" for c in clocks)
    told = {(c.get("intervalDecimal"), c.get("shiftDecimal"), c.get("priority")): c for c in clocks}
    assert sorted(told, key=str) == [("0.1", "0.2", "1"), ("0.1", None, "0"), ("0.3", "0.2", "2")] and len(clocks) == 3, told
    fast, between, slow = (told[k] for k in (("0.1", None, "0"), ("0.1", "0.2", "1"), ("0.3", "0.2", "2")))
    for name, clock in (("x", fast), ("fast", fast), ("slow", slow)):
        assert archive.element[name].get("clocks") == clock.get("valueReference"), name
        assert archive.element[name].get("variability") == "discrete", name
    assert archive.element["u"].get("variability") == "discrete"
    s = Instance(archive, "se")
    s.start()
    near(s.get("y"), 0)
    for k in range(11):
        s.activate(fast.get("name"), k/10)
        if k >= 2:
            s.activate(between.get("name"), k/10)
        if k >= 2 and (k - 2) % 3 == 0:
            s.activate(slow.get("name"), k/10)
    want = simulated(model, "--stop", "1")
    for name in ("x", "fast", "slow", "y", "z"):
        near(s.get(name), want[name])
    near(s.get("time"), 1)
    assert s.locks == [1, -1]*23, s.locks
    assert s.ticked(fast.get("name")) and not s.ticked(slow.get("name"))
    s.set("u", 5)  # an input between two ticks, through an equation of the rest
    before = s.get("fast")
    s.activate(fast.get("name"), 1.1)
    near(s.get("fast"), before + 0.5*(10 - before))
    s.activate("u", 1.2, status=3)
    assert "is no clock" in s.said[-1], s.said
    s.free()


def check_import(model):
    """The same unit run by our scheduler, with an input that jumps between ticks."""
    path, out = os.path.join(WORK, "se.fmu"), os.path.join(WORK, "in_se.csv")
    rubato("fmu", model, "--kind", "se", "--output", path)
    kept = os.path.join(WORK, "se.csv")
    rubato("simulate", path, "--trust", "--stop", "1", "--interval", "0.25", "--output", kept)
    with open(kept) as f:
        lines = f.read().splitlines()
    names = lines[0].replace('"', "").split(",")
    rows = [dict(zip(names, map(float, line.split(",")))) for line in lines[1:]]
    assert [r["time"] for r in rows] == [0, 0.25, 0.5, 0.75, 1]
    for row in rows:
        want = simulated(model, "--stop", str(row["time"])) if row["time"] else {"fast": 2, "slow": 0, "x": 1}
        for name in ("fast", "slow", "x"):
            near(row[name], want[name])
    inputs = os.path.join(WORK, "in.csv")
    with open(inputs, "w") as f:
        f.write("time,u\n0,2\n0.04,2\n0.05,7\n2,7\n")
    rubato("simulate", path, "--trust", "--stop", "0.1", "--inputs", inputs, "--output", out)
    with open(out) as f:
        last = f.read().splitlines()[-1].split(",")
    near(float(last[names.index("fast")]), 2 + 0.5*(14 - 2))
    text = rubato("simulate", path, "--trust", "--kind", "cs", status=1)
    assert "it has no Co-Simulation" in text, text


def check_triggered():
    """Clocks that somebody else has to trigger: the given inputs say when."""
    path, out, inputs = (os.path.join(WORK, n) for n in ("ticked.fmu", "ticked.csv", "ticks.csv"))
    with zipfile.ZipFile(os.path.join(WORK, "se.fmu")) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "modelDescription.xml":
                data, n = re.subn(rb'"constant"( priority="[0-9]+") intervalDecimal="0.1"( shiftDecimal="0.2")?', rb'"triggered"\1', data)
                assert n == 2
                fast, between = re.findall(rb'<Clock name="([^"]+)"[^/]*"triggered"', data)
            new.writestr(name, data)
    order = [fast.decode(), between.decode()]
    if b'"triggered" priority="0"' not in data.split(fast)[1].split(b"/>")[0]:
        order.reverse()
    with open(inputs, "w") as f:
        f.write("time,%s,%s\n" % tuple(order))
        for k in range(21):  # a row between two ticks, and a tick that stands twice
            f.write(f"{k/20},{int(k % 2 == 0)},{int(k % 2 == 0 and k >= 4)}\n" * (2 if k == 6 else 1))
    rubato("simulate", path, "--trust", "--stop", "1", "--interval", "0.25", "--inputs", inputs, "--output", out)
    with open(out) as a, open(os.path.join(WORK, "se.csv")) as b:
        assert a.read() == b.read()
    rubato("simulate", path, "--trust", "--stop", "1", "--output", out)  # nobody triggers them
    with open(out) as f:
        lines = f.read().splitlines()
    names = lines[0].replace('"', "").split(",")
    near(float(lines[-1].split(",")[names.index("fast")]), 0)


def check_told(model):
    """Model Exchange and Co-Simulation tick by themselves and say so."""
    archive = export(model)
    clocks = [v for v in archive.xml.find("ModelVariables") if v.tag == "Clock"]
    assert [c.get("causality") for c in clocks] == ["local"]*3
    assert [c.get("intervalVariability") for c in clocks] == ["triggered"]*3
    by_name = {v.get("valueReference"): v.get("name") for v in clocks}
    fast, slow = (by_name[archive.element[n].get("clocks")] for n in ("fast", "slow"))
    s = Instance(archive, "cs")
    s.start(end=1.0)
    assert s.ticked(fast) and not s.ticked(slow)
    s.step(0, 0.15)
    assert not s.ticked(fast) and not s.ticked(slow)
    s.step(0.15, 0.05)
    assert s.ticked(fast) and s.ticked(slow)
    s.call("SetClock", None, 1, None, status=3)
    assert "SetClock" in s.said[-1], s.said
    s.call("GetBinary", None, 1, None, None, 1, status=3)
    assert "GetBinary" in s.said[-1], s.said
    s.free()


def check_refusals(model):
    path = os.path.join(WORK, "no.fmu")
    for options, words in ((["--kind", "se,cs"], "se is a kind by itself"),
                           (["--kind", "se", "--fmi", "2"], "se is a kind by itself")):
        text = rubato("fmu", model, *options, "--output", path, status=1)
        assert words in text, text
    for text, words in (("Real x(start = 1);\nequation\n  der(x) = -x;", "continuous states (1)"),
                        ("Real x;\nequation\n  x = time;", "whose clocks all have a constant interval")):
        other = write("M.mo", f"model M\n  {text}\nend M;\n")
        assert words in rubato("fmu", other, "--kind", "se", "--output", path, status=1)


ORDERED = """model Ordered "The slow partition begins first, and needs the fast one, which needs a third"
  output Real y;
  Real a(start = 0), b(start = 0), c(start = 0), d(start = 0);
equation
  when Clock(1, 10) then
    a = previous(a) + noClock(c);
  end when;
  when Clock() then
    b = previous(b) + 1;
    d = subSample(a, 2) + b;
  end when;
  when Clock(1, 10) then
    c = 2*previous(c) + 1;
  end when;
  y = hold(d);
end Ordered;
"""


def check_order():
    """Priorities follow from who uses what; where two partitions need each other, there are none."""
    model = write("Ordered.mo", ORDERED)
    path, out = os.path.join(WORK, "ordered.fmu"), os.path.join(WORK, "ordered.csv")
    rubato("fmu", model, "--kind", "se", "--output", path)
    rubato("simulate", path, "--trust", "--stop", "1", "--interval", "0.1", "--output", out)
    with open(out) as f:
        lines = f.read().splitlines()
    last = dict(zip(lines[0].replace('"', "").split(","), map(float, lines[-1].split(","))))
    want = simulated(model, "--stop", "1")
    for name in "abcd":
        near(last[name], want[name])
    tangled = write("Tangled.mo", ORDERED.replace("noClock(c)", "noClock(superSample(b, 2))"))
    text = rubato("fmu", tangled, "--kind", "se", "--output", path, status=1)
    assert "use values of each other" in text, text


def main():
    model = write("Control.mo", CONTROL)
    check_scheduled(model)
    check_import(model)
    check_triggered()
    check_told(model)
    check_refusals(model)
    check_order()


main()
