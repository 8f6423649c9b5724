// SPDX-License-Identifier: Apache-2.0
// animation.js -- the bodies of a model in space, over time.
//
// A body has 29 variables in the order of shapes.c: r (3), R.T (9, by rows), r_shape (3),
// lengthDirection (3), widthDirection (3), length, width, height, extra, color (3), specularCoefficient.
// An arrow has 21: r (3), R.T (9), coordinates (3), color (3), quantity, headAtOrigin, twoHeadedArrow.
// Its geometry is made once in a box of size 1 whose x axis is the length from 0 to 1, and is put in
// place by a matrix; what depends on sizes in another way (springs, rounded ends) is made anew when
// these change. three.js is in the page as text; modules are loaded from it when the tab is opened.
"use strict";
(() => {
  const { $, make, style, data, runs, variables, bytes, at, tab } = rubato;
  const whole = thing => thing.v.every(i => rubato.stored(runs[0], variables[i]));
  const shapes = data.shapes.filter(whole), arrows = data.arrows.filter(whole);
  let three, view; // modules; what is on the screen

  function modules() {
    const url = text => URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const text = id => $(id).textContent;
    const core = url(text("three-core"));
    const main = url(text("three-module").replaceAll('"./three.core.min.js"', '"' + core + '"'));
    const orbit = url(text("three-orbit").replace("from 'three'", 'from "' + main + '"'));
    return Promise.all([import(main), import(orbit)]).then(([t, o]) => ({ ...t, OrbitControls: o.OrbitControls }));
  }

  // ---- geometry: x from 0 to 1, y and z from -1/2 to 1/2 ----------------------------------
  const turned = g => g.rotateZ(-Math.PI / 2).translate(0.5, 0, 0); // three's axis is y, around 0
  function outline(points, hole) { // extruded in z
    const s = new three.Shape(points);
    if (hole) s.holes.push(new three.Path(hole));
    return new three.ExtrudeGeometry(s, { depth: 1, bevelEnabled: false, curveSegments: 24 }).translate(0, 0, -0.5);
  }
  const circle = (radius, n) => Array.from({ length: n }, (_, k) =>
    new three.Vector2(radius * Math.cos(2 * Math.PI * k / n), radius * Math.sin(2 * Math.PI * k / n)));
  const alongX = g => g.rotateY(Math.PI / 2).translate(0.5, 0, 0); // extruded in x instead of z
  function beam(size) { // half circles with the ends of the length as centres
    const points = [], wide = size.width / 2 / (size.length || 1e-9);
    for (let k = 0; k <= 16; k++) points.push(new three.Vector2(1 + wide * Math.sin(Math.PI * k / 16), -0.5 * Math.cos(Math.PI * k / 16)));
    for (let k = 0; k <= 16; k++) points.push(new three.Vector2(-wide * Math.sin(Math.PI * k / 16), 0.5 * Math.cos(Math.PI * k / 16)));
    return outline(points);
  }
  function wheel(teeth) { // every tooth a trapezium
    const points = [], n = Math.max(3, Math.round(Math.abs(teeth)) || 20);
    for (let k = 0; k < n; k++)
      [[0, 0.44], [0.3, 0.44], [0.4, 0.5], [0.6, 0.5], [0.7, 0.44]].forEach(([part, r]) => {
        const a = 2 * Math.PI * (k + part) / n;
        points.push(new three.Vector2(r * Math.cos(a), r * Math.sin(a)));
      });
    return alongX(outline(points));
  }
  // A wire of thickness height / 2 along a helix; drawn in true size, so its box is not scaled.
  function spring(size) {
    const coils = Math.max(1, size.extra || 5), n = Math.min(1200, Math.ceil(24 * coils)), sides = 7;
    const R = size.width / 2, r = (size.height / 2 || size.width / 20) / 2, L = size.length;
    const position = new Float32Array((n + 1) * sides * 3), normal = new Float32Array(position.length), index = [];
    const pitch = L / (2 * Math.PI * coils), norm = Math.hypot(pitch, R) || 1;
    for (let i = 0; i <= n; i++) {
      const a = 2 * Math.PI * coils * i / n, c = Math.cos(a), s = Math.sin(a);
      for (let k = 0; k < sides; k++) { // around the wire: the radius and what is normal to it and the wire
        const u = Math.cos(2 * Math.PI * k / sides), w = Math.sin(2 * Math.PI * k / sides), at3 = 3 * (i * sides + k);
        const d = [w * R / norm, u * c + w * pitch / norm * s, u * s - w * pitch / norm * c];
        const m = [L * i / n, R * c, R * s];
        for (let q = 0; q < 3; q++) { normal[at3 + q] = d[q]; position[at3 + q] = m[q] + r * d[q]; }
        if (i < n) {
          const a0 = i * sides + k, a1 = i * sides + (k + 1) % sides;
          index.push(a0, a0 + sides, a1, a1, a0 + sides, a1 + sides);
        }
      }
    }
    const g = new three.BufferGeometry();
    g.setAttribute("position", new three.BufferAttribute(position, 3));
    g.setAttribute("normal", new three.BufferAttribute(normal, 3));
    g.setIndex(index);
    return g;
  }
  const ratio = extra => Math.min(1, Math.max(0, extra));
  const pipe = extra => alongX(outline(circle(0.5, 40), ratio(extra) > 0 && circle(0.5 * Math.min(0.98, extra), 40)));
  const kinds = { // needs: what of the sizes the geometry depends on
    box: { make: () => new three.BoxGeometry().translate(0.5, 0, 0) },
    sphere: { make: () => new three.SphereGeometry(0.5, 32, 20).translate(0.5, 0, 0) },
    cylinder: { make: () => turned(new three.CylinderGeometry(0.5, 0.5, 1, 32)) },
    cone: { make: s => turned(new three.CylinderGeometry(0.5 * ratio(s.extra), 0.5, 1, 32)), needs: s => s.extra },
    pipe: { make: s => pipe(s.extra), needs: s => s.extra },
    pipecylinder: { make: s => pipe(s.extra), needs: s => s.extra },
    beam: { make: beam, needs: s => (s.width / s.length).toPrecision(5) },
    gearwheel: { make: s => wheel(s.extra), needs: s => s.extra },
    spring: { make: spring, needs: s => [s.length, s.width, s.height, s.extra].map(x => x.toPrecision(5)).join(), exact: true },
  };
  function fromFile(uri) { // triangles in metres, in the frame of the shape
    const g = new three.BufferGeometry();
    g.setAttribute("position", new three.BufferAttribute(new Float32Array(bytes(data.meshes[uri])), 3));
    g.computeVertexNormals();
    return g;
  }
  const files = {};
  function kindOf(shape, size) {
    const uri = shape.t;
    if (uri && data.meshes[uri]) return files[uri] || (files[uri] = { make: () => fromFile(uri), exact: true, file: true });
    if (kinds[uri]) return kinds[uri];
    return Math.abs(size.width - size.height) < 1e-9 ? kinds.cylinder : kinds.box; // not known
  }

  // ---- bodies ---------------------------------------------------------------------------
  const unit = v => { const n = Math.hypot(...v); return n > 1e-10 ? v.map(x => x / n) : [1, 0, 0]; };
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  // R.T turns the world into the frame of the body, so its transpose brings vectors to the world.
  const toWorld = (T, v) => [0, 1, 2].map(j => T[j] * v[0] + T[3 + j] * v[1] + T[6 + j] * v[2]);
  function pose(shape, t) {
    const q = valuesOf(shape, t), T = q.slice(3, 12);
    const ex = unit(q.slice(15, 18));
    let ez = cross(ex, q.slice(18, 21));
    if (Math.hypot(...ez) < 1e-10) ez = cross(ex, Math.abs(ex[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]);
    ez = unit(ez);
    const shift = toWorld(T, q.slice(12, 15));
    return { origin: [0, 1, 2].map(k => q[k] + shift[k]), x: toWorld(T, ex), y: toWorld(T, cross(ez, ex)), z: toWorld(T, ez),
      size: { length: q[21], width: q[22], height: q[23], extra: q[24] }, colour: q.slice(25, 28), shine: q[28] };
  }
  function place(body, t) {
    const p = pose(body.shape, t), s = p.size, kind = kindOf(body.shape, s);
    const need = kind.needs ? kind.needs(s) : "";
    const shown = kind.file || [s.length, s.width, s.height].every(x => Number.isFinite(x)) && Math.abs(s.length) > 1e-9 && Math.abs(s.width) > 1e-9;
    body.mesh.visible = shown;
    if (!shown) return;
    if (body.kind !== kind || body.need !== need) {
      if (body.mesh.geometry && !kind.file) body.mesh.geometry.dispose();
      body.mesh.geometry = kind.make(s);
      Object.assign(body, { kind, need });
    }
    const [a, b, c] = kind.exact && !(kind.file && s.extra === 1) ? [1, 1, 1] : [s.length, s.width, s.height || 1e-6];
    body.mesh.matrix.set(
      a * p.x[0], b * p.y[0], c * p.z[0], p.origin[0],
      a * p.x[1], b * p.y[1], c * p.z[1], p.origin[1],
      a * p.x[2], b * p.y[2], c * p.z[2], p.origin[2], 0, 0, 0, 1);
    body.mesh.matrixWorldNeedsUpdate = true;
    body.mesh.material.color.setRGB(...p.colour.map(x => x / 255), three.SRGBColorSpace);
    body.mesh.material.shininess = 5 + 60 * p.shine;
  }

  // ---- arrows: a cylinder and one or two cones, the largest of each quantity a quarter of the scene ---
  const valuesOf = (thing, t) => thing.v.map(i => at(runs[0], variables[i], t));
  function arrowScales(radius) {
    const most = new Map();
    for (let k = 0; k <= 100; k++) for (const a of arrows) {
      const q = valuesOf(a, runs[0].begin + (runs[0].end - runs[0].begin) * k / 100);
      most.set(q[18], Math.max(most.get(q[18]) || 0, Math.hypot(q[12], q[13], q[14])));
    }
    view.scales = new Map([...most].map(([quantity, size]) => [quantity, size > 0 ? 0.5 * radius / size : 0]));
    view.thick = 0.012 * radius;
  }
  function aim(mesh, from, direction, length, width) {
    mesh.visible = length > 0;
    mesh.position.set(...from);
    mesh.quaternion.setFromUnitVectors(new three.Vector3(1, 0, 0), new three.Vector3(...direction));
    mesh.scale.set(Math.max(length, 1e-9), width, width);
  }
  function placeArrow(arrow, t) {
    const q = valuesOf(arrow.thing, t), T = q.slice(3, 12), vector = toWorld(T, q.slice(12, 15)), size = Math.hypot(...vector);
    const length = size * (view.scales ? view.scales.get(q[18]) || 0 : 0), d = size > 0 ? vector.map(x => x / size) : [1, 0, 0];
    const w = view.thick || 0, head = Math.min(6 * w, length / 2), along = s => [0, 1, 2].map(k => q[k] + (s - (q[19] > 0.5 ? length : 0)) * d[k]);
    const [line, first, second] = arrow.mesh.children;
    aim(line, along(0), d, length - head, w);
    aim(first, along(length - head), d, head, 3 * w);
    aim(second, along(length - 1.7 * head), d, q[20] > 0.5 ? head : 0, 3 * w);
    arrow.mesh.children.forEach(m => m.material.color.setRGB(...q.slice(15, 18).map(x => x / 255), three.SRGBColorSpace));
  }
  function makeArrow(thing) {
    const mesh = new three.Group(), material = new three.MeshPhongMaterial();
    for (const top of [0.5, 0, 0]) mesh.add(new three.Mesh(turned(new three.CylinderGeometry(top, 0.5, 1, 20)), material));
    mesh.name = thing.n;
    view.scene.add(mesh);
    return { thing, mesh };
  }

  // ---- the view -------------------------------------------------------------------------
  // The camera sees the points that matter: where bodies are at some times.
  function look() {
    const box = new three.Box3();
    for (let k = 0; k <= 12; k++) {
      setTime(runs[0].begin + (runs[0].end - runs[0].begin) * k / 12);
      view.scene.updateMatrixWorld();
      for (const b of view.bodies) if (b.mesh.visible) box.expandByObject(b.mesh);
    }
    const centre = box.getCenter(new three.Vector3()), radius = Math.max(box.getSize(new three.Vector3()).length() / 2, 1e-3);
    arrowScales(radius);
    const up = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }[view.up.value], side = { x: [0, 1, 0], y: [0, 0, 1], z: [0, -1, 0] }[view.up.value];
    const right = cross(up, side), away = 0.8 * radius / Math.sin(view.camera.fov / 360 * Math.PI * Math.min(1, view.camera.aspect));
    const from = [0, 1, 2].map(k => centre.getComponent(k) + away * (0.86 * side[k] + 0.36 * up[k] + 0.36 * right[k]));
    view.camera.up.set(...up);
    view.camera.position.set(...from);
    view.camera.near = away / 1000;
    view.camera.far = away * 20;
    view.camera.updateProjectionMatrix();
    view.controls.target.copy(centre);
    view.controls.update();
    floor(box, radius, up);
    setTime(runs[0].begin);
  }
  function floor(box, radius, up) { // lines below all bodies, a round length apart
    const step = 10 ** Math.round(Math.log10(radius / 4)), n = 2 * Math.ceil(1.5 * radius / step);
    const grid = new three.GridHelper(n * step, n, style("--soft"), style("--line")), axis = up.indexOf(1);
    const centre = box.getCenter(new three.Vector3());
    grid.quaternion.setFromUnitVectors(new three.Vector3(0, 1, 0), new three.Vector3(...up));
    grid.position.copy(centre).divideScalar(step).round().multiplyScalar(step).setComponent(axis, box.min.getComponent(axis));
    if (view.floor) view.scene.remove(view.floor);
    view.scene.add(view.floor = grid);
  }
  function setTime(t) {
    view.time = t;
    for (const b of view.bodies) place(b, t);
    for (const a of view.arrows) placeArrow(a, t);
    view.slider.value = (t - runs[0].begin) / (runs[0].end - runs[0].begin || 1) * 1000;
    view.label.textContent = t.toFixed(3) + " s";
  }
  function paint() {
    if (!view || !view.canvas.isConnected) return; // another tab
    const now = performance.now() / 1000;
    if (view.playing) {
      let t = view.time + (now - view.last) * Number(view.speed.value);
      if (t > runs[0].end) t = runs[0].begin;
      setTime(t);
    }
    view.last = now;
    view.renderer.render(view.scene, view.camera);
    requestAnimationFrame(paint);
  }
  function play(on) {
    view.playing = on;
    view.button.textContent = on ? "Pause" : "Play";
  }
  function bar() { // buttons above the picture
    const line = make("p", { className: "bar" }), span = runs[0].end - runs[0].begin;
    view.button = make("button", { title: "space", onclick: () => play(!view.playing) }, "Play");
    view.slider = make("input", { type: "range", min: 0, max: 1000, step: "any", ariaLabel: "time" });
    view.slider.oninput = () => { play(false); setTime(runs[0].begin + span * view.slider.value / 1000); };
    view.label = make("output", {});
    view.speed = make("select", { ariaLabel: "speed" });
    for (const s of [0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100, 1000]) view.speed.append(make("option", { value: s, selected: s === 1 }, s + "x"));
    if (span > 60 || span < 0.5) view.speed.value = [0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100, 1000].find(s => span / s < 20) || 1000;
    view.up = make("select", { ariaLabel: "axis that points up", onchange: look });
    for (const a of ["x", "y", "z"]) view.up.append(make("option", { value: a, selected: a === "y" }, a + " up"));
    line.append(view.button, view.slider, view.label, view.speed, view.up);
    return line;
  }
  function build(into) {
    view = { playing: false, last: 0, canvas: make("canvas", { id: "scene" }) };
    into.append(bar(), view.canvas, make("p", { className: "soft" }, "Drag to turn, right button to move, wheel to zoom. Space plays."));
    const width = Math.max(240, into.clientWidth - 32), height = Math.max(240, Math.min(innerHeight - 190, width));
    view.renderer = new three.WebGLRenderer({ canvas: view.canvas, antialias: true, preserveDrawingBuffer: true });
    view.renderer.setPixelRatio(window.devicePixelRatio || 1);
    view.renderer.setSize(width, height);
    view.scene = new three.Scene();
    view.scene.background = new three.Color(style("--back"));
    view.camera = new three.PerspectiveCamera(35, width / height, 0.01, 1000);
    view.scene.add(new three.HemisphereLight(0xffffff, 0x8890a0, 1.6), view.camera);
    const sun = new three.DirectionalLight(0xffffff, 1.9);
    sun.position.set(0.5, 1, 0.8);
    view.camera.add(sun); // it shines from where one looks
    view.controls = new three.OrbitControls(view.camera, view.canvas);
    view.bodies = shapes.map(shape => {
      const mesh = new three.Mesh(undefined, new three.MeshPhongMaterial({ side: three.DoubleSide, flatShading: !!data.meshes[shape.t] }));
      mesh.matrixAutoUpdate = false;
      mesh.name = shape.n;
      view.scene.add(mesh);
      return { shape, mesh };
    });
    view.arrows = arrows.map(makeArrow);
    look();
    rubato.animation = { setTime, pose, view, paint: () => view.renderer.render(view.scene, view.camera) };
    document.body.dataset.bodies = view.bodies.length;
    paint();
  }
  function draw(into) {
    if (view) { view.renderer.dispose(); view = null; }
    if (three) { build(into); return; }
    modules().then(m => { three = m; if (!into.hidden && !view) build(into); })
      .catch(e => into.append(make("p", {}, "The animation cannot be shown: " + e.message)));
  }
  document.addEventListener("keydown", e => {
    if (e.key === " " && view && !$("animation").hidden && document.activeElement.tagName !== "BUTTON") { e.preventDefault(); play(!view.playing); }
  });
  tab({ id: "animation", title: "Animation", draw });
})();
