// SPDX-License-Identifier: Apache-2.0
// panels.js -- what else a run has to show: steps, profile, structure, clocks, statistics, source.
"use strict";
(() => {
  const { $, make, style, colours, data, runs, chart, tab } = rubato;
  const run = runs[0], stats = run.statistics || {};
  const duration = s => s >= 1 ? s.toFixed(2) + " s" : s >= 1e-3 ? (1e3 * s).toPrecision(3) + " ms" : (1e6 * s).toPrecision(3) + " \u00b5s";
  const percent = x => (100 * x).toFixed(1) + " %";
  const title = (into, text) => into.append(make("h2", {}, text));
  const soft = (into, text) => into.append(make("p", { className: "soft" }, text));
  const shortFile = path => path.slice(path.lastIndexOf("/") + 1);

  // A canvas as sharp as the screen, and its pen; sizes in pixels of the page.
  function drawing(into, width, height) {
    const scale = window.devicePixelRatio || 1, canvas = make("canvas", { width: width * scale, height: height * scale });
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
    into.append(canvas);
    const g = canvas.getContext("2d");
    g.scale(scale, scale);
    g.font = "11px system-ui, sans-serif";
    return { canvas, g };
  }
  // rows: arrays of texts, numbers or elements; the first column is a bar if it is a number.
  function table(into, heads, rows, id) {
    const t = make("table", { className: "list" });
    if (id) t.id = id;
    const head = t.createTHead().insertRow();
    heads.forEach(h => head.append(make("th", {}, h)));
    const body = t.createTBody();
    for (const row of rows) {
      const tr = body.insertRow();
      row.forEach(cell => tr.insertCell().append(cell));
    }
    const box = make("div", { className: "wide" });
    box.append(t);
    into.append(box);
  }
  function bar(share) {
    const b = make("span", { className: "share" }), fill = make("span");
    fill.style.width = Math.max(0.5, 100 * share) + "%";
    b.append(fill, make("b", {}, percent(share)));
    return b;
  }
  const place = x => x.file ? shortFile(x.file) + ":" + x.line : "";

  // ---- differences ------------------------------------------------------------------------
  // Of two results: variables by their largest difference, in parts of their range, at 1000 times; what 32-bit
  // floats cannot tell apart is equal.
  function differences() {
    const other = runs[1], byName = new Map(other.variables.map(v => [v.n, v])), list = [];
    const begin = Math.max(run.begin, other.begin), end = Math.min(run.end, other.end);
    for (const v of rubato.variables) {
      const w = byName.get(v.n);
      if (!w || !rubato.stored(run, v) || !rubato.stored(other, w) || list.length > 20000) continue;
      let low = Infinity, high = -Infinity, most = 0, when = begin;
      const steps = v.c !== undefined && w.c !== undefined ? 0 : 1000;
      for (let k = 0; k <= steps; k++) {
        const t = begin + (end - begin) * k / (steps || 1), a = rubato.at(run, v, t), b = rubato.at(other, w, t);
        low = Math.min(low, a, b);
        high = Math.max(high, a, b);
        if (Math.abs(a - b) > most) { most = Math.abs(a - b); when = t; }
      }
      const size = Math.max(Math.abs(low), Math.abs(high)), range = Math.max(high - low, 1e-5 * size);
      if (most > 2e-7 * size) list.push({ v, most, when, share: Math.min(1, most / range) });
    }
    return list.sort((a, b) => b.share - a.share);
  }
  let different;
  function drawDifferences(into) {
    different = different || differences();
    soft(into, different.length ? "Largest difference to " + runs[1].name + ", in parts of the range of values. A name shows the curves."
      : "The two results are equal.");
    table(into, ["difference", "variable", "by", "at time"], different.slice(0, 100).map(d => {
      const name = make("button", { className: "name", onclick: () => rubato.only(d.v.n) }, d.v.n);
      return [bar(d.share), name, Number(d.most.toPrecision(4)) + (d.v.u ? " " + d.v.u : ""), Number(d.when.toPrecision(4))];
    }), "differences-list");
  }
  if (runs.length > 1) tab({ id: "differences", title: "Differences", draw: drawDifferences });

  // ---- steps ----------------------------------------------------------------------------
  const levelColour = level => colours()[level % 6];
  function drawSteps(into) {
    const s = run.steps, levels = [...new Set(s.level)].sort();
    const by = value => levels.map(level => {
      const at = s.t.map((_, k) => k).filter(k => s.level[k] === level).sort((a, b) => s.t[a] - s.t[b]);
      return { label: levels.length > 1 ? "level " + level : "all states", colour: levelColour(level), points: true,
        x: Float64Array.from(at, k => s.t[k]), y: Float64Array.from(at, k => value[k]) };
    });
    if (s.of > s.t.length) soft(into, s.t.length + " of " + s.of + " steps are shown.");
    title(into, "Size of steps" + (run.events.length ? ", events as lines" : ""));
    const powers = { // a line at every power of ten
      splits: (u, axis, a, b) => Array.from({ length: Math.floor(Math.log10(b) + 1e-9) - Math.ceil(Math.log10(a) - 1e-9) + 1 }, (_, k) => 10 ** (Math.ceil(Math.log10(a) - 1e-9) + k)),
      values: (u, list) => list.map(v => v >= 0.001 && v <= 1000 ? String(Number(v.toPrecision(1))) : v.toExponential(0)), filter: (u, list) => list };
    chart(into, "", "s", by(s.h), { whole: true, axis: powers, scales: { y: { distr: 3 } } });
    if (new Set(s.order).size > 1) {
      title(into, "Order of the method");
      chart(into, "", "", by(s.order), { height: 150, whole: true, axis: { incrs: [1, 2, 5] },
        scales: { y: { range: (u, a, b) => [Math.max(0, a - 1), b + 1] } } });
    }
    drawLimits(into, s);
    drawRaster(into, s);
  }
  // Who limits the steps: the state with the largest share of the error.
  function drawLimits(into, s) {
    const count = new Map();
    s.worst.forEach(w => w >= 0 && count.set(w, (count.get(w) || 0) + 1));
    const all = [...count.values()].reduce((a, b) => a + b, 0);
    if (!all) return;
    title(into, "Who limits the steps");
    table(into, ["steps", "state with the largest share of the error"],
      [...count].sort((a, b) => b[1] - a[1]).slice(0, 10).map(([w, n]) => [bar(n / all), run.states[w]]), "limits");
  }
  // Which states step when: a stroke from the beginning of a step to its end, by level.
  function drawRaster(into, s) {
    const names = run.states;
    if (!s.states || names.length < 2) return;
    title(into, "States in each step");
    const row = names.length > 42 ? Math.max(0.4, 420 / names.length) : Math.min(14, Math.floor(420 / names.length)), width = Math.max(into.clientWidth - 32, 240);
    const left = row >= 9 ? Math.min(170, width / 3) : 8, height = row * names.length + 30;
    const { canvas, g } = drawing(into, width, height);
    canvas.id = "raster";
    const x = t => left + (t - run.begin) / (run.end - run.begin || 1) * (width - left - 8);
    const letters = Math.floor(left / 6.2);
    g.translate(0, 4);
    g.fillStyle = style("--text");
    if (row >= 9) names.forEach((n, i) => g.fillText(n.length > letters ? "\u2026" + n.slice(1 - letters) : n, 0, (i + 1) * row - 3));
    s.t.forEach((t, k) => {
      g.fillStyle = levelColour(s.level[k]);
      const wide = x(t + s.h[k]) - x(t), gap = wide > 3 ? 1 : 0.3 * wide;
      (s.states[k] || names.keys()).forEach(i => g.fillRect(x(t), i * row, Math.max(0.7, wide - gap), row > 4 ? row - 2 : Math.max(0.7, row)));
    });
    g.strokeStyle = g.fillStyle = style("--text");
    if (run.events.length <= 2000) run.events.forEach(t => g.fillRect(x(t), height - 26, 1, 6));
    g.textAlign = "center";
    for (let k = 0; k <= 4; k++) {
      const t = run.begin + (run.end - run.begin) * k / 4;
      g.fillText(Number(t.toPrecision(4)), Math.min(x(t), width - 20), height - 8);
    }
  }
  if (run.steps && run.steps.t.length) tab({ id: "steps", title: "Steps", draw: drawSteps });

  // ---- profile --------------------------------------------------------------------------
  function drawProfile(into) {
    const p = stats.profile;
    title(into, "Who limits the steps");
    const all = p.limits.reduce((n, x) => n + x.steps, 0);
    table(into, ["steps", "state", "declared"], p.limits.map(x => [bar(x.steps / all), x.state, place(x)]));
    if (!p.lines) return;
    title(into, "What components cost, with their parts");
    table(into, ["time", "component", "evaluations"], p.components.map(x => [bar(x.share), x.component || "the model itself", x.evaluated]), "components");
    title(into, "What equations cost");
    table(into, ["time", "at", "evaluations", "equation"], p.lines.map(x => [bar(x.share), place(x), x.evaluated, make("code", {}, x.equation)]), "lines");
    soft(into, "Equations take " + duration(p.seconds) + " of " + duration(stats.time_simulate) + "; the rest is linear algebra, Jacobians, events and output.");
  }
  if (stats.profile) tab({ id: "profile", title: "Profile", draw: drawProfile });

  // ---- structure ------------------------------------------------------------------------
  // Rows: unknowns in the order of computation. Columns: states, then unknowns. A loop is a square on
  // the diagonal, everything else lies left of it.
  function drawStructure(into) {
    const s = data.structure, columns = s.states + s.unknowns;
    soft(into, s.unknowns + " unknowns in " + s.blocks + " blocks, " + s.states + (s.states === 1 ? " state; " : " states; ") +
      (s.loops.length ? s.loops.length + (s.loops.length === 1 ? " loop." : " loops.") : "no loops."));
    const most = Math.min(into.clientWidth - 32, 900), named = s.block && most / (columns + 12) >= 11;
    const left = named ? Math.min(180, most / 3) : 0, cell = Math.max(0.2, Math.min(26, (most - left) / columns));
    const width = cell * columns, height = cell * s.unknowns;
    const { canvas, g } = drawing(into, Math.ceil(left + width) + 2, Math.ceil(height) + 2);
    canvas.id = "incidence";
    const first = [];
    g.fillStyle = style("--text");
    if (named) s.block.reduce((n, b) => { g.fillText(b.name.slice(-Math.floor(left / 6.5)), 0, (n + 0.5) * cell + 4); return n + b.size; }, 0);
    g.translate(left, 0);
    g.fillStyle = style("--hover");
    g.fillRect(0, 0, s.states * cell, height);
    const [ink, loop, state] = [style("--text"), colours()[4], colours()[0]];
    const dot = (row, column, colour) => { g.fillStyle = colour; g.fillRect(column * cell, row * cell, Math.max(0.7, cell - 0.6), Math.max(0.7, cell - 0.6)); };
    if (s.block) {
      s.block.reduce((n, b, k) => { first[k] = n; return n + b.size; }, 0);
      s.block.forEach((b, k) => {
        if (b.size > 1) { g.fillStyle = loop; g.fillRect((s.states + first[k]) * cell, first[k] * cell, b.size * cell, b.size * cell); }
        for (let r = first[k]; r < first[k] + b.size; r++) {
          if (b.size === 1) dot(r, s.states + r, ink);
          b.reads.forEach(x => dot(r, x, state));
          b.uses.forEach(u => dot(r, s.states + first[u], ink));
        }
      });
    } else {
      const w = width / s.cells, h = height / s.cells;
      s.cell.forEach(k => { g.fillStyle = ink; g.fillRect(k % s.cells * w, Math.floor(k / s.cells) * h, Math.max(1, w), Math.max(1, h)); });
    }
    const word = soft(into, s.block ? "Point at a row to see what it computes." : "Large model: a cell stands for many equations.") || into.lastChild;
    if (s.block) canvas.onmousemove = e => {
      const r = Math.floor(e.offsetY / cell), k = first.findLastIndex(f => f <= r), b = s.block[k];
      const c = Math.floor((e.offsetX - left) / cell) - s.states, u = first.findLastIndex(f => f <= c);
      if (b) word.textContent = b.name + (b.size > 1 ? " and " + (b.size - 1) + " more" : "") +
        (c < 0 ? "; state " + ((run.states || [])[c + s.states] || c + s.states + 1) : c !== r && s.block[u] ? "; column " + s.block[u].name : "");
    };
    if (!s.loops.length) return;
    title(into, "Loops");
    table(into, ["kind", "unknowns", "iterated", "first unknown"], [...s.loops].sort((a, b) => b[1] - a[1]).slice(0, 30)
      .map(([k, size, torn, kind]) => [kind, size, torn, s.block ? s.block[k].name : ""]), "loops");
  }
  const structure = data.structure || { partitions: [], fast: [] };
  if (structure.blocks) tab({ id: "structure", title: "Structure", draw: drawStructure });

  // ---- clocked partitions, processes without time -----------------------------------------
  function drawObjects(into, list, id) {
    const keys = [...new Set(list.flatMap(Object.keys))];
    table(into, ["", ...keys.map(k => k.replace(/_/g, " "))], list.map((x, i) => [i + 1, ...keys.map(k => x[k] === undefined ? "" : String(x[k]))]), id);
  }
  const clock = p => p.kind === "periodic" ? "every " + Number(p.interval.toPrecision(6)) + " s" + (p.offset ? " from " + Number(p.offset.toPrecision(6)) + " s" : "")
    : p.kind === "event" ? "at events" : "changing interval";
  function drawClocks(into) {
    title(into, "Clocked partitions");
    table(into, ["", "base clock", "ticks", "method", "states", "clock of"], structure.partitions.map((p, i) =>
      [i + 1, p.base, clock(p), p.method || "\u2013", p.states || "", place(p)]), "partitions");
    drawTicks(into, structure.partitions.map((p, i) => ({ ...p, number: i + 1 })).filter(p => p.interval > 0));
    if (!(stats.partitions || []).length) return;
    title(into, "Counts and times");
    drawObjects(into, stats.partitions, "ticks");
    const timed = stats.partitions.filter(p => p.time > 0);
    if (!timed.length) return;
    title(into, "Time of their ticks");
    const all = timed.reduce((n, p) => n + p.time, 0);
    table(into, ["share", "clock", "a tick"], timed.map(p => [bar(p.time / all), p.clock || "", duration(p.time / p.ticks)]));
  }
  // When they tick, as far as 60 ticks of the fastest one.
  function drawTicks(into, list) {
    if (!list.length) return;
    const fastest = Math.min(...list.map(p => p.interval)), span = Math.min(run.end - run.begin, 60 * fastest);
    title(into, "When they tick");
    const width = Math.max(into.clientWidth - 32, 240), left = 30, row = 22, height = row * list.length + 22;
    const { canvas, g } = drawing(into, width, height), x = t => left + t / span * (width - left - 30);
    canvas.id = "timing";
    list.forEach((p, k) => {
      g.fillStyle = style("--text");
      g.fillText(p.number, 4, k * row + 15);
      g.fillStyle = style("--line");
      g.fillRect(left, k * row + row - 3, width - left - 30, 1);
      g.fillStyle = colours()[k % 6];
      for (let n = 0; p.offset + n * p.interval <= span * (1 + 1e-9); n++) g.fillRect(x(p.offset + n * p.interval), k * row + 3, 2, row - 6);
    });
    g.fillStyle = style("--text");
    g.textAlign = "center";
    for (let k = 0; k <= 4; k++) g.fillText(Number((run.begin + span * k / 4).toPrecision(4)) + (k === 4 ? " s" : ""), x(span * k / 4), height - 4);
  }
  if (structure.partitions.length) tab({ id: "clocks", title: "Clocks", draw: drawClocks });
  function drawTheta(into) {
    title(into, "States that take no time");
    table(into, ["state", "power of THETA"], structure.fast, "fast");
    title(into, "Their equilibria");
    table(into, ["", ""], Object.entries(stats.theta).map(([k, v]) => [k, String(v)]), "theta-numbers");
  }
  if (stats.theta) tab({ id: "theta", title: "\u0398", draw: drawTheta });

  // ---- statistics -----------------------------------------------------------------------
  function drawStatistics(into) {
    const rows = Object.entries(stats).filter(([, v]) => typeof v !== "object");
    const shown = v => typeof v === "number" && Number.isInteger(v) ? v.toLocaleString("en") : typeof v === "number" ? String(Number(v.toPrecision(6))) : String(v);
    table(into, ["", ""], rows.map(([k, v]) => [k.replace(/_/g, " "), shown(v)]), "numbers");
    if ((stats.levels || []).length) { title(into, "Levels of steps"); drawObjects(into, stats.levels, "levels"); }
  }
  if (run.statistics) tab({ id: "statistics", title: "Statistics", draw: drawStatistics });

  // ---- source ---------------------------------------------------------------------------
  // Messages stand below the line they belong to, others on top; the margin shows what lines cost.
  function drawSource(into) {
    const messages = data.messages || [], lines = (data.source || "").split("\n"), pre = make("pre", { id: "text" });
    const file = shortFile(data.file || ""), own = m => data.source && m.file && shortFile(m.file) === file && m.line >= 1 && m.line <= lines.length;
    const note = m => make("span", { className: "message " + m.severity }, m.severity + (m.code ? " " + m.code : "") + ": " + m.message + (own(m) || !m.file ? "" : "  (" + place(m) + ")") + "\n");
    const costs = new Map(((stats.profile || {}).lines || []).filter(own).map(x => [x.line, x.share]));
    messages.filter(m => !own(m)).forEach(m => pre.append(note(m)));
    if (data.source) lines.forEach((line, k) => {
      const share = costs.get(k + 1), margin = costs.size ? (share ? percent(share) : "").padStart(8) : "";
      pre.append(make("span", { className: "n" + (share > 0.05 ? " hot" : "") }, margin + String(k + 1).padStart(5) + "  "), line + "\n");
      messages.filter(m => own(m) && m.line === k + 1).forEach(m => pre.append(note(m)));
    });
    into.append(pre);
  }
  if (data.source || (data.messages || []).length)
    tab({ id: "source", title: data.source ? "Source" : "Messages", draw: drawSource });
})();
