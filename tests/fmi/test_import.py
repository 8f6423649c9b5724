#!/usr/bin/env python3
"""rubato simulate X.fmu: our own exports come back with the same results; wrong archives get a message each, and
nothing is written outside of the folder they are unpacked to."""
import csv
import io
import os
import shutil
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fmi_driver import RUBATO, rubato  # noqa: E402

if "yes" in os.environ.get("RUBATO_SANITIZED", "") or \
        not os.path.exists(os.path.join(os.path.dirname(RUBATO), "librubato_fmu.so")):
    sys.exit(77)
WORK = tempfile.mkdtemp()
TEMPORARY = os.path.join(WORK, "inner", "temporary")
os.makedirs(TEMPORARY)
os.environ["TMPDIR"] = TEMPORARY
PLANT = """model Plant
  parameter Real k = 4;
  input Real u(start=1);
  output Real y;
  Real x[2](start={1, 0}, each fixed=true);
  discrete Real held(start=0, fixed=true);
  Integer turns(start=0, fixed=true);
  Boolean up = x[2] > 0;
equation
  der(x) = {x[2], -k*x[1] + u};
  when sample(0, 0.25) then
    held = x[1];
  end when;
  when x[1] < 0 then
    turns = pre(turns) + 1;
  end when;
  y = x[1] + held;
  annotation(experiment(StopTime=3, Tolerance=1e-8));
end Plant;
"""


def rows(text):
    found = [r for r in csv.reader(io.StringIO(text)) if len(r) > 1]
    return found[0], [[float(x) for x in r] for r in found[1:]]


def last(*command):
    names, values = rows(rubato("simulate", *command, "--output", "-", "--quiet"))
    return dict(zip(names, values[-1]))


def near(a, b, tolerance=1e-5):
    assert abs(a - b) <= tolerance * max(1, abs(b)), (a, b)


def export(model, version, *options):
    path = os.path.join(WORK, f"plant{version}.fmu")
    rubato("fmu", model, "--fmi", str(version), "--output", path, *options)
    return path


def check_round_trip(model):
    for values in ([], ["--set", "k=9", "--set", "u=0.5"]):
        want = last(model, *values)
        for version in (2, 3):
            fmu = export(model, version)
            for kind in ("me", "cs"):
                got = last(fmu, "--trust", "--kind", kind, *values)
                for name in ("x[1]", "x[2]", "held", "turns", "up", "y", "u"):
                    near(got[name], want[name])
    got = last(export(model, 3), "--trust", "--set", "x[2]=1", "--stop", "0.2", "--method", "dopri5")
    near(got["x[1]"], last(model, "--set", "x[2]=1", "--stop", "0.2")["x[1]"])
    assert os.listdir(TEMPORARY) == [], "what was unpacked is removed"


def check_inputs(model):
    """A jump of an input at t = 1, and a ramp afterwards."""
    path = os.path.join(WORK, "in.csv")
    with open(path, "w") as f:
        f.write("time,u\n0,1\n1,1\n1,5\n3,7\n")
    # x' = {x2, -4 x1 + u}: by hand, with the exact solution piece by piece
    import math
    a, b = 1 - 0.25, 0.0                                     # about the rest 1/4
    x = [0.25 + a * math.cos(2), -2 * a * math.sin(2)]
    p, q = 1.25 - 0.0, 0.25                                  # rest (5 + s)/4 moves with 1/4
    c, s = math.cos(4), math.sin(4)
    d, e = x[0] - p, (x[1] - q) / 2
    want = p + q * 2 + d * c + e * s
    for version in (2, 3):
        got = last(export(model, version), "--trust", "--kind", "me", "--inputs", path)
        near(got["x[1]"], want)
        near(got["u"], 7)


def changed(fmu, name, change):
    """A copy of the archive in which one file is changed (None: left out)."""
    path = os.path.join(WORK, name + ".fmu")
    with zipfile.ZipFile(fmu) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            data = change(info.filename, old.read(info.filename))
            if data is not None:
                new.writestr(info.filename, data)
    return path


def refused(fmu, words, status=1):
    before = sorted(os.walk(WORK))
    text = rubato("simulate", fmu, "--trust", "--output", "-", status=status)
    assert words in text, (fmu, text)
    assert sorted(os.walk(WORK)) == before, "something was written"


