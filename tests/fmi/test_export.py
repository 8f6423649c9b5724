#!/usr/bin/env python3
"""rubato fmu: the archive, its description, and the model behind the functions of FMI 3.0."""
import ctypes
import filecmp
import os
import sys
import tempfile
import xml.etree.ElementTree as ET
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fmi_driver import Archive, doubles, Instance, RUBATO, rubato  # noqa: E402

if "yes" in os.environ.get("RUBATO_SANITIZED", "") or \
        not os.path.exists(os.path.join(os.path.dirname(RUBATO), "librubato_fmu.so")):
    sys.exit(77)
WORK = tempfile.mkdtemp()
PLANT = """model Plant "Mass, spring and a stop"
  parameter Real m(unit="kg", min=0) = 2;
  parameter Real w = sqrt(k/m);
  parameter Real k[2] = {3, 5};
  input Real force(start=0);
  output Real y;
  Real x[2](each start=1, each fixed=true), v(start=0, fixed=true, nominal=10);
  Real same = v;
  discrete Integer count(start=0, fixed=true);
equation
  der(x) = {v, -x[2]};
  m*der(v) = force - k[1]*x[1];
  y = 2*x[1] + force;
  when x[1] < 0 then
    count = pre(count) + 1;
  end when;
  annotation(experiment(StopTime=2, Tolerance=1e-8));
end Plant;
""".replace("sqrt(k/m)", "sqrt(k[1]/m)")


