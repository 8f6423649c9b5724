// SPDX-License-Identifier: Apache-2.0
// report.js -- the page of `rubato report`: its tabs, the list of variables, curves.
// Data stands in one JSON object; numbers of curves are base64 of little-endian floats. The other
// scripts add tabs with rubato.tab({ id, title, draw }); draw fills an empty section whenever it is shown.
"use strict";
const rubato = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = id => document.getElementById(id);
  const bytes = text => Uint8Array.from(atob(text), c => c.charCodeAt(0)).buffer;
  const make = (tag, attributes, text) => {
    const e = Object.assign(document.createElement(tag), attributes || {});
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const colours = () => getComputedStyle(document.documentElement).getPropertyValue("--back").trim() === "#fff"
    ? ["#1f6fb2", "#d1601f", "#2b8a3e", "#9c36b5", "#c92a2a", "#0b7285"]
    : ["#74b9ff", "#ffa94d", "#8ce99a", "#e599f7", "#ff8787", "#66d9e8"];
  const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // ---- curves -----------------------------------------------------------------------------
  // A column is decoded when it is first shown. Decimated columns have times of their own.
  const columns = run => run.columns || (run.columns = new Map());
  function column(run, k) {
    if (!columns(run).has(k)) {
      const c = run.data[k];
      const x = c.x ? new Float64Array(bytes(c.x)) : run.x || (run.x = new Float64Array(bytes(run.time)));
      columns(run).set(k, { x, y: new Float32Array(bytes(c.y)) });
    }
    return columns(run).get(k);
  }
  function curve(run, v) {
    if (v.c !== undefined) return { x: [run.begin, run.end], y: [v.c, v.c] };
    const c = column(run, v.k);
    return { x: c.x, y: v.s < 0 ? Array.from(c.y, z => -z) : c.y };
  }
  // The value of a variable at a time, between two points on the line through them.
  function at(run, v, t) {
    if (v.c !== undefined) return v.c;
    const { x, y } = column(run, v.k);
    let low = 0, high = x.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (x[middle] <= t) low = middle; else high = middle;
    }
    const part = x[high] > x[low] ? Math.min(1, Math.max(0, (t - x[low]) / (x[high] - x[low]))) : 1;
    return v.s * (y[low] + part * (y[high] - y[low]));
  }
  // Of very many curves not all are in the page.
  const stored = (run, v) => v.c !== undefined || v.k < run.data.length;
  const runs = data.runs;
  const variables = runs[0].variables;
  variables.forEach((v, i) => v.i = i);
  runs.slice(1).forEach(run => run.byName = new Map(run.variables.map(v => [v.n, v])));
  let shown = [];
  let plots = [];

  function series(panel) {
    const result = [];
    panel.forEach((v, i) => {
      const colour = colours()[i % 6];
      result.push({ label: v.n, colour, ...curve(runs[0], v) });
      runs.slice(1).forEach(run => {
        const other = run.byName.get(v.n);
        if (other && stored(run, other)) result.push({ label: v.n + " (" + run.name + ")", colour, dash: [6, 4], ...curve(run, other) });
      });
    });
    return result;
  }
  // What is drawn of a long curve: between two times of each column of pixels the first, the lowest, the
  // highest and the last point, and the ends of the whole, so that zooming out finds them. Finer after each zoom.
  const LONG = 20000;
  function before(x, t) { // the last point before a time, or 0
    let low = 0, high = x.length - 1;
    while (high - low > 1) { const middle = (low + high) >> 1; if (x[middle] < t) low = middle; else high = middle; }
    return low;
  }
  function thin(c, from, to, columns) {
    const n = c.x.length, i0 = before(c.x, from), i1 = Math.min(n - 1, before(c.x, to) + 2), keep = i0 > 0 ? [0] : [];
    if (i1 - i0 <= 8 * columns) for (let i = i0; i <= i1; i++) keep.push(i);
    else for (let i = i0; i <= i1;) {
      const border = c.x[i] + (to - from) / columns, first = i;
      let low = i, high = i;
      for (; i <= i1 && (i === first || c.x[i] < border); i++) { if (c.y[i] < c.y[low]) low = i; if (c.y[i] > c.y[high]) high = i; }
      for (const k of [first, Math.min(low, high), Math.max(low, high), i - 1]) if (k > keep[keep.length - 1] || !keep.length) keep.push(k);
    }
    if (i1 < n - 1) keep.push(n - 1);
    return { x: Float64Array.from(keep, i => c.x[i]), y: Float64Array.from(keep, i => c.y[i]) };
  }
  const ends = list => [Math.min(...list.map(c => c.x[0])), Math.max(...list.map(c => c.x[c.x.length - 1]))];
  const thinned = (list, from, to, width) => aligned(list.map(c => thin(c, from, to, width)));
  // Curves of one panel on common times; uPlot joins them.
  function aligned(list) {
    const times = list[0].x, same = x => x === times || x.length === times.length && x.every((t, i) => t === times[i]);
    if (list.every(c => same(c.x))) return [list[0].x, ...list.map(c => c.y)];
    return uPlot.join(list.map(c => [c.x, c.y]));
  }
  function drawEvents(u) {
    const times = runs[0].events || [];
    if (!$("marks").checked || times.length > 2000) return;
    u.ctx.save();
    u.ctx.strokeStyle = style("--line");
    for (const t of times) {
      const x = Math.round(u.valToPos(t, "x", true));
      if (x < u.bbox.left || x > u.bbox.left + u.bbox.width) continue;
      u.ctx.beginPath();
      u.ctx.moveTo(x, u.bbox.top);
      u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
      u.ctx.stroke();
    }
    u.ctx.restore();
  }
  // All of the time, also where there are no points; a part of it if that is asked for.
  function wholeTime(u, from, to) {
    const x = u.data[0], all = !x.length || from <= x[0] && to >= x[x.length - 1];
    return all ? [Math.min(from, runs[0].begin), Math.max(to, runs[0].end)] : [from, to];
  }
  function chart(into, title, unit, list, options) {
    const o = options || {}, width = Math.max(into.clientWidth - (o.whole ? 32 : 0), 240);
    const long = list.some(c => c.x.length > LONG);
    let busy = false;
    const refine = (u, scale) => {
      if (scale !== "x" || !long || busy) return;
      busy = true;
      u.setData(thinned(list, u.scales.x.min, u.scales.x.max, width), false);
      busy = false;
    };
    const axis = { stroke: style("--text"), grid: { stroke: style("--line"), width: 1 }, ticks: { stroke: style("--line") } };
    const u = new uPlot({
      title, padding: [null, 28, null, null], width, height: o.height || 260,
      scales: { x: { time: false, ...(o.whole && { range: wholeTime }) }, ...o.scales },
      cursor: { sync: { key: "time" }, drag: { x: true, y: true, uni: 30 } },
      axes: [{ ...axis, label: "time [s]" }, { ...axis, label: unit ? "[" + unit + "]" : undefined, size: 70, ...o.axis }],
      series: [{ label: "time" }, ...list.map(c => ({
        label: c.label, stroke: c.colour, dash: c.dash, width: 1.5, spanGaps: true,
        paths: c.points ? () => null : undefined, points: { show: !!c.points, size: c.x.length > 2000 ? 3 : 5 } }))],
      hooks: { drawClear: [drawEvents], setScale: [refine] },
    }, long ? thinned(list, ...ends(list), width) : aligned(list), into);
    plots.push(u);
    return u;
  }
  function drawCurves(into) {
    const panels = new Map();
    shown.forEach(i => {
      const v = variables[i], key = $("panels").checked ? v.n : v.u || "";
      if (!panels.has(key)) panels.set(key, []);
      panels.get(key).push(v);
    });
    if (!shown.length) into.append(make("p", { className: "soft" }, "Choose variables on the left."));
    for (const panel of panels.values()) chart(into, "", panel[0].u, series(panel));
    document.body.dataset.curves = shown.length;
  }

  // ---- the list of variables ------------------------------------------------------------
  const closed = new Set();
  function toggle(i) {
    if (!stored(runs[0], variables[i])) return;
    shown = shown.includes(i) ? shown.filter(k => k !== i) : [...shown, i];
    fill();
    draw();
  }
  const component = name => { const at = name.replace(/\[[^\]]*\]/g, m => "_".repeat(m.length)).lastIndexOf("."); return at < 0 || name.startsWith("der(") ? "" : name.slice(0, at); };
  function entry(v, indent) {
    const li = make("li", { tabIndex: 0, className: shown.includes(v.i) ? "on" : stored(runs[0], v) ? "" : "soft", title: v.n + (v.d ? " - " + v.d : "") + (stored(runs[0], v) ? "" : " (not in this page)") }, indent ? v.n.slice(component(v.n).length + 1) : v.n);
    if (indent) li.style.paddingLeft = "18px";
    if (v.u) li.append(make("span", { className: "soft" }, " [" + v.u + "]"));
    li.onclick = () => toggle(v.i);
    return li;
  }
  function fill() {
    const words = $("search").value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const found = variables.filter(v => words.every(w => (v.n + " " + (v.d || "")).toLowerCase().includes(w)));
    const list = $("list");
    const focus = document.activeElement && list.contains(document.activeElement) ? [...list.children].indexOf(document.activeElement) : -1;
    list.textContent = "";
    let last = "", count = 0;
    for (const v of found) {
      if (count >= 600) break;
      const c = component(v.n);
      if (c && c !== last) {
        const head = make("li", { tabIndex: 0, className: "group" }, (closed.has(c) && !words.length ? "\u25b8 " : "\u25be ") + c);
        head.onclick = () => { closed.has(c) ? closed.delete(c) : closed.add(c); fill(); };
        list.append(head);
      }
      last = c;
      if (c && closed.has(c) && !words.length) continue;
      list.append(entry(v, !!c));
      count++;
    }
    if (focus >= 0 && list.children[focus]) list.children[focus].focus();
    $("count").textContent = found.length > count && count >= 600 ? count + " of " + found.length + " shown" : found.length + " variables";
    const absent = variables.filter(v => !stored(runs[0], v)).length;
    if (absent) $("count").textContent += "; " + absent + " are not in this page: simulate --variables chooses";
    document.body.dataset.found = found.length;
  }

  // ---- page -----------------------------------------------------------------------------
  const tabs = [];
  const tab = t => tabs.push(t);
  tab({ id: "curves", title: "Curves", draw: drawCurves });
  let now = "curves";
  function draw() {
    plots.forEach(u => u.destroy());
    plots = [];
    const t = tabs.find(t => t.id === now), into = t.id === "curves" ? $("plots") : $(t.id);
    into.textContent = "";
    t.draw(into);
  }
  function show(name) {
    now = name;
    for (const t of tabs) {
      $(t.id).hidden = t.id !== name;
      document.querySelector("[data-tab=" + t.id + "]").setAttribute("aria-selected", t.id === name);
    }
    document.body.classList.toggle("listed", name === "curves");
    draw();
  }
  function dark() {
    document.documentElement.className = style("--back") !== "#fff" ? "light" : "dark";
    draw();
  }
  // Keys: / search, r whole time, arrows in the list, 1 ... 9 tabs, space plays the animation.
  function onKey(e) {
    const here = document.activeElement;
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.target.id === "search") {
      if (e.key === "Escape") { $("search").value = ""; fill(); }
      if (e.key === "ArrowDown" && $("list").firstChild) $("list").firstChild.focus();
      return;
    }
    if (e.key === "/") { e.preventDefault(); show("curves"); $("search").focus(); }
    if (e.key === "r") $("reset").click();
    if (tabs[e.key - 1] && here.tagName !== "INPUT") show(tabs[e.key - 1].id);
    if (here && here.parentNode === $("list")) {
      if (e.key === "ArrowDown" && here.nextSibling) here.nextSibling.focus();
      if (e.key === "ArrowUp") (here.previousSibling || $("search")).focus();
      if (e.key === "Enter" || e.key === " ") { e.preventDefault(); here.click(); }
    }
  }
  function start() {
    const nav = $("tabs"), room = $("curves").parentNode;
    tabs.forEach((t, k) => {
      const b = make("button", { title: "key " + (k + 1), onclick: () => show(t.id) }, t.title);
      b.dataset.tab = t.id;
      nav.append(b);
      if (!$(t.id)) room.append(make("section", { id: t.id }));
    });
    nav.append(make("button", { id: "theme", onclick: dark }, "Light/dark"));
    $("search").oninput = fill;
    $("panels").onchange = $("marks").onchange = draw;
    $("reset").onclick = () => plots.forEach(u => u.setData(u.data, true));
    document.addEventListener("keydown", onKey);
    let resize;
    addEventListener("resize", () => { clearTimeout(resize); resize = setTimeout(draw, 150); });
    shown = data.first.filter(i => i < variables.length);
    fill();
    show("curves");
  }
  return { $, make, style, colours, bytes, data, runs, variables, chart, curve, stored, at, tab, start,
    only: name => { shown = [variables.findIndex(v => v.n === name)]; fill(); show("curves"); },
    plots: () => plots, toggle: name => toggle(variables.findIndex(v => v.n === name)),
    shown: () => shown.map(i => variables[i].n) };
})();