def edit(old, new):
    def change(name, data):
        if name != "modelDescription.xml":
            return data
        assert old in data
        return data.replace(old, new)
    return change


def check_wrong(model):
    fmu = export(model, 3)
    text = rubato("simulate", fmu, status=2)
    assert "--trust runs it" in text, text
    refused(changed(fmu, "code", lambda n, d: None if n.endswith(".so") else d),
            "it holds no code for this machine")
    refused(changed(fmu, "noelf", lambda n, d: b"no code" if n.endswith(".so") else d),
            "its code cannot be loaded")
    refused(changed(fmu, "token", edit(b'instantiationToken="{', b'instantiationToken="{0')),
            "it cannot be instantiated: this is the model")
    refused(changed(export(model, 2), "guid", edit(b'guid="{', b'guid="{0')),
            "it cannot be instantiated: this is the model")
    refused(changed(fmu, "half", lambda n, d: d[:700] if n == "modelDescription.xml" else d),
            "of modelDescription.xml: ")
    refused(changed(fmu, "none", lambda n, d: None if n == "modelDescription.xml" else d),
            "it has no modelDescription.xml")
    refused(changed(fmu, "version", edit(b'fmiVersion="3.0"', b'fmiVersion="1.0"')),
            "only 2.0 and 3.0 are known")
    refused(changed(fmu, "entity", edit(b"<fmiModelDescription", b'<!DOCTYPE a [<!ENTITY b "c">]>'
                                                                 b"<fmiModelDescription")),
            "a document type is not accepted")
    refused(changed(fmu, "number", edit(b'valueReference="0"', b'valueReference="x"')),
            "which is no number")
    many = b"".join(b'<Float64 name="big%d" valueReference="%d"><Dimension start="10000000"/></Float64>'
                    % (k, 900000 + k) for k in range(430))  # together 4.3e9 elements: more than an int holds
    refused(changed(fmu, "large", edit(b"</ModelVariables>", many + b"</ModelVariables>")),
            "more than 10000000 elements of variables")
    big = b'<Float64 name="b" valueReference="900000"><Dimension start="5000000"/></Float64></ModelVariables>'
    rates = b'<ContinuousStateDerivative valueReference="900000"/>' * 900 + b"</ModelStructure>"
    refused(changed(fmu, "states", lambda n, d: d if n != "modelDescription.xml" else
                    d.replace(b"</ModelVariables>", big).replace(b"</ModelStructure>", rates)),
            "more than 10000000 states")
    refused(changed(fmu, "size", edit(b"</ModelVariables>", b'<Float64 name="b" valueReference="900000">'
                                      b'<Dimension valueReference="900000" start="1e300"/></Float64></ModelVariables>')),
            "the size of 'b' is not known")
    refused(changed(fmu, "program", lambda n, d: d[:-8] if n.endswith(".rbp") else d),
            "it cannot be instantiated: ")
    for k, name in enumerate(("../outside", "a/../../outside", "/" + WORK + "/outside", "a\\b")):
        path = os.path.join(WORK, f"climbs{k}.fmu")
        shutil.copy(fmu, path)
        with zipfile.ZipFile(path, "a") as z:
            z.writestr(name, "x")
        refused(path, "leads out of it")
    path = os.path.join(WORK, "bomb.fmu")
    shutil.copy(fmu, path)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as z:
        z.writestr("resources/bomb", bytes(1000))
    with open(path, "rb") as f:
        data = bytearray(f.read())
    at = data.rindex(b"PK\x01\x02")  # the size that the archive tells: 4,294,967,294 bytes
    data[at + 24:at + 28] = b"\xfe\xff\xff\xff"
    with open(path, "wb") as f:
        f.write(data)
    refused(path, "more than is allowed")
    path = os.path.join(WORK, "text.fmu")
    with open(path, "w") as f:
        f.write("no archive")
    refused(path, "it is no zip archive")
    text = rubato("simulate", fmu, "--trust", "--set", "nobody=1", "--output", "-", status=2)
    assert "the unit has no variable 'nobody'" in text, text
    text = rubato("simulate", export(model, 2, "--kind", "cs"), "--trust", "--kind", "me", status=1)
    assert "it has no Model Exchange" in text, text


