// Reservations over time: nodes down, time across, from now to the plan's end; zooms, moves, pages.
import {ask} from "./api.js";
import {duration, element, moment, number} from "./text.js";
import {day, marks, Moves} from "./timeline.js";

const kNodes = 60, kRow = 16, kAxis = 22, kLetter = 6.6, kDate = 60;
const kDay = 86400;
const kLeast = 300;          // seconds: the shortest span
const kWhole = 3650 * kDay;  // longer than any plan
const kSettled = 250;        // milliseconds without movement until the view settles
const spans = {[kDay / 4]: "6 hours", [kDay]: "a day", [3 * kDay]: "3 days", [14 * kDay]: "2 weeks"};

const shape = (name, attributes = {}, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};
const bounded = (value, least, most) => Math.min(most, Math.max(least, value));

// Formats a span as in commands and in the address: DD:HH:MM:SS.
function written(seconds) {
  const two = (n) => String(Math.floor(n)).padStart(2, "0");
  return `${Math.floor(seconds / kDay)}:${two(seconds / 3600 % 24)}:${two(seconds / 60 % 60)}:${two(seconds % 60)}`;
}
function read(text) {
  if (!/^(\d+:){0,3}\d+$/.test(text ?? "")) return kDay;
  const units = [1, 60, 3600, kDay];
  return bounded(text.split(":").reverse().reduce((sum, part, i) => sum + part * units[i], 0), kLeast, kWhole);
}
const named = (span) => spans[span] ?? duration(60 * Math.round(span / 60));

// The picture of the data.  Bars are created once; zooming and moving only place them.
class Chart {
  constructor() {
    this.axis = shape("svg", {class: "chart ticks", height: kAxis, "aria-hidden": "true"});
    this.rows = shape("svg", {class: "chart", role: "img"});
    this.lines = shape("g");
    this.bars = [];
  }

  show({nodes}) {
    this.names = Math.max(kDate, 16 + kLetter * Math.max(0, ...nodes.map(({node}) => node.length)));
    this.height = Math.max(1, nodes.length) * kRow;
    this.bars = [];
    this.labels = nodes.map(({node, shares}, i) => {
      for (const share of shares) {
        const bar = shape("rect", {class: `bar ${share.type === "Job" ? share.job_state : "held"}`,
          y: i * kRow + 1, height: kRow - 2});
        bar.append(shape("title", {}, `${share.reservation} on ${node}: ${moment(share.start)} to ${share.end < 0 ? "open end" : moment(share.end)}`));
        this.bars.push({bar, ...share});
      }
      return {node, label: shape("text", {x: 4, y: (i + 1) * kRow - 4})};
    });
    this.rows.replaceChildren(this.lines, ...this.labels.map(({label}) => label), ...this.bars.map(({bar}) => bar));
  }

  plot(width) {
    const left = Math.min(this.names, .4 * width);
    return {left, width: Math.max(1, width - left)};
  }

  // Truncates names that do not fit.
  fit(left) {
    if (this.fitted === left) return;
    this.fitted = left;
    const most = Math.max(1, Math.floor((left - 16) / kLetter));
    for (const {node, label} of this.labels) {
      label.textContent = node.length > most ? `${node.slice(0, most)}…` : node;
      if (node.length > most) label.append(shape("title", {}, node));
    }
  }

