#!/usr/bin/env python3
"""The animation of the HTML report in a real browser: bodies are found, have their shapes, stand where
the model puts them at every time, and are seen on the screen; shapes come from files too.

Left out (with a word) where there is no chromium or no three.js."""
import math
import os
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from browser import BROWSER, browse

HERE = os.path.dirname(os.path.abspath(__file__))
RUBATO = os.path.join(os.environ["RUBATO_BUILD"], "rubato")
WORK = os.environ.get("TMPDIR", "/tmp")

PROBE = """
const seen = {at: {}};
open_tab("animation");
for (let k = 0; k < 100 && !rubato.animation; k++) await wait(100);
const {view, setTime, paint, pose} = rubato.animation;
seen.names = view.bodies.map(b => b.mesh.name);
seen.types = rubato.data.shapes.map(s => s.t || "");
const box = b => { b.mesh.geometry.computeBoundingBox(); const x = b.mesh.geometry.boundingBox.clone().applyMatrix4(b.mesh.matrix);
  return [...x.min.toArray(), ...x.max.toArray()]; };
seen.arrows = {};
for (const t of [0, 1, 1.5]) {
  setTime(t);
  view.scene.updateMatrixWorld();
  seen.arrows[t] = Object.fromEntries(view.arrows.map(a => [a.mesh.name, a.mesh.children.map(m => !m.visible ? null :
    [[0, 0, 0], [1, 0, 0]].map(p => m.localToWorld(m.position.clone().set(...p)).toArray()))]));
  seen.at[t] = Object.fromEntries(view.bodies.map(b => [b.mesh.name, {box: box(b), matrix: b.mesh.matrix.toArray(), seen: b.mesh.visible,
    vertices: b.mesh.geometry.attributes.position.count}]));
}
const gl = view.renderer.getContext();
const count = test => { // pixels of the picture
  paint();
  const w = gl.drawingBufferWidth, h = gl.drawingBufferHeight, d = new Uint8Array(4 * w * h);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, d);
  let n = 0, x = 0;
  for (let i = 0; i < d.length; i += 4) if (test(d[i], d[i + 1], d[i + 2])) { n++; x += i / 4 % w; }
  return {n, x: x / n};
};
const red = (r, g, b) => r > 90 && g < 0.35 * r && b < 0.35 * r;
const blue = (r, g, b) => b > 90 && r < 0.4 * b;
const yellow = (r, g, b) => r > 90 && g > 0.6 * r && b < 0.5 * r;
setTime(0);
seen.red0 = count(red); seen.blue0 = count(blue); seen.yellow0 = count(yellow);
setTime(1);
seen.red1 = count(red);
view.slider.value = 750;
view.slider.dispatchEvent(new Event("input"));
seen.slider = view.time;
seen.label = view.label.textContent;
key(document.body, " ");
await wait(400);
seen.played = view.time;
key(document.body, " ");
seen.button = view.button.textContent;
seen.wide = document.documentElement.scrollWidth <= window.innerWidth;
finish(seen);
"""


def run(*words):
    p = subprocess.run([RUBATO, *words], capture_output=True, text=True, cwd=WORK)
    assert p.returncode == 0, p.stderr
    return p.stdout


def near(a, b, tolerance=2e-5):
    return len(a) == len(b) and all(abs(x - y) <= tolerance for x, y in zip(a, b))


# A wedge with four corners, as binary STL.
corner = [(0, 0, 0), (0.3, 0, 0), (0, 0.2, 0), (0, 0, 0.1)]
faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
with open(os.path.join(WORK, "wedge.stl"), "wb") as f:
    f.write(bytes(80) + struct.pack("<I", len(faces)))
    for face in faces:
        f.write(struct.pack("<3f", 0, 0, 0) + b"".join(struct.pack("<3f", *corner[k]) for k in face) + b"\0\0")
with open(os.path.join(HERE, "input", "Bodies.mo")) as f:
    text = f.read().replace("{here}", WORK.lstrip("/"))
with open(os.path.join(WORK, "Bodies.mo"), "w") as f:
    f.write(text)

run("simulate", "Bodies.mo", "--model", "Bodies.Pendulum", "--report", "p.html", "--output", "p.mat")
with open(os.path.join(WORK, "p.html")) as f:
    page = f.read()
if 'id="three-core"' not in page:
    print("left out: this build has no three.js")
    sys.exit(77)
