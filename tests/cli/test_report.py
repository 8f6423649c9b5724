#!/usr/bin/env python3
"""The HTML report in a real browser: curves are drawn, zoom, search, tabs, comparison; no errors.

A script is added to the page that uses it as a reader would and writes what it saw into the document;
chromium then prints the document. Left out (with a word) where there is no chromium or no uPlot."""
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WORK = os.environ.get("TMPDIR", "/tmp")

PROBE = """<script>
const seen = {errors: window.caught};
const pixels = u => { // of the curve's own colour, in the plotting area
  const [r, g, b] = [1, 3, 5].map(k => parseInt(u.series[1].stroke().slice(k, k + 2), 16));
  const d = u.ctx.getImageData(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height).data;
  let n = 0;
  for (let i = 0; i < d.length; i += 4) n += Math.abs(d[i] - r) + Math.abs(d[i + 1] - g) + Math.abs(d[i + 2] - b) < 40;
  return n;
};
const key = (e, k) => e.dispatchEvent(new KeyboardEvent("keydown", {key: k, bubbles: true}));
const $ = id => document.getElementById(id);
setTimeout(() => {
  seen.shown = rubato.shown();
  seen.panels = rubato.plots().length;
  seen.series = rubato.plots().map(u => u.series.length - 1);
  seen.drawn = rubato.plots().map(pixels);
  seen.points = rubato.plots()[0].data[0].length;
  seen.top = Math.max(...rubato.plots()[0].data[1]);
  rubato.plots()[0].setScale("x", {min: 1, max: 2});
  setTimeout(() => {
    seen.zoom = [rubato.plots()[0].scales.x.min, rubato.plots()[0].scales.x.max];
    key(document.body, "r");
    setTimeout(() => {
      seen.whole = [rubato.plots()[0].scales.x.min, rubato.plots()[0].scales.x.max];
      key(document.body, "/");
      seen.focus = document.activeElement.id;
      $("search").value = "restitution";
      $("search").dispatchEvent(new Event("input"));
      seen.found = [...$("list").children].map(e => e.textContent);
      key($("search"), "ArrowDown");
      key(document.activeElement, "Enter");
      seen.chosen = rubato.shown();
      document.querySelector("[data-tab=steps]").click();
      setTimeout(() => {
        seen.steps = rubato.plots().filter(u => u.root.closest("#steps")).map(u => u.data[0].length);
        document.querySelector("[data-tab=statistics]").click();
        seen.statistics = $("numbers").textContent;
        document.querySelector("[data-tab=source]").click();
        seen.source = $("text").textContent;
        seen.light = getComputedStyle(document.body).backgroundColor;
        $("theme").click();
        seen.dark = getComputedStyle(document.body).backgroundColor;
        seen.wide = document.documentElement.scrollWidth <= window.innerWidth;
        document.body.append(Object.assign(document.createElement("pre"), {id: "seen", textContent: JSON.stringify(seen)}));
      }, 200);
    }, 200);
  }, 200);
}, 300);
</script></body>"""
CATCH = "<script>window.caught = []; window.onerror = m => { caught.push(m); }; console.error = (...m) => caught.push(m.join(' '));</script></head>"


def browse(path, width=1000):
    with open(path) as f:
        page = f.read().replace("</head>", CATCH, 1)
    at = page.rindex("</body>")
    probed = path + ".probed.html"
    with open(probed, "w") as f:
        f.write(page[:at] + PROBE + page[at + len("</body>"):])
    out = subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},800",
         f"--user-data-dir={WORK}/profile", "--virtual-time-budget=8000", "--dump-dom",
         "file://" + os.path.abspath(probed)], capture_output=True, text=True, timeout=100)
    m = re.search(r'<pre id="seen">(.*?)</pre>', out.stdout, re.S)
    assert m, "the page did not finish: " + re.sub(r"[A-Za-z0-9+/=]{200,}", "...", out.stdout)[-1500:] + out.stderr[-500:]
    return json.loads(m.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))


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

seen = browse(os.path.join(WORK, "ball.html"))
assert seen["errors"] == [], seen["errors"]
assert seen["shown"] == ["h", "v"] and seen["panels"] == 2 and seen["series"] == [1, 1], seen
assert all(n > 300 for n in seen["drawn"]), seen["drawn"]
assert abs(seen["top"] - 1) < 1e-6 and seen["points"] > 500
assert seen["zoom"] == [1, 2] and seen["whole"] == [0, 4], (seen["zoom"], seen["whole"])
assert seen["focus"] == "search" and seen["found"] == ["e"] and seen["chosen"] == ["h", "v", "e"], seen
assert seen["steps"] and seen["steps"][0] > 30, seen["steps"]
assert "steps accepted" in seen["statistics"] and "model BouncingBall" in seen["source"]
assert seen["light"] != seen["dark"] and seen["wide"], (seen["light"], seen["dark"])

small = browse(os.path.join(WORK, "ball.html"), 360)
assert small["errors"] == [] and small["wide"] and all(n > 100 for n in small["drawn"]), small

run("simulate", ball, "--set", "e=0.5", "--output", "low.csv")
run("report", "ball.mat", "low.csv", "--output", "both.html")
both = browse(os.path.join(WORK, "both.html"))
assert both["errors"] == [] and 2 in both["series"], both["series"]