  draw({start, span}, width) {
    const {left, width: wide} = this.plot(width);
    const x = (time) => left + wide * bounded((time - start) / span, 0, 1);
    this.fit(left);
    this.axis.setAttribute("viewBox", `0 0 ${width} ${kAxis}`);
    this.rows.setAttribute("viewBox", `0 0 ${width} ${this.height}`);
    this.rows.setAttribute("height", this.height);
    this.rows.setAttribute("aria-label", `Reservations by node, ${moment(start)} to ${moment(start + span)}; ` +
      "the table below shows the same data");
    const all = marks(start, start + span, wide);
    this.lines.replaceChildren(...all.map(({time}) => shape("line", {class: "axis", x1: x(time), x2: x(time), y1: 0, y2: this.height})));
    this.axis.replaceChildren(shape("text", {x: 4, y: 15}, day.format(start * 1000)), ...all.flatMap(({time, text}) => [
      shape("line", {class: "axis", x1: x(time), x2: x(time), y1: 4, y2: kAxis}),
      ...(x(time) + text.length * kLetter < width ? [shape("text", {x: x(time) + 4, y: 15}, text)] : [])]));
    for (const {bar, start: begin, end} of this.bars) {
      const from = x(begin), to = end < 0 ? left + wide : x(end);
      const seen = begin < start + span && (end < 0 || end > start);
      bar.setAttribute("x", from);
      bar.setAttribute("width", seen ? Math.max(1, to - from) : 0);
    }
  }
}

// Returns one row per reservation that the chart shows.
function tableRows(nodes, {start, span}) {
  const all = new Map();
  for (const {shares} of nodes)
    for (const share of shares) {
      if (share.start >= start + span || (share.end >= 0 && share.end <= start)) continue;
      const known = all.get(share.reservation);
      known ? (known.nodes += 1) : all.set(share.reservation, {...share, nodes: 1});
    }
  return [...all.values()].map((one) => element("tr", {},
    element("th", {scope: "row"}, one.reservation), element("td", {}, one.type), element("td", {}, one.job_state),
    element("td", {class: "number"}, number(one.nodes)), element("td", {}, moment(one.start)),
    element("td", {}, one.end < 0 ? "open" : moment(one.end))));
}

