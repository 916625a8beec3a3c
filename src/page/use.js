// The use of the machine over days, from the history, for administrators.
import {ask} from "./api.js";
import {element, moment, number} from "./text.js";

const kHeight = 220, kLeft = 60, kTop = 16, kBottom = 22;
const kUsual = "-7:00:00:00";
const spans = {"-1:00:00:00": "a day", "-7:00:00:00": "a week", "-31:00:00:00": "a month", "-365:00:00:00": "a year"};

const shape = (name, attributes = {}, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

const share = ({busy_procs: busy, up_procs: up}) => up > 0 ? `${Math.round(100 * busy / up)} %` : "";
const rounded = (value) => value.toLocaleString([], {maximumFractionDigits: 1});

// Steps in which no scheduler ran are gaps.
function chart({since, until, step, steps}, width) {
  const most = Math.max(1, ...steps.map(({up_procs: up, busy_procs: busy}) => Math.max(up, busy)));
  const drawing = shape("svg", {class: "chart", viewBox: `0 0 ${width} ${kHeight}`, height: kHeight, role: "img",
    "aria-label": "Processors in use and up, over time; the table below shows the same data"});
  const x = (time) => kLeft + (width - kLeft) * (time - since) / Math.max(1, until - since);
  const y = (procs) => kTop + (kHeight - kTop - kBottom) * (1 - procs / most);
  for (let i = 0; i <= 4; ++i) {
    const time = since + (until - since) * i / 4;
    drawing.append(shape("line", {class: "axis", x1: x(time), x2: x(time), y1: kTop, y2: kHeight - kBottom}),
      shape("text", {x: x(time), y: kHeight - 6, "text-anchor": i === 4 ? "end" : i ? "middle" : "start"}, moment(time)));
  }
  drawing.append(shape("text", {x: 0, y: kTop + 4}, number(Math.round(most))), shape("text", {x: 0, y: y(0)}, "0"));
  for (const one of steps) {
    const from = x(Math.max(since, one.start)), wide = Math.max(1, x(Math.min(until, one.start + step)) - from);
    const bar = (name, procs) => shape("rect", {class: `bar ${name}`, x: from, width: wide, y: y(procs), height: y(0) - y(procs)});
    const busy = bar("Running", one.busy_procs);
    busy.append(shape("title", {}, `${moment(one.start)}: ${rounded(one.busy_procs)} of ${rounded(one.up_procs)}`));
    drawing.append(bar("there", one.up_procs), busy);
  }
  return drawing;
}

export function useView(parameters, tell, keep) {
  let span = Object.hasOwn(spans, parameters.get("span")) ? parameters.get("span") : kUsual;
  const place = element("div", {class: "wide"});
  const rows = element("tbody");
  const refresh = async () => {
    const reply = await ask("showhist", [], {m: "", s: span});
    place.replaceChildren(chart(reply, Math.max(600, place.clientWidth)));
    rows.replaceChildren(...reply.steps.map((one) => element("tr", {},
      element("th", {scope: "row"}, moment(one.start)),
      ...[rounded(one.busy_procs), rounded(one.up_procs), share(one), rounded(one.active_jobs), rounded(one.waiting_jobs)].map(
        (text) => element("td", {class: "number"}, text)))));
    const sum = (member) => reply.steps.reduce((all, one) => all + one[member] * one.duration, 0);
    tell(`${share({busy_procs: sum("busy_procs"), up_procs: sum("up_procs")}) || "no data"} in use over ${spans[span]}`);
  };
  const again = () => refresh().catch((error) => tell(error.message, true));
  const back = element("select", {onchange: () => {
    span = back.value;
    keep(span === kUsual ? {} : {span});
    again();
  }},
    ...Object.entries(spans).map(([key, text]) => element("option", {value: key, selected: key === span && ""}, text)));
  const heads = ["From", "Processors in use", "Processors up", "Share", "Active jobs", "Waiting jobs"];
  const table = element("details", {}, element("summary", {}, "The same as a table"),
    element("table", {"aria-label": "Use of the machine"}, element("thead", {}, element("tr", {}, ...heads.map((title, i) =>
      element("th", {scope: "col", class: i ? "number" : undefined}, title)))), rows));
  again();
  return {root: element("section", {"aria-label": "Use"},
    element("div", {class: "bar"}, element("label", {}, "Period", back)), place, table), refresh};
}
