"""The Python module: numbers against exact solutions, errors, states, sweeps."""
import copy
import json
import math
import os
import pickle
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
if os.environ["RUBATO_SANITIZED"]:
    sys.exit(77)
sys.path.insert(0, os.path.join(ROOT, "src", "python"))
import rubato  # noqa: E402

MODELS = os.path.join(ROOT, "tests", "unit", "api")


def near(a, b, within):
    assert abs(a - b) <= within, f"{a!r} is not near {b!r}"


def raises(kind, call, *arguments, **named):
    try:
        call(*arguments, **named)
    except kind as error:
        return error
    raise AssertionError(f"{kind.__name__} is not raised")


def programs():
    p = rubato.translate(os.path.join(MODELS, "Input.mo"), set={"k": 2})
    assert p.info["model"] == "Input" and p.info["states"] == 1 and p.info["stop"] == 3
    kinds = {v.name: v.kind for v in p.variables()}
    assert kinds["u"] == "input" and kinds["k"] == "parameter" and kinds["n"] == "discrete"
    assert kinds["der(x)"] == "derivative"
    assert [v.name for v in p.variables("^[xy]$")] == ["x", "y"]
    assert p.variables("^x$")[0].state and p.variables("^k$")[0].settable
    file = os.path.join(os.environ["TMPDIR"], "p.rbp")
    p.save(file)
    assert rubato.Program.open(file).info["bytes"] == p.info["bytes"]
    assert rubato.version()
    p = rubato.translate("<text>", text="model T Real x(start = 1, fixed = true); equation der(x) = -x; end T;")
    near(rubato.simulate(p, stop=2, tolerance=1e-9).final["x"], math.exp(-2), 1e-8)
    error = raises(rubato.RubatoError, rubato.translate, "<text>", text="model T Real x = y; end T;")
    assert (error.file, error.line, error.column) == ("<text>", 1, 18), error


def results():
    r = rubato.simulate(os.path.join(MODELS, "Input.mo"), set={"u": 0.4, "k": 2}, stop=1.5, tolerance=1e-9)
    near(r.final["x"], 0.4*(1 - math.exp(-3)), 1e-7)
    assert repr(r) == f"<rubato.Result: {len(r)} points of {len(r.names)} variables>", repr(r)
    assert "no variable 'xx'; did you mean 'x'?" in str(raises(KeyError, r.__getitem__, "xx"))
    p = rubato.translate(os.path.join(MODELS, "Input.mo"))
    r = rubato.simulate(p, set={"u": 0.4, "k": 2}, stop=1.5, interval=0.01, tolerance=1e-9,
                        variables="^[xyk]$")
    assert r.names == ["k", "x", "y"] and len(r) == len(r.time) == len(r["x"]) >= 151
    for t, x, y, k in zip(r.time, r["x"], r["y"], r["k"]):
        near(x, 0.4*(1 - math.exp(-2*t)), 1e-7)
        near(y, 2*x + 0.4, 1e-12)
        assert k == 2
    assert r.time[0] == 0 and r.time[-1] == 1.5 and r.final["x"] == r["x"][-1]
    assert r.statistics["states"] == 1 and r.completed and "n" not in r
    raises(KeyError, r.__getitem__, "n")


def steps():
    p = rubato.translate(os.path.join(MODELS, "Input.mo"), set={"k": 2})
    s = rubato.Simulation(p)
    s["u"] = 0.25
    assert s.step(1) and s.time == 1
    near(s["x"], 0.25*(1 - math.exp(-2)), 1e-6)
    state, copy = s.save(), s.copy()
    s["u"] = 1
    s.step(2)
    copy.run()
    near(copy["x"], 0.25*(1 - math.exp(-6)), 1e-6)
    near(s["x"], 1 + (0.25*(1 - math.exp(-2)) - 1)*math.exp(-2), 1e-6)
    assert s["n"] == 1 and copy["n"] == 0
    s.restore(state)
    assert s.time == 1 and s["n"] == 0
    s.run()
    assert s["x"] == copy["x"]  # bit for bit: the same state, the same steps
    times = []
    s = rubato.Simulation(p, interval=0.5)
    s.listen(point=lambda sim, t: times.append((t, sim.time)))
    s.run()
    assert sorted(dict(times).items()) == [(k/2, k/2) for k in range(7)], times  # the end is an event


def errors():
    file = os.path.join(os.environ["TMPDIR"], "Wrong.mo")
    with open(file, "w", encoding="utf-8") as f:
        f.write("model Wrong\n  Real x;\nequation\n  x = yy;\nend Wrong;\n")
    e = raises(rubato.RubatoError, rubato.translate, file)
    assert e.status == "model" and e.file == file and (e.line, e.column) == (4, 7), vars(e)
    assert "yy" in e.text and "yy" in e.messages
    p = rubato.translate(os.path.join(MODELS, "Ball.mo"))
    s = rubato.Simulation(p)
    e = raises(rubato.RubatoError, s.__setitem__, "nothing", 1)
    assert e.status == "argument" and "nothing" in e.text
    raises(KeyError, s.__getitem__, "nothing")
    s.run()
    assert raises(rubato.RubatoError, s.__setitem__, "e", 1).status == "argument"
    assert raises(rubato.RubatoError, s.step, 4).status == "argument"
    e = raises(rubato.RubatoError, rubato.Simulation, p, method="rk9")
    assert e.status == "argument" and "rk9" in e.text

    def point(sim, t):
        raise ValueError("mine")
    s = rubato.Simulation(p)
    s.listen(point=point)
    assert raises(ValueError, s.run).args == ("mine",)
    s = rubato.Simulation(p)
    s.listen(progress=lambda sim, t: t < 1)
    assert raises(rubato.RubatoError, s.run).status == "stopped"
    arrays = rubato.translate(os.path.join(MODELS, "Arrays.mo"), set={"n": 7})
    assert arrays.info["states"] == 7
    assert raises(rubato.RubatoError, rubato.simulate, arrays, {"n": 8}).status == "translate"


