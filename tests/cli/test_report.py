#!/usr/bin/env python3
"""The HTML report in a real browser: curves are drawn, zoom, search, tabs, comparison; no errors.

Left out (with a word) where there is no chromium or no uPlot."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from browser import BROWSER, browse

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
WORK = os.environ.get("TMPDIR", "/tmp")

PROBE = """
const seen = {};
const pixels = u => { // of the curve's own colour, in the plotting area
  const [r, g, b] = [1, 3, 5].map(k => parseInt(u.series[1].stroke().slice(k, k + 2), 16));
  const d = u.ctx.getImageData(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height).data;
  let n = 0;
  for (let i = 0; i < d.length; i += 4) n += Math.abs(d[i] - r) + Math.abs(d[i + 1] - g) + Math.abs(d[i + 2] - b) < 40;
  return n;
};
await wait(300);
seen.shown = rubato.shown();
seen.panels = rubato.plots().length;
seen.series = rubato.plots().map(u => u.series.length - 1);
seen.drawn = rubato.plots().map(pixels);
seen.points = rubato.plots()[0].data[0].length;
seen.top = Math.max(...rubato.plots()[0].data[1]);
rubato.plots()[0].setScale("x", {min: 1, max: 2});
await wait(200);
seen.zoom = [rubato.plots()[0].scales.x.min, rubato.plots()[0].scales.x.max];
key(document.body, "r");
await wait(200);
seen.whole = [rubato.plots()[0].scales.x.min, rubato.plots()[0].scales.x.max];
key(document.body, "/");
seen.focus = document.activeElement.id;
$("search").value = "restitution";
$("search").dispatchEvent(new Event("input"));
seen.found = [...$("list").children].map(e => e.textContent);
key($("search"), "ArrowDown");
key(document.activeElement, "Enter");
seen.chosen = rubato.shown();
seen.tabs = [...document.querySelectorAll("[data-tab]")].map(b => b.textContent);
if ($("steps")) {
  open_tab("steps");
  await wait(200);
  seen.steps = rubato.plots().map(u => u.data[0].length);
  open_tab("statistics");
  seen.statistics = $("numbers").textContent;
  open_tab("source");
  seen.source = $("text").textContent;
}
seen.light = getComputedStyle(document.body).backgroundColor;
$("theme").click();
seen.dark = getComputedStyle(document.body).backgroundColor;
seen.wide = document.documentElement.scrollWidth <= window.innerWidth;
finish(seen);
"""


def look(page, width=1000):
    return browse(os.path.join(WORK, page), PROBE, width, WORK)


def run(*words):
    p = subprocess.run([RUBATO, *words], capture_output=True, text=True, cwd=WORK)
    assert p.returncode == 0, p.stderr
    return p.stdout


ball = os.path.join(ROOT, "examples", "BouncingBall.mo")
out = run("simulate", ball, "--report", "ball.html", "--output", "ball.mat")
assert "report: ball.html" in out, out
page = open(os.path.join(WORK, "ball.html")).read()
assert "http:" not in page.replace("http://www.w3.org", "") and "https:" not in page.replace("https://github.com/leeoniya/uPlot", ""), "the page needs the network"
if "This build has no uPlot" in page:
    assert page.count("<svg") == 1 and page.count('class="c c0"') >= 2
    print("left out: this build has no uPlot")
    sys.exit(77)
assert "The MIT License" in page
if not BROWSER:
    print("left out: there is no chromium")
    sys.exit(77)

seen = look("ball.html")
assert seen["errors"] == [], seen["errors"]
assert seen["shown"] == ["h", "v"] and seen["panels"] == 2 and seen["series"] == [1, 1], seen
assert all(n > 300 for n in seen["drawn"]), seen["drawn"]
assert abs(seen["top"] - 1) < 1e-6 and seen["points"] > 500
assert seen["zoom"] == [1, 2] and seen["whole"] == [0, 4], (seen["zoom"], seen["whole"])
assert seen["focus"] == "search" and seen["found"] == ["e"] and seen["chosen"] == ["h", "v", "e"], seen
assert seen["steps"] and seen["steps"][0] > 30, seen["steps"]
assert "steps accepted" in seen["statistics"] and "model BouncingBall" in seen["source"]
assert seen["light"] != seen["dark"] and seen["wide"], (seen["light"], seen["dark"])

small = look("ball.html", 360)
assert small["errors"] == [] and small["wide"] and all(n > 100 for n in small["drawn"]), small

run("simulate", ball, "--set", "e=0.5", "--output", "low.csv")
run("report", "ball.mat", "low.csv", "--output", "both.html")
both = look("both.html")
assert both["errors"] == [] and 2 in both["series"], both["series"]
assert both["tabs"] == ["Curves", "Differences"], both["tabs"]
seen = browse(os.path.join(WORK, "both.html"), """
await wait(100);
open_tab("differences");
const rows = [...$("differences-list").tBodies[0].rows].map(r => [...r.cells].map(c => c.textContent));
$("differences-list").querySelector("button").click();
finish({rows, shown: rubato.shown(), here: !$("curves").hidden});
""", folder=WORK)
differing = {r[1]: r for r in seen["rows"]}
assert seen["errors"] == [] and seen["shown"] == [seen["rows"][0][1]] and seen["here"], seen
assert {"h", "v", "e"} <= set(differing) and "g" not in differing and differing["e"][2] == "0.3", seen["rows"]

# A million points: what is drawn stays small, keeps the extremes, and is finer after a zoom.
LONG = """
const seen = {};
await wait(300);
const u = rubato.plots()[0], inside = () => { const {min, max} = u.scales.x; return [...u.data[0]].filter(t => t >= min && t <= max).length; };
seen.all = u.data[0].length;
seen.top = Math.max(...u.data[1]);
seen.low = Math.min(...u.data[1]);
u.setScale("x", {min: 0.2, max: 0.201});
await wait(300);
seen.zoomed = inside();
key(document.body, "r");
await wait(300);
seen.whole = [u.scales.x.min, u.scales.x.max, u.data[0].length];
finish(seen);
"""
with open(os.path.join(WORK, "Peak.mo"), "w") as f: # one peak, a few points wide
    f.write("model Peak Real y = sin(time) + (if noEvent(abs(time - 0.3) < 2e-6) then 5 else 0); end Peak;")
run("simulate", "Peak.mo", "--intervals", "1000000", "--output", "peak.mat", "--report", "peak.html")
seen = browse(os.path.join(WORK, "peak.html"), LONG, folder=WORK)
assert seen["errors"] == [], seen["errors"]
assert seen["all"] < 4200 and abs(seen["top"] - 5 - 0.29552) < 1e-4 and seen["low"] == 0, seen
assert 990 <= seen["zoomed"] <= 1010 and seen["whole"][:2] == [0, 1] and seen["whole"][2] < 4200, seen

# Very many curves: the page keeps its size, and says that not all are there.
with open(os.path.join(WORK, "many.csv"), "w") as f:
    f.write("time," + ",".join(f"x{k}" for k in range(5100)) + "\n")
    for point in range(1200):
        f.write(str(point) + ",".join([""] + [str(point % 10)] * 5100) + "\n")
run("report", "many.csv", "--output", "many.html")
with open(os.path.join(WORK, "many.html")) as f:
    page = f.read()
data = json.loads(page[page.index('id="data">') + 10:page.index("}</script>") + 1])
assert len(data["runs"][0]["variables"]) == 5100 and len(data["runs"][0]["data"]) == 5000 and len(page) < 34e6, len(page)
seen = browse(os.path.join(WORK, "many.html"), """
await wait(200);
rubato.toggle("x5050");
rubato.toggle("x4000");
finish({count: $("count").textContent, shown: rubato.shown(), points: rubato.plots()[0].data[0].length});
""", folder=WORK)
assert seen["errors"] == [] and "100 are not in this page" in seen["count"], seen
assert seen["shown"] == ["x0", "x1", "x2", "x3", "x4000"] and seen["points"] > 400, seen