export function planView(parameters, tell, keep) {
  const whole = (text, otherwise) => /^\d{1,12}$/.test(text ?? "") ? Number(text) : otherwise;
  let span = read(parameters.get("span"));
  let start = whole(parameters.get("start"));  // undefined: now
  let offset = whole(parameters.get("nodes"), 0);
  let ahead = start === undefined ? span : kWhole;  // the span to request; a later start needs all
  let known, wanted, asked = 0, total = 0, settling, frame;
  const chart = new Chart();
  const rows = element("tbody");
  const place = element("div", {class: "scroll timeline", tabindex: "0", role: "application", "aria-label": "Chart of the plan",
    "aria-describedby": "plan-keys"}, chart.axis, chart.rows);
  const lastPage = () => Math.floor(Math.max(0, total - 1) / kNodes) * kNodes;
  const from = () => Math.max(known.now, start ?? known.now);
  const view = () => known ? {start: from(), span} : {start: 0, span};
  const end = () => known.nodes.reduce((last, {shares}) => shares.reduce((late, share) =>
    Math.max(late, share.start, share.end), last), known.now + kDay);

  function draw() {
    if (known && place.clientWidth) chart.draw(view(), place.clientWidth);
  }
  function told() {
    const last = Math.min(total, offset + kNodes);
    tell(`nodes ${number(Math.min(total, offset + 1))} to ${number(last)} of ${number(total)}, ` +
      `${named(span)} from ${start === undefined ? "now" : moment(from())} on`);
  }
  // Updates what need not follow each step of a movement.
  function settle() {
    rows.replaceChildren(...tableRows(known.nodes, view()));
    const other = spanned.querySelector("[value='']");
    const listed = span in spans ? String(span) : "";
    if (other.textContent !== named(span)) other.textContent = named(span);
    if (spanned.value !== listed) spanned.value = listed;
    other.hidden = listed !== "";
    told();
  }
  // `kind`: the kind of action, as in main.js.
  function kept(kind) {
    const words = {};
    if (span !== kDay) words.span = written(span);
    if (start !== undefined) words.start = start;
    if (offset) words.nodes = offset;
    keep(words, kind);
  }
  function moved() {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(draw);
    clearTimeout(settling);
    settling = setTimeout(() => { settle(); kept("look"); }, kSettled);
  }

  async function refresh() {
    const turn = ++asked, far = ahead;
    let reply;
    try {
      reply = await ask("showres", [], {gantt: "", d: written(far), offset, limit: kNodes});
    } catch (error) {
      if (known) ahead = known.ahead;
      throw error;
    }
    if (turn !== asked) return;
    total = reply.row_totals.nodes;
    if (offset > lastPage()) {
      offset = lastPage();
      await refresh();
      return;
    }
    const first = !known;
    known = {...reply, ahead: far};
    chart.fitted = undefined;
    chart.show(known);
    if (first && start !== undefined) reach(start, span, true);
    if (wanted) apply();
    draw();
    settle();
  }
  const again = () => refresh().catch((error) => tell(error.message, true));

  // Limits the view to between now and the plan's end; a span wider than the plan grows no wider.
  function reach(begin, wide, asWide) {
    const last = end();
    span = Math.round(asWide ? wide : bounded(wide, kLeast, Math.max(last - known.now, span)));
    const at = Math.round(bounded(begin, known.now, Math.max(known.now, last - span)));
    start = at > known.now ? at : undefined;
  }
  const isKnown = ({start: begin, span: wide}) => begin + wide <= known.until || known.ahead === kWhole;
  function apply() {
    if (!isKnown(wanted)) return;
    reach(wanted.start, wanted.span);
    wanted = undefined;
    moved();
  }
  // Shows a time, after requesting its data if needed.
  function look(begin, wide) {
    if (!known) return;
    wanted = {start: Math.max(begin, known.now), span: Math.max(kLeast, wide)};
    if (isKnown(wanted)) return apply();
    if (ahead === kWhole) return;
    ahead = kWhole;
    again();
  }
  function choose(wide, fromNow) {
    span = wide;
    wanted = undefined;
    if (fromNow) start = undefined;
    clearTimeout(settling);
    if (known && isKnown({start: from(), span})) {
      draw();
      settle();
    } else {
      ahead = start === undefined ? span : kWhole;
      again();
    }
    kept();
  }
  const reset = () => choose(kDay, true);
  const moves = new Moves(place, {view, look, reset, plot: () => chart.plot(place.clientWidth),
    end: () => look(known.now + kWhole - span, span)});

  const turn = (by) => () => {
    offset = Math.max(0, Math.min(offset + by, lastPage()));
    kept();
    again();
  };
  const spanned = element("select", {onchange: () => choose(Number(spanned.value))}, element("option", {value: "", hidden: ""}),
    ...Object.entries(spans).map(([key, text]) => element("option", {value: key}, text)));
  const button = (text, label, act) => element("button", {type: "button", "aria-label": label, title: label, onclick: act}, text);
  const bar = element("div", {class: "bar"}, element("label", {}, "Shown", spanned),
    button("+", "Zoom in", () => moves.zoomIn()), button("−", "Zoom out", () => moves.zoomOut()),
    button("←", "Earlier", () => moves.earlier()), button("→", "Later", () => moves.later()),
    button("Reset", "Show the next day", reset),
    element("button", {type: "button", onclick: turn(-kNodes)}, "Previous nodes"),
    element("button", {type: "button", onclick: turn(kNodes)}, "Next nodes"));
  const keys = element("p", {id: "plan-keys", class: "keys"}, "Ctrl and wheel, two fingers, or + and − zoom; dragging or arrow keys move; " +
    "Home: now, End: the plan's end, 0: reset.");
  const table = element("details", {}, element("summary", {}, "The same as a table"), element("table", {},
    element("thead", {}, element("tr", {}, ...["Reservation", "Type", "State", "Nodes here", "From", "Until"].map(
      (title) => element("th", {scope: "col"}, title)))), rows));
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(place);
  again();
  return {root: element("section", {"aria-label": "Plan"}, bar, place, keys, table), refresh};
}
