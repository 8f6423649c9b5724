// SPDX-License-Identifier: Apache-2.0
// study.js -- the page of `rubato sweep --report`: scatter, parallel coordinates, bands of trajectories.
// Columns are base64 of little-endian doubles, NaN where a case failed. Canvases are drawn here; bands by uPlot.
"use strict";
const study = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = id => document.getElementById(id);
  const numbers = text => new Float64Array(Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer);
  const make = (tag, attributes, text) => {
    const e = Object.assign(document.createElement(tag), attributes || {});
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const columns = data.columns.map(c => ({ name: c.n, value: numbers(c.y) }));
  const cases = columns.length ? columns[0].value.length : 0;
  for (const c of columns) {
    const fine = c.value.filter(Number.isFinite);
    c.low = fine.length ? fine.reduce((a, b) => Math.min(a, b)) : 0;
    c.high = fine.length ? fine.reduce((a, b) => Math.max(a, b)) : 1;
    if (c.low === c.high) { const d = Math.abs(c.low) || 1; c.low -= d / 2; c.high += d / 2; }
  }
  const share = (c, i) => (c.value[i] - c.low) / (c.high - c.low);
  const shown = x => Number(x.toPrecision(4)).toString();
  // From blue over green to yellow, so that more is brighter.
  const colour = s => Number.isFinite(s) ? `hsl(${240 - 190 * s} 75% ${38 + 17 * s}%)` : style("--line");
  const ranges = new Map(); // parallel coordinates: column -> [low, high] in shares
  const chosen = i => [...ranges].every(([k, [a, b]]) => { const s = share(columns[k], i); return s >= a && s <= b; });

  function canvas(id, width, height, words) {
    const c = make("canvas", { id, width, height });
    c.setAttribute("role", "img");
    c.setAttribute("aria-label", words);
    return c;
  }
  function choice(label, at, into, change, none) {
    const select = make("select", { onchange: change });
    if (none) select.append(make("option", { value: -1 }, none));
    columns.forEach((c, k) => select.append(make("option", { value: k }, c.name)));
    select.value = at;
    const l = make("label", {}, label + " ");
    l.append(select);
    into.append(l);
    return select;
  }

  // ---- scatter ----
  function drawScatter(into) {
    const bar = make("div", { className: "bar" });
    const view = canvas("scatter-canvas", Math.max(300, Math.min(900, into.clientWidth - 32)), 480, "cases as points");
    const words = make("p", { className: "soft", id: "pointed" }, "Point at a case.");
    const draw = () => paint(view, columns[x.value], columns[y.value], columns[by.value]);
    const x = choice("across", 0, bar, draw), y = choice("up", Math.min(data.varied, columns.length - 1), bar, draw);
    const by = choice("colour", data.varied > 1 ? 1 : -1, bar, draw, "none");
    x.id = "scatter-x"; y.id = "scatter-y"; by.id = "scatter-colour";
    into.append(bar, view, words);
    view.onmousemove = e => {
      const i = nearest(view, e.offsetX * view.width / view.clientWidth, e.offsetY * view.height / view.clientHeight, columns[x.value], columns[y.value]);
      if (i >= 0) words.textContent = "case " + data.numbers[i] + ": " + columns.map(c => c.name + " = " + shown(c.value[i])).join(", ");
    };
    draw();
  }
  const EDGE = { left: 70, right: 16, top: 12, bottom: 40 };
  const place = (view, x, y, i) => [EDGE.left + share(x, i) * (view.width - EDGE.left - EDGE.right),
    view.height - EDGE.bottom - share(y, i) * (view.height - EDGE.top - EDGE.bottom)];
  function paint(view, x, y, by) {
    const g = view.getContext("2d");
    let points = 0;
    g.clearRect(0, 0, view.width, view.height);
    g.strokeStyle = style("--line");
    g.strokeRect(EDGE.left, EDGE.top, view.width - EDGE.left - EDGE.right, view.height - EDGE.top - EDGE.bottom);
    g.fillStyle = style("--text");
    g.font = "12px system-ui, sans-serif";
    for (let k = 0; k <= 4; k++) {
      const s = k / 4;
      g.textAlign = "center";
      g.fillText(shown(x.low + s * (x.high - x.low)), EDGE.left + s * (view.width - EDGE.left - EDGE.right), view.height - EDGE.bottom + 16);
      g.textAlign = "right";
      g.fillText(shown(y.low + s * (y.high - y.low)), EDGE.left - 6, view.height - EDGE.bottom - s * (view.height - EDGE.top - EDGE.bottom) + 4);
    }
    g.textAlign = "center";
    g.fillText(x.name + "  across, " + y.name + "  up" + (by ? ", colour: " + by.name : ""), view.width / 2, view.height - 6);
    for (let i = 0; i < cases; i++) {
      const [a, b] = place(view, x, y, i);
      if (!Number.isFinite(a) || !Number.isFinite(b)) continue;
      g.fillStyle = by ? colour(share(by, i)) : style("--accent");
      g.globalAlpha = chosen(i) ? cases > 5000 ? 0.4 : 0.8 : 0.08;
      g.fillRect(a - 2, b - 2, 4, 4);
      points++;
    }
    g.globalAlpha = 1;
    view.dataset.points = points;
  }
  function nearest(view, px, py, x, y) {
    let best = -1, far = 200;
    for (let i = 0; i < cases; i++) {
      const [a, b] = place(view, x, y, i), d = (a - px) ** 2 + (b - py) ** 2;
      if (d < far) { far = d; best = i; }
    }
    return best;
  }

  // ---- parallel coordinates: drag along an axis to choose, click it to let go ----
  function drawParallel(into) {
    const view = canvas("parallel-canvas", Math.max(300, Math.min(1100, into.clientWidth - 32)), 420, "cases as lines");
    const bar = make("div", { className: "bar" }), words = make("p", { className: "soft", id: "chosen" });
    const by = choice("colour", columns.length - 1, bar, () => lines());
    into.append(bar, view, words);
    const across = k => 50 + k * (view.width - 100) / Math.max(1, columns.length - 1);
    const up = s => view.height - 30 - s * (view.height - 70);
    function lines() {
      const g = view.getContext("2d");
      let n = 0;
      g.clearRect(0, 0, view.width, view.height);
      for (const pass of [false, true]) for (let i = 0; i < cases; i++) {
        if (chosen(i) !== pass || columns.some(c => !Number.isFinite(c.value[i]))) continue;
        n += pass;
        g.strokeStyle = pass ? colour(share(columns[by.value], i)) : style("--line");
        g.globalAlpha = pass ? Math.max(0.05, Math.min(0.8, 300 / cases)) : 0.1;
        g.beginPath();
        columns.forEach((c, k) => g.lineTo(across(k), up(share(c, i))));
        g.stroke();
      }
      g.globalAlpha = 1;
      g.font = "12px system-ui, sans-serif";
      g.textAlign = "center";
      columns.forEach((c, k) => {
        g.strokeStyle = g.fillStyle = style("--text");
        g.beginPath(); g.moveTo(across(k), up(0)); g.lineTo(across(k), up(1)); g.stroke();
        g.fillText(c.name, across(k), 14);
        g.fillText(shown(c.high), across(k), 30);
        g.fillText(shown(c.low), across(k), view.height - 12);
        if (!ranges.has(k)) return;
        const [a, b] = ranges.get(k);
        g.globalAlpha = 0.3;
        g.fillStyle = style("--accent");
        g.fillRect(across(k) - 8, up(b), 16, up(a) - up(b));
        g.globalAlpha = 1;
      });
      words.textContent = n + " of " + cases + " cases. Drag along an axis to choose, click it to let go.";
      view.dataset.lines = n;
    }
    let from = null;
    const spot = e => {
      const x = e.offsetX * view.width / view.clientWidth, y = e.offsetY * view.height / view.clientHeight;
      const k = columns.reduce((best, _, j) => Math.abs(across(j) - x) < Math.abs(across(best) - x) ? j : best, 0);
      return { k, s: (view.height - 30 - y) / (view.height - 70) };
    };
    view.onmousedown = e => { from = spot(e); };
    view.onmouseup = e => {
      const to = spot(e);
      if (from && Math.abs(to.s - from.s) > 0.01) ranges.set(from.k, [Math.min(from.s, to.s), Math.max(from.s, to.s)]);
      else ranges.delete(to.k);
      from = null;
      lines();
    };
    lines();
  }

  // ---- bands: of all cases the least, 5 %, half, 95 %, the most ----
  function drawBands(into) {
    const t = numbers(data.bands.time), accent = style("--accent"), axis = { stroke: style("--text"), grid: { stroke: style("--line") } };
    data.bands.variables.forEach(v => {
      const y = v.levels.map(numbers);
      const line = (label, width) => ({ label, stroke: accent, width });
      new uPlot({
        title: v.n, width: Math.max(300, Math.min(1000, into.clientWidth - 32)), height: 280,
        scales: { x: { time: false } }, axes: [{ ...axis, label: "time [s]" }, { ...axis, size: 70 }],
        series: [{ label: "time" }, line("least", 0.5), line("5 %", 0.5), line("median", 2), line("95 %", 0.5), line("most", 0.5)],
        bands: [{ series: [5, 1], fill: accent + "22" }, { series: [4, 2], fill: accent + "44" }],
      }, [t, ...y], into);
    });
    into.dataset.bands = data.bands.variables.length;
  }

  // ---- failed cases ----
  function drawFailed(into) {
    const table = make("table", { id: "failures", className: "list" });
    data.failures.forEach(f => {
      const row = table.insertRow();
      row.insertCell().textContent = "case " + f.c;
      row.insertCell().textContent = f.why;
    });
    into.append(table);
  }

  const tabs = [{ id: "scatter", title: "Scatter", draw: drawScatter }, { id: "parallel", title: "Parallel coordinates", draw: drawParallel }];
  if (data.bands && window.uPlot) tabs.push({ id: "bands", title: "Bands", draw: drawBands });
  if (data.failures.length) tabs.push({ id: "failed", title: "Failed", draw: drawFailed });
  function open(id) {
    tabs.forEach(t => {
      t.button.setAttribute("aria-selected", t.id === id);
      t.section.hidden = t.id !== id;
      t.section.replaceChildren();
    });
    const tab = tabs.find(t => t.id === id);
    tab.draw(tab.section);
  }
  tabs.forEach(t => {
    t.button = make("button", { onclick: () => open(t.id) }, t.title);
    t.button.dataset.tab = t.id;
    t.section = make("section", { id: t.id, hidden: true });
    $("tabs").append(t.button);
    $("study").append(t.section);
  });
  open("scatter");
  return { data, columns };
})();
