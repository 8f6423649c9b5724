// SPDX-License-Identifier: Apache-2.0
// panels.js -- what else a run has to show: steps, statistics, source.
"use strict";
(() => {
  const { $, make, style, colours, data, runs, chart, tab } = rubato;

  // ---- steps ----------------------------------------------------------------------------
  function drawSteps(into) {
    const s = runs[0].steps;
    const levels = [...new Set(s.level)].sort();
    const list = levels.map((level, i) => {
      const at = s.t.map((_, k) => k).filter(k => s.level[k] === level).sort((a, b) => s.t[a] - s.t[b]);
      return { label: levels.length > 1 ? "level " + level : "step size", colour: colours()[i % 6], points: true,
        x: Float64Array.from(at, k => s.t[k]), y: Float64Array.from(at, k => s.h[k]) };
    });
    chart(into, "Size of steps", "s", list, { scales: { y: { distr: 3 } } });
    drawRaster(into, s);
  }
  // Which states step when: a stroke from the beginning of a step to its end, by level.
  function drawRaster(into, s) {
    if (!s.states || runs[0].states.length < 2) return;
    into.append(make("h2", {}, "States in each step"));
    const names = runs[0].states, row = Math.max(2, Math.min(14, Math.floor(420 / names.length)));
    const left = row >= 9 ? 150 : 10, width = Math.max(into.clientWidth, 240), height = row * names.length + 24;
    const canvas = make("canvas", { width, height });
    into.append(canvas);
    const g = canvas.getContext("2d"), x = t => left + (t - runs[0].begin) / (runs[0].end - runs[0].begin) * (width - left - 8);
    g.font = "11px sans-serif";
    g.fillStyle = style("--text");
    if (row >= 9) names.forEach((n, i) => g.fillText(n.slice(-24), 0, (i + 1) * row - 1));
    s.t.forEach((t, k) => {
      g.fillStyle = colours()[s.level[k] % 6];
      const wide = Math.max(1, x(t + s.h[k]) - x(t) - 1);
      (s.states[k] || names.keys()).forEach(i => g.fillRect(x(t), i * row + 1, wide, Math.max(1, row - 2)));
    });
  }
  if (runs[0].steps) tab({ id: "steps", title: "Steps", draw: drawSteps });

  // ---- statistics -----------------------------------------------------------------------
  function drawStatistics(into) {
    const table = make("table", { id: "numbers" });
    into.append(table);
    for (const [key, value] of Object.entries(runs[0].statistics)) {
      const tr = table.insertRow();
      tr.append(make("th", {}, key.replace(/_/g, " ")));
      if (!Array.isArray(value)) { tr.append(make("td", {}, String(value))); continue; }
      tr.append(make("td", {}, value.map((l, k) => k + ": " + Object.entries(l).map(e => e.join(" ")).join(", ")).join("; ")));
    }
  }
  if (runs[0].statistics) tab({ id: "statistics", title: "Statistics", draw: drawStatistics });

  // ---- source ---------------------------------------------------------------------------
  function drawSource(into) {
    const pre = make("pre", { id: "text" });
    into.append(pre);
    data.source.split("\n").forEach((line, k) => {
      pre.append(make("span", { className: "n" }, String(k + 1).padStart(5) + "  "), line + "\n");
    });
  }
  if (data.source) tab({ id: "source", title: "Source", draw: drawSource });
})();