def write(name, text):
    path = os.path.join(WORK, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def near(a, b, tolerance=1e-5):
    assert abs(a - b) <= tolerance * max(1, abs(b)), (a, b)


def simulated(model, *options):
    """Last row of `rubato simulate` by name."""
    out = rubato("simulate", model, *options, "--output", "-", "--quiet")
    rows = [line.split(",") for line in out.splitlines() if "," in line]
    names = [n.strip('"') for n in rows[0]]
    return dict(zip(names, map(float, rows[-1])))


def check_archive(model):
    """Equal bytes for the same model; files and description of both versions."""
    for version, folder in ((2, "linux64"), (3, "x86_64-linux")):
        paths = [os.path.join(WORK, f"same{version}{k}.fmu") for k in "ab"]
        for path in paths:
            rubato("fmu", model, "--fmi", str(version), "--output", path)
        assert filecmp.cmp(*paths, shallow=False)
        with zipfile.ZipFile(paths[0]) as z:
            assert sorted(z.namelist()) == ["binaries/%s/Plant.so" % folder,
                                            "modelDescription.xml", "resources/model.rbp"]
            xml = ET.fromstring(z.read("modelDescription.xml"))
        assert xml.get("fmiVersion") == f"{version}.0"
        assert xml.find("ModelExchange") is not None and xml.find("CoSimulation") is not None
    only = os.path.join(WORK, "only.fmu")
    rubato("fmu", model, "--kind", "cs", "--output", only)
    with zipfile.ZipFile(only) as z:
        xml = ET.fromstring(z.read("modelDescription.xml"))
    assert xml.find("ModelExchange") is None and xml.find("CoSimulation") is not None


def check_description(archive):
    of = archive.element
    assert of["m"].get("causality") == "parameter" and of["m"].get("start") == "2"
    assert of["m"].get("unit") == "kg" and of["m"].get("min") == "0"
    assert of["w"].get("causality") == "calculatedParameter"
    assert of["x"].find("Dimension").get("start") == "2" and of["x"].get("start") == "1 1"
    assert of["der(x)"].get("derivative") == of["x"].get("valueReference")
    assert of["v"].get("nominal") == "10" and of["v"].find("Alias").get("name") == "same"
    assert of["count"].tag == "Int32" and of["count"].get("variability") == "discrete"
    exchange = archive.xml.find("ModelExchange")
    assert exchange.get("needsCompletedIntegratorStep") == "true"  # what is delayed is kept there
    structure = archive.xml.find("ModelStructure")
    output = structure.find("Output")
    assert output.get("valueReference") == of["y"].get("valueReference")
    depends = {int(k) for k in output.get("dependencies").split()}
    assert depends == {archive.reference["x"], archive.reference["force"]}, depends
    rates = [r.get("valueReference") for r in structure.findall("ContinuousStateDerivative")]
    assert rates == [of["der(x)"].get("valueReference"), of["der(v)"].get("valueReference")]


def check_steps(archive, model):
    """Co-Simulation with events inside of steps; values from outside; two instances at once."""
    a, b = Instance(archive, "cs"), Instance(archive, "cs")
    a.start(end=2.0)
    b.start(end=2.0, m=4)
    for k in range(4):
        assert a.step(0.5 * k, 0.5)[0] == b.step(0.5 * k, 0.5)[0] == 0.5 * (k + 1)
    for instance, options in ((a, []), (b, ["--set", "m=4"])):
        want = simulated(model, *options)
        near(instance.get("x", 2)[0], want["x[1]"])
        near(instance.get("v"), want["v"])
        near(instance.get("y"), want["y"])
    b.set("m", 3, status=3)  # while it runs
    a.free(), b.free()


def check_inputs(archive):
    """An input that jumps between steps, and the state of before brought back."""
    s = Instance(archive, "cs")
    s.start(end=2.0, force=1)
    near(s.get("y"), 3)
    s.step(0, 1)
    state = ctypes.c_void_p()
    s.call("GetFMUState", ctypes.byref(state))
    size = ctypes.c_size_t()
    s.call("SerializedFMUStateSize", state, ctypes.byref(size))
    stored = (ctypes.c_uint8 * size.value)()
    s.call("SerializeFMUState", state, stored, size)
    s.set("force", 5)
    s.step(1, 1)
    first = s.get("x", 2)
    other, again = Instance(archive, "cs"), ctypes.c_void_p()
    for instance in (s, other):
        instance.call("DeserializeFMUState", stored, size, ctypes.byref(again))
        instance.call("SetFMUState", again)
        instance.call("FreeFMUState", ctypes.byref(again))
        near(instance.get("force"), 1)
        instance.set("force", 5)
        instance.step(1, 1)
        near(instance.get("x", 2)[0], first[0], 1e-7)
    s.call("FreeFMUState", ctypes.byref(state))
    s.call("Reset")
    s.start(end=2.0)
    near(s.get("y"), 2)
    s.free(), other.free()


def check_early_return(archive):
    seen = []

    def update(environment, time, set_, get, finished, early, ask, when):
        seen.append(time)
        if time > 0.3:
            ask[0], when[0] = True, time

    s = Instance(archive, "cs", update=update, early=True)
    s.start(end=2.0)
    reached, early, _ = s.step(0, 2)
    assert early and 0.3 < reached < 2 and seen[-1] == reached, (reached, early, seen)
    value = s.get("x", 2)[1]
    near(value, 2.718281828 ** -reached, 1e-6)
    s.free()


def check_exchange(archive):
    """Model Exchange by a method of fixed steps; derivatives exact and adjoint."""
    s = Instance(archive, "me")
    s.start(force=0.5)
    s.update_discrete()
    x = s.states()
    assert x == [1, 1, 0]
    near(s.rates(0, x)[2], (0.5 - 3) / 2)
    out = s.derivative("GetDirectionalDerivative", ["der(x)", "der(v)"], ["x", "v"], [1, 2, 3], 3)
    assert out == [3, -2, -1.5], out
    out = s.derivative("GetDirectionalDerivative", ["y"], ["x", "force"], [1, 0, 1], 1)
    assert out == [3], out
    out = s.derivative("GetAdjointDerivative", ["der(x)", "der(v)"], ["x", "v"], [1, 1, 1], 3)
    assert out == [-1.5, -1, 1], out
    out = s.derivative("GetAdjointDerivative", ["y", "der(v)"], ["x", "force"], [1, 1], 3)
    assert out == [0.5, 0, 1.5], out
    h, t = 1e-3, 0.0
    for _ in range(1000):  # classical Runge-Kutta
        k1 = s.rates(t, x)
        k2 = s.rates(t + h / 2, [a + h / 2 * b for a, b in zip(x, k1)])
        k3 = s.rates(t + h / 2, [a + h / 2 * b for a, b in zip(x, k2)])
        k4 = s.rates(t + h, [a + h * b for a, b in zip(x, k3)])
        x = [a + h / 6 * (p + 2 * q + 2 * r + u) for a, p, q, r, u in zip(x, k1, k2, k3, k4)]
        t += h
    near(x[1], 2.718281828459045 ** -1, 1e-9)
    s.free()


EXTERNAL = """model External
  function twice
    input Real x;
    output Real y;
    external "C" y = twice(x) annotation (Include="static double twice(double x) { return 2*x; }");
  end twice;
  parameter Real p = 3;
  Real x(start=1, fixed=true);
equation
  der(x) = twice(p) - x;
end External;
"""


def check_external(folder):
    """C code of the model goes along, compiled; the description has names of higher derivatives."""
    model, path = write("External.mo", EXTERNAL), os.path.join(WORK, "External.fmu")
    text = rubato("fmu", model, "--output", path, status=1)
    assert "the external function 'twice' is not available" in text, text
    rubato("fmu", model, "--output", path, "--trust")
    archive = Archive(path, folder)
    assert [n for n in archive.names if n.startswith("resources/code/")], archive.names
    s = Instance(archive, "cs")
    s.start(end=1.0, p=2)
    s.step(0, 1)
    near(s.get("x"), 4 - 3 * 2.718281828459045 ** -1)
    s.free()


TEXTS = """model Texts
  parameter String name = "a<b";
  parameter String both = name + "!";
  parameter Integer k = if name == "on" then 2 else 3;
  final parameter String never = "n";
  Real x(start = 1, fixed = true);
  String told = if x < 0.5 then both else "big";
equation
  der(x) = -k*x;
end Texts;
"""


def check_texts(folder):
    """Texts are read and, if they are parameters, set; they are part of a state."""
    model, path = write("Texts.mo", TEXTS), os.path.join(WORK, "Texts.fmu")
    rubato("fmu", model, "--output", path)
    archive = Archive(path, folder)
    assert archive.element["name"].get("causality") == "parameter"
    assert archive.element["name"].find("Start").get("value") == "a<b"
    s = Instance(archive, "cs")
    assert s.text("name") == "a<b"
    s.set_text("name", "on")
    s.set_text("name", "on")
    assert s.text("name") == "on"
    for name in ("never", "both", "x"):
        s.set_text(name, "y", status=3)
        assert "no text that can be set" in s.said[-1], s.said
    s.start(end=1.0)
    assert (s.text("name"), s.text("both"), s.text("told")) == ("on", "on!", "big")
    state, size, again = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_void_p()
    s.call("GetFMUState", ctypes.byref(state))
    s.call("SerializedFMUStateSize", state, ctypes.byref(size))
    stored = (ctypes.c_uint8 * size.value)()
    s.call("SerializeFMUState", state, stored, size)
    s.call("FreeFMUState", ctypes.byref(state))
    other = Instance(archive, "cs")
    other.call("DeserializeFMUState", stored, size, ctypes.byref(again))
    other.call("SetFMUState", again)
    other.call("FreeFMUState", ctypes.byref(again))
    for one in (s, other):
        one.step(0, 1)
        assert (one.text("name"), one.text("told")) == ("on", "on!")
        near(one.get("x"), 2.718281828459045 ** -2)
    s.set_text("name", "late", status=3)
    assert "before the start" in s.said[-1], s.said
    s.call("Reset")
    s.start(end=1.0)
    s.step(0, 1)
    assert s.text("told") == "a<b!"
    near(s.get("x"), 2.718281828459045 ** -3)
    s.free(), other.free()
    rubato("fmu", model, "--fmi", "2", "--output", path)
    out = os.path.join(WORK, "texts.csv")
    rubato("simulate", path, "--trust", "--set", "name=on", "--output", out, "--stop", "1")
    with open(out) as f:
        lines = f.read().splitlines()
    last = dict(zip(lines[0].replace('"', "").split(","), lines[-1].split(",")))
    near(float(last["x"]), 2.718281828459045 ** -2)


def check_indicators(folder):
    """A relation that is at its border at the start: the indicator is on its side, and changes after it."""
    model, path = write("Edge.mo", """model Edge
  Real x(start = 0, fixed = true);
  Boolean on = x > 0;
equation
  der(x) = 1;
end Edge;
"""), os.path.join(WORK, "Edge.fmu")
    rubato("fmu", model, "--output", path)
    s = Instance(Archive(path, folder), "me")
    s.start()
    s.update_discrete()
    z, signs = doubles([0]), []
    for x in (0, 1e-20, 1e-3):
        s.rates(x, [x])
        s.call("GetEventIndicators", z, ctypes.c_size_t(1))
        signs.append(z[0] > 0)
    assert signs == [False, False, True], signs
    s.free()


def check_clock_of_others(folder):
    """A time event is met by whoever comes to it a rounding before it, and not asked for again."""
    model, path = write("Late.mo", """model Late
  discrete Real y(start = 0, fixed = true);
  Real x(start = 1, fixed = true);
equation
  der(x) = -x;
  when sample(0, 0.1) then
    y = pre(y) + 1;
  end when;
  annotation(experiment(StopTime = 1));
end Late;
"""), os.path.join(WORK, "Late.fmu")
    rubato("fmu", model, "--output", path)
    s = Instance(Archive(path, folder), "me")
    s.start()
    when = s.update_discrete()
    for k in range(1, 10):
        t = k / 10  # 0.3 and others lie a rounding before what the model counts
        assert abs(when - t) < 1e-12, (when, t)
        s.rates(t, s.states())
        when = s.update_discrete()
        near(s.get("y"), k + 1)
    s.free()


CONNECTORS = """package P
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;
  connector Wish = input Real;
  connector Plug
    parameter Integer m = 2;
    Pin pin[m];
  end Plug;
  record Pair
    Real a[2];
    Real b;
  end Pair;
  connector Sight
    output Pair state;
  end Sight;
  connector Port
    Real p;
    flow Real m_flow;
    stream Real h_outflow;
  end Port;
  expandable connector Bus
  end Bus;
  model Model
    Pin p "The positive pin", q[2];
    Plug plug;
    Wish u[2];
    Sight sight;
    Port port;
    Bus bus;
    Wish inner_;
    Real x(start = 1, fixed = true);
  protected
    Pin hidden;
  equation
    der(x) = u[1] + u[2] - x;
    p.v = x;
    hidden.v = 2;
    q.v = {1, x};
    plug.pin.v = {x, time};
    sight.state.a = {x, 2*x};
    sight.state.b = 3*x;
    port.p = x;
    port.h_outflow = 4*x;
    connect(inner_, bus.wish);
  end Model;
end P;
"""
TERMINALS = """p plug P.Pin v=p.v:signal i=p.i:inflow
q[1] plug P.Pin v=q[1].v:signal i=q[1].i:inflow
q[2] plug P.Pin v=q[2].v:signal i=q[2].i:inflow
plug plug P.Plug
plug/pin[1] plug P.Pin v=plug.pin[1].v:signal i=plug.pin[1].i:inflow
plug/pin[2] plug P.Pin v=plug.pin[2].v:signal i=plug.pin[2].i:inflow
u sequence P.Wish None=u:signal
sight plug P.Sight state.a[1]=sight.state.a[1]:signal state.a[2]=sight.state.a[2]:signal \
state.b=sight.state.b:signal
port plug P.Port p=port.p:signal m_flow=port.m_flow:inflow h_outflow/h_outflow=port.h_outflow/port.h_outflow
bus bus P.Bus
bus/wish sequence P.Wish None=bus.wish:signal
inner_ sequence P.Wish None=inner_:signal"""


def terminals(element, path=""):
    """A line for each terminal: name, rule, kind, members."""
    for t in element.findall("Terminal"):
        members = [f"{m.get('memberName')}={m.get('variableName')}:{m.get('variableKind')}"
                   for m in t.findall("TerminalMemberVariable")]
        members += ["{}/{}={}/{}".format(*(m.get(way + what) for what in ("StreamMemberName", "StreamVariableName")
                                           for way in ("in", "out")))
                    for m in t.findall("TerminalStreamMemberVariable")]
        yield " ".join([path + t.get("name"), t.get("matchingRule"), t.get("terminalKind")] + members)
        yield from terminals(t, path + t.get("name") + "/")


def check_terminals():
    """Connectors at the top level are terminals; all of their members are inputs, outputs or parameters."""
    model, path = write("connectors.mo", CONNECTORS), os.path.join(WORK, "connectors.fmu")
    rubato("fmu", model, "--model", "P.Model", "--output", path)
    with zipfile.ZipFile(path) as z:
        xml = ET.fromstring(z.read("terminalsAndIcons/terminalsAndIcons.xml"))
        described = ET.fromstring(z.read("modelDescription.xml")).find("ModelVariables")
    assert xml.tag == "fmiTerminalsAndIcons" and xml.get("fmiVersion") == "3.0"
    assert list(terminals(xml.find("Terminals"))) == TERMINALS.split("\n"), \
        "\n".join(terminals(xml.find("Terminals")))
    assert xml.find("Terminals/Terminal").get("description") == "The positive pin"
    causality = {v.get("name"): v.get("causality") for v in described}
    for m in xml.iter("TerminalMemberVariable"):
        assert causality[m.get("variableName")] in ("input", "output"), m.attrib
    for name in ("hidden.v", "x"):
        assert causality.get(name) in ("local", None), name
    rubato("fmu", model, "--model", "P.Model", "--fmi", "2", "--output", path)
    with zipfile.ZipFile(path) as z:
        assert not [n for n in z.namelist() if "terminals" in n]
    want = simulated(model, "--model", "P.Model", "--stop", "1", "--tolerance", "1e-8")
    rubato("fmu", model, "--model", "P.Model", "--output", path)
    s = Instance(Archive(path, os.path.join(WORK, "connectors")), "cs")
    s.start(end=1.0)
    s.step(0, 1)
    for name in ("q[2].v", "port.h_outflow", "plug.pin[1].v"):
        near(s.get(name), want[name])
    s.free()


def check_names():
    model, path = write("Names.mo", """model Names
  Real s(start=1, fixed=true), v(start=0, fixed=true), a;
  Real t = 2*s, w = der(t), z = der(w);
equation
  v = der(s);
  a = der(v);
  a = -s;
end Names;
"""), os.path.join(WORK, "Names.fmu")
    rubato("fmu", model, "--output", path)
    with zipfile.ZipFile(path) as z:
        assert b"der(der(" not in z.read("modelDescription.xml")


def check_refusals(archive):
    s = Instance(archive, "cs", token="{wrong}")
    assert not s.c and "was asked for" in s.said[0], s.said
    s = Instance(archive, "me")
    s.set("time", 3, status=3)
    assert "cannot be set" in s.said[-1], s.said
    s.free()
    text = rubato("fmu", archive.model, "--fmi", "4", status=2)
    assert "--fmi is 2 or 3" in text, text
    text = rubato("fmu", archive.model, "--kind", "xy", "--output", "/dev/null", status=2)
    assert "a kind of FMU is me, cs or se" in text, text


def main():
    model = write("Plant.mo", PLANT)
    check_archive(model)
    path = os.path.join(WORK, "Plant.fmu")
    rubato("fmu", model, "--output", path)
    archive = Archive(path, os.path.join(WORK, "unpacked"))
    archive.model = model
    check_description(archive)
    check_steps(archive, model)
    check_inputs(archive)
    check_early_return(archive)
    check_exchange(archive)
    check_external(os.path.join(WORK, "external"))
    check_texts(os.path.join(WORK, "texts"))
    check_indicators(os.path.join(WORK, "edge"))
    check_clock_of_others(os.path.join(WORK, "late"))
    check_terminals()
    check_names()
    check_refusals(archive)


main()
