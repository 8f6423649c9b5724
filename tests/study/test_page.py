#!/usr/bin/env python3
"""The HTML page of a study in a real browser: scatter, parallel coordinates, bands of trajectories, failed cases. Left out
(with a word) where there is no chromium."""
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from browser import BROWSER, browse  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
os.chdir(os.environ["TMPDIR"])
p = subprocess.run([RUBATO, "sweep", os.path.join(HERE, "Decay.mo"), "--vary", "k=lin(0.5,2.5,21)", "--vary", "scale=-1,1,2", "--keep", "y",
                    "--trajectories", "^y$", "--intervals", "100", "--output", "page.csv", "--report", "page.html"], capture_output=True,
                   text=True)
assert p.returncode == 0 and "report: page.html" in p.stdout, p.stdout + p.stderr
with open("page.html", encoding="utf-8") as f:
    text = f.read()
assert 'src="' not in text and "<link" not in text  # it needs nothing else
if not BROWSER:
    print("left out: there is no browser")
    sys.exit(77)

seen = browse("page.html", """
const seen = {};
const numbers = t => [...new Float64Array(Uint8Array.from(atob(t), c => c.charCodeAt(0)).buffer)];
await wait(100);
seen.tabs = [...document.querySelectorAll("[data-tab]")].map(b => b.textContent);
seen.points = $("scatter-canvas").dataset.points;
seen.columns = study.columns.map(c => c.name);
seen.y = [...study.columns[2].value];
const view = $("scatter-canvas");
view.dispatchEvent(Object.assign(new MouseEvent("mousemove", {clientX: view.getBoundingClientRect().left + 71,
  clientY: view.getBoundingClientRect().top + 13, bubbles: true})));
seen.pointed = $("pointed").textContent;
$("scatter-y").value = 1; $("scatter-y").dispatchEvent(new Event("change"));
seen.replaced = $("scatter-canvas").dataset.points;
open_tab("parallel");
const lines = $("parallel-canvas");
seen.lines = lines.dataset.lines;
const box = lines.getBoundingClientRect(), down = (type, x, y) => lines.dispatchEvent(new MouseEvent(type, {clientX: box.left + x * box.width, clientY: box.top + y * box.height, bubbles: true}));
down("mousedown", 50 / lines.width, 1 - 30 / lines.height); down("mouseup", 50 / lines.width, 1 - (30 + 0.52 * (lines.height - 70)) / lines.height);
seen.fewer = lines.dataset.lines;
seen.words = $("chosen").textContent;
down("mousedown", 50 / lines.width, 0.5); down("mouseup", 50 / lines.width, 0.5);
seen.again = lines.dataset.lines;
seen.bands = study.data.bands.variables.map(v => [v.n, v.levels.map(numbers)]);
seen.time = numbers(study.data.bands.time);
if (document.querySelector("[data-tab=bands]")) { open_tab("bands"); await wait(100); seen.drawn = document.querySelectorAll("#bands canvas").length; }
open_tab("failed");
seen.reasons = [...$("failures").rows].map(r => [...r.cells].map(c => c.textContent));
seen.wide = document.documentElement.scrollWidth <= window.innerWidth;
finish(seen);
""", folder=os.environ["TMPDIR"])
assert not seen["errors"], seen["errors"]
assert seen["tabs"] in (["Scatter", "Parallel coordinates", "Bands", "Failed"], ["Scatter", "Parallel coordinates", "Failed"]), seen["tabs"]
assert seen["columns"] == ["k", "scale", "y"] and seen["wide"]
assert seen["points"] == "42", seen["points"]  # 21 of 63 failed
assert seen["replaced"] == "42" or seen["replaced"] == "63", seen["replaced"]  # parameters of failed cases are known
k = [0.5 + 0.1*i for i in range(21)]
expected = [None if s < 0 else s*math.exp(-x) for x in k for s in (-1, 1, 2)]
for a, b in zip(seen["y"], expected):
    assert (a is None) == (b is None) and (a is None or abs(a - b) < 1e-6), (a, b)
assert "k = 0.5" in seen["pointed"] and "scale = 2" in seen["pointed"], seen["pointed"]  # the largest y
assert seen["lines"] == "42" and seen["fewer"] == "22" and "22 of 63" in seen["words"] and seen["again"] == "42", seen
name, levels = seen["bands"][0]
assert name == "y" and len(levels) == 5
for i in (0, 60, 199):
    t = seen["time"][i]
    at = sorted(s*math.exp(-x*t) for x in k for s in (1, 2))
    want = [at[0], at[int(0.05*41 + 0.5)], at[int(0.5*41 + 0.5)], at[int(0.95*41 + 0.5)], at[41]]
    assert all(abs(level[i] - w) < 3e-4 for level, w in zip(levels, want)), (t, [level[i] for level in levels], want)
if "drawn" in seen:
    assert seen["drawn"] >= 1
assert len(seen["reasons"]) == 21 and "the scale is not positive" in seen["reasons"][0][1], seen["reasons"][:2]