assert "three.js authors" in page, "the licence of three.js is missing"
if not BROWSER:
    print("left out: there is no chromium")
    sys.exit(77)

phi = {}
values = run("convert", "p.mat", "--variables", "^phi$", "--output", "-").splitlines()[1:]
for line in values:
    t, x = line.split(",")
    phi[float(t)] = float(x)

seen = browse(os.path.join(WORK, "p.html"), PROBE, folder=WORK)
assert seen["errors"] == [], seen["errors"]
assert seen["names"] == ["rod", "bob", "spring", "wedge", "box", "hull[1]", "hull[2]"], seen["names"]
assert seen["types"][:3] == ["cylinder", "sphere", "spring"] and seen["types"][4:] == ["box", "pipe", "pipe"], seen["types"]
for t in (0, 1, 1.5):
    at, p = seen["at"][str(t)], phi[t]
    s, c = math.sin(p), math.cos(p)
    assert all(b["seen"] for b in at.values()), at
    # columns of the matrix: axes by their sizes, then the origin
    m = at["rod"]["matrix"]
    assert near(m[0:3], (0.8 * s, -0.8 * c, 0)) and near(m[12:15], (0, 0, 0)), (t, m)
    assert near([math.hypot(*m[4:7]), math.hypot(*m[8:11])], [0.05, 0.05]), m
    assert near(at["bob"]["box"], (0.8 * s - 0.1, -0.8 * c - 0.1, -0.1, 0.8 * s + 0.1, -0.8 * c + 0.1, 0.1), 2e-3), (t, at["bob"])
    # R.T turns the world into the frame: the length of the box points to (cos t, sin t, 0)
    m = at["box"]["matrix"]
    assert near(m[0:3], (0.4 * math.cos(t), 0.4 * math.sin(t), 0)) and near(m[4:7], (-0.2 * math.sin(t), 0.2 * math.cos(t), 0)), (t, m)
    assert near(m[8:11], (0, 0, 0.1)) and near(m[12:15], (0, 0.5, 0)), m
    # a spring is as long as the model says, its wire 0.02 thick on a helix of radius 0.1
    low, high = at["spring"]["box"][0:3], at["spring"]["box"][3:6]
    assert abs((high[1] - low[1]) - (0.5 + 0.1 * s)) < 0.025 and abs(high[0] - low[0] - 0.22) < 0.003, (low, high)
    assert near(at["wedge"]["box"], (1, 0, 0, 1.3, 0.2, 0.1)) and at["wedge"]["vertices"] == 12, at["wedge"]
    assert near(at["hull[2]"]["box"], (-0.5, 0.75, -0.05, -0.3, 0.85, 0.05)), at["hull[2]"]
# Arrows: (line, first head, second head), each from its beginning to its end. 30 at time 2 is the longest.
longest = 0
for t in (0, 1, 1.5):
    line, head, second = seen["arrows"][str(t)]["push"]
    assert near(line[0], (1, 1, 0)) and near(line[1], head[0]) and second is None, (t, line, head)
    length = head[1][1] - 1
    longest = max(longest, length / (10 + 10 * t))
    assert near(head[1], (1, 1 + length, 0)) and abs(length / (10 + 10 * t) - longest) < 1e-6, (t, head)
    # R.T turns z of the frame into x of the world; the head is at the origin
    line, head, second = seen["arrows"][str(t)]["pull"]
    assert near(head[1], (1, 1, 0)) and near(line[0], (1 - 15 * longest, 1, 0)), (t, line, head)
    assert second and second[1][0] < head[1][0], second
assert longest > 0.01
for colour in ("red0", "blue0", "yellow0", "red1"):
    assert seen[colour]["n"] > 200, (colour, seen[colour])
assert seen["red1"]["x"] < seen["red0"]["x"] - 20, "the bob swings to the left"
assert abs(seen["slider"] - 1.5) < 1e-6 and seen["label"] == "1.500 s", (seen["slider"], seen["label"])
assert seen["played"] != seen["slider"] and seen["button"] == "Play" and seen["wide"], seen

# Without the model the types are not known; sizes decide between box and cylinder.
run("report", "p.mat", "--output", "alone.html")
alone = browse(os.path.join(WORK, "alone.html"), PROBE, 500, WORK)
assert alone["errors"] == [] and alone["names"] == seen["names"] and set(alone["types"]) == {""}, alone
assert near(alone["at"]["1"]["rod"]["matrix"], seen["at"]["1"]["rod"]["matrix"]) and alone["wide"]
