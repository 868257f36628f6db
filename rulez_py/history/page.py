"""The report's looks and behaviour: texts of the page that `report` fills.

INVARIANT: the script makes elements and sets their text; it never makes markup out of data.
"""

from __future__ import annotations

STYLE = """
:root { color-scheme: light dark; --back: #fff; --fore: #1c1e21; --soft: #5f6670; --line: #d9dde3; --card: #f5f6f8;
  --deny: #c62828; --ask: #b26a00; --allow: #2e7d32; --pass: #9aa3af; }
@media (prefers-color-scheme: dark) { :root { --back: #15181c; --fore: #e6e8eb; --soft: #9aa3af; --line: #343a42;
  --card: #1e2329; --deny: #ff6b60; --ask: #ffb74d; --allow: #66bb6a; --pass: #5c6570; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1100px; padding: 24px 16px 64px; background: var(--back); color: var(--fore);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 24px; margin: 0; } h2 { font-size: 18px; margin: 36px 0 8px; } p { margin: 4px 0; color: var(--soft); }
.cards { display: flex; flex-wrap: wrap; gap: 12px; margin: 20px 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 10px 18px;
  min-width: 110px; }
.card b { display: block; font-size: 22px; }
svg { width: 100%; height: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
svg text { fill: var(--soft); font: 11px system-ui, sans-serif; }
.deny { color: var(--deny); fill: var(--deny); } .ask { color: var(--ask); fill: var(--ask); }
.allow { color: var(--allow); fill: var(--allow); } .pass { color: var(--soft); fill: var(--pass); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
td.number, th.number { text-align: right; width: 80px; } td.when, td.verdict { white-space: nowrap; width: 90px; }
td.code { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; min-width: 220px; white-space: pre-wrap; }
td.reason { color: var(--soft); min-width: 220px; overflow-wrap: anywhere; }
.filters { display: flex; flex-wrap: wrap; gap: 8px; margin: 8px 0; align-items: center; }
.filters label { color: var(--soft); }
select, input { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line);
  border-radius: 6px; padding: 4px 8px; max-width: 260px; }
@media (max-width: 640px) {
  #calls, #slowest { display: block; } #calls :is(tbody, tr, td), #slowest :is(tbody, tr, td) { display: block; }
  #calls thead, #slowest thead { display: none; } #calls td, #slowest td { min-width: 0; padding: 0; border: 0; }
  #calls tr, #slowest tr { padding: 8px 0; border-bottom: 1px solid var(--line); }
  #calls td:is(.when, .verdict, .number), #slowest td:is(.when, .verdict, .number) { width: auto; text-align: left; }
}
.legend span { margin-right: 16px; } .legend span::before { content: "\\25A0"; margin-right: 5px; }
"""