def sweeps():
    p = rubato.translate(os.path.join(MODELS, "Input.mo"))
    values = {"k": [0.5, 1, 2, 4], "u": [1, 3]}
    one = rubato.sweep(p, values, ["x", "y"], threads=1, tolerance=1e-9)
    assert one.columns == ["k", "u", "x", "y"] and len(one) == 8 and not one.errors
    for k, u, x, y in one:
        near(x, u*(1 - math.exp(-3*k)), 1e-6)
        near(y, 2*x + u, 1e-12)
    assert list(one["k"][:3]) == [0.5, 0.5, 1]
    for threads in 2, 8:
        assert rubato.sweep(p, values, ["x", "y"], threads=threads, tolerance=1e-9).rows == one.rows
    raises(KeyError, rubato.sweep, p, values, ["nothing"])
    failing = rubato.sweep(p, {"x": [0, float("nan")]}, ["y"])
    assert list(failing.errors) == [1] and math.isnan(failing.rows[1][-1]), failing.rows


def record():
    file = os.path.join(os.environ["TMPDIR"], "r.csv")
    p = rubato.translate(os.path.join(MODELS, "Ball.mo"))
    s = rubato.Simulation(p)
    s.record(file, "^h$")
    s.run()
    s.record_end()
    with open(file, encoding="utf-8") as f:
        lines = f.read().splitlines()
    assert lines[0].replace('"', "") == "time,h" and len(lines) > 500
    json.dumps(s.statistics)


def studies():
    p = rubato.translate(os.path.join(MODELS, "Input.mo"))
    study = rubato.Study(p, ["k=0.5,1,2,4", "u=1,3"], keep=["x", "2*x + u", "x@1"], trajectories="^x$", tolerance=1e-9)
    study.run(threads=2)
    assert study.columns == ["k", "u", "x", "2*x + u", "x@1"] and len(study) == 8 and not study.errors
    for k, u, x, y, middle in zip(*(study[name] for name in study.columns)):
        near(x, u*(1 - math.exp(-3*k)), 1e-6)
        near(y, 2*x + u, 1e-12)
        near(middle, u*(1 - math.exp(-k)), 1e-6)
    course = study.trajectory(3)
    assert course["time"][0] == 0 and course["x"][-1] == study["x"][3]
    failing = rubato.Study(p, ["x=0,1"], keep=["y"], max_steps=1).run()
    assert list(failing.errors) == [0, 1] and math.isnan(failing["y"][0]), failing.errors
    assert raises(rubato.RubatoError, rubato.Study, p, ["nothing=1"]).status == "argument"
    ended = rubato.Study(p, ["k=lin(1,2,100000)"])
    assert raises(rubato.RubatoError, ended.run, 1, lambda cases, done, failed: False).status == "stopped"


def held():
    """Nothing is given back twice; what was closed, and what is no number, is an error."""
    p = rubato.translate("<text>", text="""model T
        Real x(start = 1, fixed = true); discrete Integer n(start = 0, fixed = true); String s;
      equation
        der(x) = -x; when sample(0.1, 0.1) then n = pre(n) + 1; end when; s = "n is " + String(n);
      end T;""")
    s = rubato.Simulation(p, tolerance=1e-9)
    s.step(0.25)
    assert s["s"] == "n is 2" and s["n"] == 2, s["s"]
    for other in copy.copy(s), copy.deepcopy(s):
        other.step(0.5)
        assert other["s"] == "n is 5", other["s"]
        near(other["x"], math.exp(-0.5), 1e-8)
    assert s["s"] == "n is 2" and copy.copy(p) is p
    for one in s, p, rubato.Compiler(), rubato.Study(p, ["x.start=1,2"]):
        assert "neither copied nor pickled" in str(raises(TypeError, pickle.dumps, one))
    assert raises(rubato.RubatoError, s.step, math.nan).status == "argument"
    s.close()
    s.close()
    assert "closed" in str(raises(ValueError, s.step, 1)) and "closed" in str(raises(ValueError, s.__getitem__, "x"))
    compiler = rubato.Compiler()
    raises(rubato.RubatoError, compiler.translate, "<text>", text="model M Real x = y; end M;")
    assert compiler.translate("<text>", text="model M Real x = time; end M;").info["model"] == "M"


for test in programs, results, steps, errors, sweeps, studies, record, held:
    test()
    print("ok", test.__name__)
