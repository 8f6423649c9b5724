#!/usr/bin/env python3
"""rubato fmu --form sources: what the archive says, and the model built from it beside `rubato simulate`."""
import csv
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fmi_driver import RUBATO, rubato  # noqa: E402

BUILD = os.path.dirname(os.path.abspath(RUBATO))
if "yes" in os.environ.get("RUBATO_SANITIZED", ""):
    sys.exit(77)
WORK = tempfile.mkdtemp()
PLANT = """model Plant "Events, a clocked controller, a nonlinear equation, a stiff chain"
  parameter Integer n = 60;
  parameter Real k[2] = {3, 5};
  Real x[2](start = {1, 0}, each fixed = true), z(start = 1), chain[n](each start = 0, each fixed = true);
  Real u, sum;
  discrete Integer count(start = 0, fixed = true);
equation
  der(x) = {x[2], hold(u) - k[1]*x[1]};
  z + exp(z) = 5 + x[1] + sin(z);
  der(chain[1]) = 1e3*(x[1] - chain[1]) + sum;
  for i in 2:n loop
    der(chain[i]) = 1e2*(chain[i - 1] - chain[i]) + 1e-2*(chain[n + 1 - i] - chain[i]);
  end for;
  sum = 0.01*(chain*ones(n) - n*chain[1]);
  when x[1] < 0 then
    count = pre(count) + 1;
  end when;
  when Clock(1, 10) then
    u = if sample(x[2]) > 0 then -1 else 1;
  end when;
  annotation(experiment(StopTime = 2, Tolerance = 1e-8));
end Plant;
"""


def write(name, text):
    path = os.path.join(WORK, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def last(path):
    with open(path, newline="") as f:
        rows = list(csv.reader(f))
    return dict(zip(rows[0], map(float, rows[-1])))


def listed(archive, version, folder):
    """Files to be compiled and options, as the archive tells them; nothing is left out."""
    root = ET.parse(os.path.join(folder, "modelDescription.xml")).getroot()
    options = ["-DFMI2_OVERRIDE_FUNCTION_PREFIX"]
    if version == 2:
        lists = [[f.get("name") for f in kind.find("SourceFiles")]
                 for kind in (root.find("ModelExchange"), root.find("CoSimulation"))]
        assert lists[0] == lists[1]
        names = lists[0]
    else:
        build = ET.parse(os.path.join(folder, "sources", "buildDescription.xml")).getroot()
        one = build.find("BuildConfiguration")
        assert one.get("modelIdentifier") == root.find("CoSimulation").get("modelIdentifier")
        files = one.find("SourceFileSet")
        names = [f.get("name") for f in files.findall("SourceFile")]
        given = [d.get("name") for d in files.findall("PreprocessorDefinition")]
        options = ["-D" + next(d for d in given if "OVERRIDE" in d), files.get("compilerOptions")]
        assert [d.get("name") for d in one.findall("Library")] == ["m", "pthread", "dl"]
    inside = [n[len("sources/"):] for n in archive if n.startswith("sources/") and n.endswith(".c")]
    assert sorted(names) == sorted(n for n in inside if "/" not in n)
    assert [n for n in inside if "/" in n] == [f"fmi/entry{version}.c"]
    return names, options


def build(fmu, version, name):
    """The archive with a binary of its own sources; the runtime among them was compiled when the tests
    were built, which is checked."""
    folder = os.path.join(WORK, f"unpacked{version}")
    with zipfile.ZipFile(fmu) as z:
        z.extractall(folder)
        archive = z.namelist()
    assert not [n for n in archive if n.endswith(".so")], archive
    names, options = listed(archive, version, folder)
    sources = os.path.join(folder, "sources")
    own = []
    for n in names:
        compiled = os.path.join(BUILD, "fmu-sources", n)
        if n == "functions.c" or n.startswith("model") and not os.path.exists(compiled):
            own.append(os.path.join(sources, n))
            continue
        with open(compiled, "rb") as a, open(os.path.join(sources, n), "rb") as b:
            assert a.read() == b.read(), n
    binary = f"binaries/{'linux64' if version == 2 else 'x86_64-linux'}/{name}.so"
    subprocess.run(["cc", "-std=c11", "-O1", "-fPIC", "-shared", "-w", *options, "-I" + sources, "-o",
                    os.path.join(WORK, "model.so"), *own,
                    os.path.join(BUILD, "plain", "librubato_plain.a"), "-Wl,-z,defs", "-lm",
                    "-lpthread", "-ldl"], check=True)
    out = os.path.join(WORK, f"built{version}.fmu")
    with zipfile.ZipFile(out, "w") as z:
        for n in archive:
            if not n.startswith("sources/"):
                z.write(os.path.join(folder, n), n)
        z.write(os.path.join(WORK, "model.so"), binary)
    return out


def near(got, want, tolerance):
    for name in ("x[1]", "x[2]", "z", "chain[1]", "chain[60]", "u", "count"):
        assert abs(got[name] - want[name]) <= tolerance, (name, got[name], want[name])


def main():
    model = write("Plant.mo", PLANT)
    want = os.path.join(WORK, "want.csv")
    rubato("simulate", model, "--output", want, "--quiet")
    want = last(want)
    for version, kinds in ((3, (("me", []), ("cs", []))), (2, (("cs", ["--method", "radauIIA3"]),))):
        method = kinds[0][1]
        paths = [os.path.join(WORK, f"{k}{version}.fmu") for k in "ab"]
        for path in paths:
            rubato("fmu", model, "--fmi", str(version), "--form", "sources", *method, "--output", path)
        with open(paths[0], "rb") as a, open(paths[1], "rb") as b:
            assert a.read() == b.read()
        fmu = build(paths[0], version, "Plant")
        for kind, _ in kinds:
            out = os.path.join(WORK, "out.csv")
            rubato("simulate", fmu, "--trust", "--kind", kind, "--output", out, "--quiet")
            near(last(out), want, 1e-5)
    with zipfile.ZipFile(fmu) as z:  # code of another model
        names = [(n, z.read(n)) for n in z.namelist()]
    other = write("Other.mo", PLANT.replace("1e3*", "1e3*1.5*"))
    rubato("fmu", other, "--fmi", "2", "--output", os.path.join(WORK, "other.fmu"))
    with zipfile.ZipFile(os.path.join(WORK, "other.fmu")) as z:
        changed = {n: z.read(n) for n in ("resources/model.rbp", "modelDescription.xml")}
    mixed = os.path.join(WORK, "mixed.fmu")
    with zipfile.ZipFile(mixed, "w") as z:
        for n, data in names:
            z.writestr(n, changed.get(n, data))
    text = rubato("simulate", mixed, "--trust", "--kind", "cs", status=1)
    assert "the code of the model is not that of its program" in text, text
    external = write("E.mo", 'model E\n  function f\n    input Real x;\n    output Real y;\n    external "C";\n'
                     "  end f;\n  Real y = f(time);\nend E;\n")
    text = rubato("fmu", external, "--form", "sources", "--output", os.path.join(WORK, "e.fmu"), status=1)
    assert "the external function 'f' cannot go along as a source" in text, text
    text = rubato("fmu", model, "--form", "binary", status=2)
    assert "a form of an FMU is instant or sources, not 'binary'" in text, text


main()