SCRIPT = """
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const VERDICTS = ["deny", "ask", "allow", "pass"];
const make = (tag, text, name) => {
  const one = document.createElement(tag);
  if (text !== undefined && text !== null) one.textContent = text;
  if (name) one.className = name;
  return one;
};
const at = (id) => document.getElementById(id);
const known = (verdict) => VERDICTS.includes(verdict) ? verdict : "pass";
const fill = (id, columns, rows, empty) => {
  const table = at(id);
  table.replaceChildren();
  if (!rows.length) { table.append(make("caption", empty)); return; }
  const head = table.createTHead().insertRow();
  for (const [title, name] of columns) {
    const cell = make("th", title, name === "number" ? name : "");
    cell.scope = "col";
    head.append(cell);
  }
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    row.forEach((value, index) => {
      const name = columns[index][1];
      line.append(make("td", value, name === "verdict" ? "verdict " + known(value) : name));
    });
  }
};
const shape = (tag, attributes) => {
  const one = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
  return one;
};
const chart = () => {
  const bars = Object.entries(data.over_time), width = 1000, height = 220, foot = 24, head = 18;
  const total = ([, counts]) => Object.values(counts).reduce((sum, count) => sum + count, 0);
  const most = Math.max(1, ...bars.map(total)), step = (width - 20) / Math.max(1, bars.length);
  const svg = at("chart");
  const words = shape("text", { x: 10, y: 13 });
  words.textContent = "most: " + most;
  svg.append(words);
  bars.forEach(([when, counts], index) => {
    let y = height - foot;
    const x = 10 + index * step;
    for (const verdict of VERDICTS) {
      const count = counts[verdict] || 0;
      if (!count) continue;
      const tall = Math.max(1, count / most * (height - foot - head));
      y -= tall;
      const bar = shape("rect", { x, y, width: Math.max(1, Math.min(60, step - 2)), height: tall, class: verdict });
      const title = shape("title", {});
      title.textContent = when + " " + verdict + ": " + count;
      bar.append(title);
      svg.append(bar);
    }
    if (index % Math.ceil(bars.length / 10) === 0) {
      const label = shape("text", { x, y: height - 8 });
      label.textContent = when.slice(5).replace("T", " ") + (when.includes("T") ? "h" : "");
      svg.append(label);
    }
  });
};
for (const [name, count] of [["calls", data.calls], ...VERDICTS.map((one) => [one, data.verdicts[one] || 0])]) {
  const card = make("div", name, "card");
  card.prepend(make("b", count.toLocaleString("en"), VERDICTS.includes(name) ? name : ""));
  at("cards").append(card);
}
for (const verdict of VERDICTS) at("legend").append(make("span", verdict, verdict));
chart();
fill("rules", [["calls", "number"], ["verdict", "verdict"], ["rule", ""]],
  data.rules.map((one) => [one.calls, one.verdict, one.rule]), "No rule decided anything.");
fill("would", [["calls", "number"], ["would", "verdict"], ["rule", ""]],
  data.would.map((one) => [one.calls, one.would, one.rule]), "No rule only logged.");
at("enforced").textContent = data.enforced_said;
fill("passed", [["calls", "number"], ["by", ""]],
  data.let_pass.map((one) => [one.calls, one.by]), "None.");
fill("kept", [["time (UTC)", "when"], ["agent", ""], ["input", "code"], ["what", "reason"]],
  data.kept.map((one) => [one.time.slice(0, 19).replace("T", " "), one.platform, one.input, one.said]).reverse(),
  "Nothing.");
fill("person", [["time (UTC)", "when"], ["what", ""]],
  data.person.map((one) => [one.time.slice(0, 19).replace("T", " "), one.what]), "Nothing.");
fill("needless", [["asked", "number"], ["rule", ""]],
  data.false_alarm_candidates.map((one) => [one.asked, one.rule]), "None.");
fill("slowest", [["ms", "number"], ["agent", ""], ["tool", ""], ["input", "code"]],
  data.slowest.map((one) => [Math.round(one.ms), one.platform, one.tool, one.input]), "None.");
const FILTERS = ["verdict", "platform", "rule", "user"];
for (const name of FILTERS) {
  const select = at("by-" + name);
  select.append(new Option("all", ""));
  const values = [...new Set(data.stopped.map((one) => one[name]).filter(Boolean))].sort();
  for (const value of values) select.append(new Option(value, value));
  select.addEventListener("change", () => show());
}
at("by-text").addEventListener("input", () => show());
const show = () => {
  const text = at("by-text").value.toLowerCase();
  const found = data.stopped.filter((one) => FILTERS.every((name) => {
    const wanted = at("by-" + name).value;
    return !wanted || one[name] === wanted;
  }) && (!text || (one.input + " " + one.reason).toLowerCase().includes(text)));
  at("count").textContent = found.length + " of " + data.stopped.length;
  fill("calls", [["time (UTC)", "when"], ["verdict", "verdict"], ["agent", ""], ["tool", ""], ["input", "code"],
    ["rule", ""], ["reason", "reason"]],
    found.map((one) => [one.time.slice(0, 19).replace("T", " "), one.verdict, one.platform, one.tool, one.input,
      one.rule, one.reason]), "No such call.");
};
show();
"""

BODY = """\
<h1>What rulez decided</h1>
<p>{period}</p>
<noscript><p>This page needs JavaScript to show its tables; it loads nothing from anywhere.</p></noscript>
<div class="cards" id="cards"></div>
<h2>Over time</h2>
<p class="legend" id="legend"></p>
<svg id="chart" viewBox="0 0 1000 220" role="img" aria-label="Calls over time by verdict"></svg>
<h2>Rules that decided most</h2>
<div class="scroll"><table id="rules"></table></div>
<h2>Rules that only log, and what they would have said</h2>
<p id="enforced"></p>
<div class="scroll"><table id="would"></table></div>
<h2>Passed by a person's word</h2>
<div class="scroll"><table id="passed"></table></div>
<h2>What was kept of what calls would have lost</h2>
<div class="scroll"><table id="kept"></table></div>
<h2>What a person did</h2>
<div class="scroll"><table id="person"></table></div>
<h2>False alarms?</h2>
<p>Rules that asked at least three times and were approved each time.</p>
<div class="scroll"><table id="needless"></table></div>
<h2>What was stopped</h2>
<p>{stopped}</p>
<div class="filters">
<label for="by-verdict">verdict</label> <select id="by-verdict"></select>
<label for="by-platform">agent</label> <select id="by-platform"></select>
<label for="by-rule">rule</label> <select id="by-rule"></select>
<label for="by-user">user</label> <select id="by-user"></select>
<label for="by-text">text</label> <input id="by-text" type="search" autocomplete="off">
<span id="count"></span>
</div>
<div class="scroll"><table id="calls"></table></div>
<h2>Slowest calls</h2>
<div class="scroll"><table id="slowest"></table></div>
"""
