"""Sensitivities are what differences of whole simulations approach, at the start, along the run and behind events."""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
if os.environ["RUBATO_SANITIZED"]:
    sys.exit(77)
sys.path.insert(0, os.path.join(ROOT, "src", "python"))
import rubato  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
FILE = os.path.join(HERE, "Sensed.mo")
# model: parameters, variables, times, how near
MODELS = {
    "Decay": (("k", "x0"), ("x", "y", "der(x)"), (0, 0.5, 1), 1e-7),
    "Bounce": (("e", "g", "h0"), ("h", "v", "lost", "hit"), (0.3, 0.7, 1.3, 2), 1e-6),
    "Loop": (("a", "b"), ("x", "z", "w"), (0, 0.4, 1), 1e-6),
    "Switch": (("at", "every", "gain", "level", "held.start"), ("x", "u", "held"), (0.02, 0.2, 0.6, 1), 1e-6),
    "Stiff": (("fast", "slow", "c"), ("x", "y", "z"), (0, 0.01, 1), 1e-6),
}


def values(program, name, method, times, variables, set_=None):
    """{(time, variable): value}"""
    with rubato.Simulation(program, set_, stop=max(times), tolerance=1e-12, method=method) as sim:
        out = {}
        for t in times:
            sim.initialise() if t == 0 else sim.step(t)
            out.update({(t, v): sim[v] for v in variables})
        return out


def check(name, method=None):
    parameters, variables, times, near = MODELS[name]
    program = rubato.translate(FILE, f"Sensed.{name}", sensitivities=True)
    with rubato.Simulation(program, stop=max(times), tolerance=1e-10, method=method) as sim:
        sim.sensitivities(*parameters)
        found = {}
        for t in times:
            sim.initialise() if t == 0 else sim.step(t)
            found.update({(t, v, p): sim.sensitivity(v, p) for v in variables for p in parameters})
    with rubato.Simulation(program, stop=1e-9) as sim:
        sim.initialise()
        start = {p: sim["held"] if p == "held.start" else sim[p] for p in parameters}
    worst = 0
    for p in parameters:
        def at(step):
            return values(program, name, method, times, variables, {p: start[p] + step})
        h = 1e-4*max(abs(start[p]), 1e-2)
        one, two = [{k: (a[k] - b[k])/(2*s) for k in a} for s in (h, 2*h) for a, b in [(at(s), at(-s))]]
        for t in times:
            for v in variables:
                exact = one[t, v] + (one[t, v] - two[t, v])/3
                own = found[t, v, p]
                off = abs(own - exact)/max(abs(exact), 1)
                worst = max(worst, off)
                assert off < near, (name, method, p, v, t, own, exact)
    return worst


for model in MODELS:
    print(model, check(model))
print("Stiff, radauIIA5", check("Stiff", "radauIIA5"))

# what cannot be done is said
late = rubato.translate(FILE, "Sensed.Late", sensitivities=True)
plain = rubato.translate(FILE, "Sensed.Decay")
decay = rubato.translate(FILE, "Sensed.Decay", sensitivities=True)
for program, method, asked, text in ((plain, None, "k", "translated without"), (late, "rodas4", "k", "second derivatives"),
                                     (decay, None, "half", "set it first"), (decay, None, "nothing", "no variable")):
    with rubato.Simulation(program, method=method) as sim:
        try:
            sim.sensitivities(asked)
            assert False, text
        except rubato.RubatoError as error:
            assert text in str(error), str(error)
with rubato.Simulation(late) as sim:
    sim.sensitivities("k")
    try:
        sim.run()
        assert False
    except rubato.RubatoError as error:
        assert "delays" in str(error), str(error)