LOOP = """model Loop
  model Slow = Rubato.FMU(file = "plant2.fmu", interval = 0.1);
  Rubato.FMU fast(file = "plant3.fmu", interval = 0.02, k = 9);
  Slow slow;
  Real x(start = 0, fixed = true);
equation
  der(x) = fast.y;
  fast.u = 1 - x;
  connect(fast.y, slow.u);
end Loop;
"""
BLOCK = """block Plant
  parameter Real k = 4;
  parameter Integer n = 2;
  parameter Boolean on = true;
  parameter String file = "text" "A name that the component needs itself";
  input Real u(start = 1);
  input Boolean reset(start = false);
  input Real w[2](start = {1, 2});
  output Real y(unit = "m");
  output Boolean up;
  output Integer turns(start = 0, fixed = true);
  output Real z[2];
  Real x[2](start = {1, 0}, each fixed = true);
equation
  der(x) = {x[2], -k*x[1] + u};
  when x[1] < 0 then
    turns = pre(turns) + 1;
  end when;
  y = x[1];
  up = x[2] > 0 and not reset;
  z = if on then n*w else -w;
end Plant;
"""
USE = """model Use
  Rubato.FMU p(file = "block.fmu", interval = 0.25, n = 3, k = 9);
equation
  p.u = time;
  p.reset = time > 0.6;
  p.w = {time, -time};
end Use;
"""


def write(name, text):
    path = os.path.join(WORK, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def plant_step(x, u, h, k):
    """x'' = -k x + u with constant u, exactly."""
    import math
    w, rest = math.sqrt(k), u / k
    a, b = x[0] - rest, x[1] / w
    c, s = math.cos(w * h), math.sin(w * h)
    return [rest + a * c + b * s, w * (b * c - a * s)]


def check_components():
    """Units inside a model: the same exchange of values by hand, each unit with its own steps."""
    write("plant.mo", PLANT.replace("y = x[1] + held", "y = x[1]"))
    for version in (2, 3):
        export(os.path.join(WORK, "plant.mo"), version)
    loop = write("Loop.mo", LOOP)
    got = last(loop, "--trust", "--stop", "1")
    fast, slow, x, u, v = [1.0, 0.0], [1.0, 0.0], 0.0, 1.0, 1.0
    for k in range(1, 51):
        x += 0.02 * fast[0]
        fast = plant_step(fast, u, 0.02, 9)
        u = 1 - x
        if k % 5 == 0:
            slow = plant_step(slow, v, 0.1, 4)
            v = fast[0]
    for name, want in (("fast.y", fast[0]), ("slow.y", slow[0]), ("x", x), ("slow.u", v)):
        near(got[name], want, 1e-7)
    assert "an FMU is code of others (--trust runs it)" in rubato("simulate", loop, status=3)
    text = rubato("fmu", loop, "--trust", "--output", os.path.join(WORK, "loop.fmu"), status=1)
    assert "a model with an FMU inside cannot be exported" in text, text
    rubato("fmu", write("block.mo", BLOCK), "--output", os.path.join(WORK, "block.fmu"))
    got = last(write("Use.mo", USE), "--trust", "--stop", "1")
    x = [1.0, 0.0]
    for k in range(4):
        x = plant_step(x, 0.25 * k, 0.25, 9)
    want = {"p.y": x[0], "p.up": 0, "p.turns": 1, "p.z[1]": 2.25, "p.z[2]": -2.25}
    for name, value in want.items():
        near(got[name], value, 1e-5)
    for words, model in (
            ("an FMU needs a file", "model M\n  Rubato.FMU p;\nend M;"),
            ("No such file or directory", 'model M\n  Rubato.FMU p(file = "no.fmu");\nend M;'),
            ("has no element 'q'", 'model M\n  Rubato.FMU p(file = "block.fmu", interval = 1, q = 1);\nend M;'),
            ("must be a String", 'model M\n  Rubato.FMU p(file = 3);\nend M;')):
        text = rubato("simulate", write("M.mo", model), "--trust", status=1)
        assert words in text, (words, text)


def main():
    model = os.path.join(WORK, "Plant.mo")
    with open(model, "w") as f:
        f.write(PLANT)
    check_round_trip(model)
    check_inputs(model)
    check_wrong(model)
    check_components()


main()
