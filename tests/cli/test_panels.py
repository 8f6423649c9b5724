#!/usr/bin/env python3
"""The panels of the HTML report in a real browser: steps, profile, structure, clocks, processes without
time, source with messages. Left out (with a word) where there is no chromium or no uPlot."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from browser import BROWSER, browse

RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
WORK = os.environ.get("TMPDIR", "/tmp")

PANELS = """
const seen = {};
const inked = id => { // pixels of a canvas that are not empty
  const c = $(id), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
  let n = 0;
  for (let i = 3; i < d.length; i += 4) n += d[i] > 0;
  return n / (d.length / 4);
};
const cells = id => [...$(id).tBodies[0].rows].map(r => [...r.cells].map(c => c.textContent));
await wait(100);
seen.tabs = [...document.querySelectorAll("[data-tab]")].map(b => b.textContent);
key(document.body, "2");
await wait(100);
seen.limits = cells("limits");
seen.raster = inked("raster");
seen.scale = rubato.plots()[0].axes[1]._values.filter(Boolean);
seen.time = [rubato.plots()[0].scales.x.min, rubato.plots()[0].scales.x.max];
rubato.plots()[0].setScale("x", {min: 0.2, max: 0.4});
await wait(100);
seen.zoom = [rubato.plots()[0].scales.x.min, rubato.plots()[0].scales.x.max];
seen.orders = [...new Set(rubato.data.runs[0].steps.order)].length;
seen.events = rubato.data.runs[0].events;
open_tab("profile");
seen.components = cells("components");
seen.lines = cells("lines");
open_tab("structure");
seen.incidence = inked("incidence");
seen.loops = $("loops") ? cells("loops") : [];
seen.words = $("structure").textContent;
$("incidence").dispatchEvent(new MouseEvent("mousemove", {clientX: 0, clientY: $("incidence").getBoundingClientRect().top + 2, bubbles: true}));
seen.pointed = $("structure").textContent;
open_tab("source");
seen.source = [...$("text").children].map(e => e.className + "|" + e.textContent);
seen.wide = document.documentElement.scrollWidth <= window.innerWidth;
finish(seen);
"""


def run(*words):
    p = subprocess.run([RUBATO, *words], capture_output=True, text=True, cwd=WORK)
    assert p.returncode == 0, p.stderr
    return p.stdout


if not BROWSER:
    print("left out: there is no chromium")
    sys.exit(77)

# The other panels, of a circuit with a loop and a warning.
with open(os.path.join(WORK, "Loop.mo"), "w") as f:
    f.write("""model Loop
  Real x(start = 1, fixed = true), z(start = 0, fixed = true, max = 0.01);
  Real a, b;
equation
  a + b^3 = x;
  a - sin(b) = 0.5 * z;
  der(x) = -10 * a;
  der(z) = x - (if time < 0.5 then 0 else 1) * z;
  annotation (experiment(StopTime = 1));
end Loop;
""")
run("simulate", "Loop.mo", "--bounds", "warning", "--profile", "--report", "loop.html", "--output", "loop.mat")
with open(os.path.join(WORK, "loop.html")) as f:
    if "This build has no uPlot" in f.read():
        print("left out: this build has no uPlot")
        sys.exit(77)
seen = browse(os.path.join(WORK, "loop.html"), PANELS, folder=WORK)
assert seen["errors"] == [], seen["errors"]
assert seen["tabs"] == ["Curves", "Steps", "Profile", "Structure", "Statistics", "Source"], seen["tabs"]
assert {r[1] for r in seen["limits"]} <= {"x", "z"} and seen["limits"][0][0].endswith("%"), seen["limits"]
assert 0.2 < seen["raster"] < 1 and seen["time"] == [0, 1] and seen["zoom"] == [0.2, 0.4], seen
assert "0.01" in seen["scale"] and "0" not in seen["scale"], seen["scale"]
assert len(seen["events"]) == 1 and abs(seen["events"][0] - 0.5) < 1e-9, seen["events"]
assert {r[1] for r in seen["components"]} == {"the model itself"}, seen["components"]
assert {r[1] for r in seen["lines"]} == {"Loop.mo:5", "Loop.mo:6", "Loop.mo:7", "Loop.mo:8"}, seen["lines"]
assert seen["loops"] and seen["loops"][0][:2] == ["nonlinear", "2"] and "1 loop." in seen["words"], (seen["loops"], seen["words"])
assert 0.1 < seen["incidence"] < 1 and seen["pointed"] != seen["words"], seen["incidence"]
at = [k for k, line in enumerate(seen["source"]) if line.startswith("message warning|") and "max" in line]
assert at and seen["source"][at[0] - 1].split("|")[1].split()[-1] == "2", seen["source"]
assert seen["wide"]

# Clocked partitions and infinitely fast states.
CLOCKS = """
const seen = {};
const cells = id => [...$(id).tBodies[0].rows].map(r => [...r.cells].map(c => c.textContent));
await wait(100);
if ($("clocks")) {
  open_tab("clocks");
  seen.partitions = cells("partitions");
  const c = $("timing"), d = c.getContext("2d").getImageData(0, 12, c.width, 1).data; // strokes in the row of the first
  seen.strokes = 0;
  for (let i = 4 * 26 + 3; i < d.length; i += 4) seen.strokes += d[i] > 200 && !(d[i - 4] > 200);
}
if ($("theta")) { open_tab("theta"); seen.fast = cells("fast"); }
finish(seen);
"""
clocks = os.path.join(os.path.dirname(os.path.abspath(__file__)), "structure_clocks.mo")
run("simulate", clocks, "--output", "clocks.mat", "--report", "clocks.html")
seen = browse(os.path.join(WORK, "clocks.html"), CLOCKS, folder=WORK)
assert seen["errors"] == [] and seen["partitions"][0][1:5] == ["1", "every 0.05 s", "ImplicitEuler", "1"], seen
assert any(r[2] == "every 0.1 s from 0.1 s" for r in seen["partitions"]) and seen["strokes"] == 21, seen
with open(os.path.join(WORK, "Fast.mo"), "w") as f:
    f.write("""model Fast
  Real x(start = 1, fixed = true), y(start = 0);
equation
  der(x) = -y;
  Rubato.THETA * der(y) = x - y - y^3;
end Fast;
""")
run("simulate", "Fast.mo", "--output", "fast.mat", "--report", "fast.html")
seen = browse(os.path.join(WORK, "fast.html"), CLOCKS, folder=WORK)
assert seen["errors"] == [] and seen["fast"] == [["y", "1"]], seen
