// Reservations and plan: nodes down, time across; one can look further ahead, and page over nodes.
import {ask} from "./api.js";
import {element, moment, number} from "./text.js";

const kNodes = 60, kRow = 16, kNames = 110, kAxis = 22;
const spans = {"06:00:00": "6 hours", "1:00:00:00": "a day", "3:00:00:00": "3 days", "14:00:00:00": "2 weeks"};

const shape = (name, attributes = {}, ...children) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

function chart({now, until, nodes}, width) {
  const height = kAxis + nodes.length * kRow;
  const drawing = shape("svg", {class: "chart", viewBox: `0 0 ${width} ${height}`, height, role: "img",
    "aria-label": "Which reservation has which node, over time; the table below says the same"});
  const x = (time) => kNames + (width - kNames) * Math.min(1, Math.max(0, (time - now) / (until - now)));
  for (let i = 0; i <= 4; ++i) {
    const time = now + (until - now) * i / 4;
    drawing.append(shape("line", {class: "axis", x1: x(time), x2: x(time), y1: kAxis - 4, y2: height}),
      shape("text", {x: x(time), y: 12, "text-anchor": i === 4 ? "end" : i ? "middle" : "start"}, moment(time)));
  }
  nodes.forEach(({node, shares}, i) => {
    const y = kAxis + i * kRow;
    drawing.append(shape("text", {x: 0, y: y + kRow - 4}, node));
    for (const share of shares) {
      const end = share.end < 0 ? until : share.end;
      const bar = shape("rect", {class: `bar ${share.type === "Job" ? share.job_state : "held"}`, x: x(share.start),
        y: y + 1, width: Math.max(1, x(end) - x(share.start)), height: kRow - 2});
      bar.append(shape("title", {}, `${share.reservation} on ${node}: ${moment(share.start)} to ${share.end < 0 ? "open end" : moment(share.end)}`));
      drawing.append(bar);
    }
  });
  return drawing;
}

export function planView(parameters, tell) {
  let offset = 0, span = "1:00:00:00", total = 0;
  const place = element("div", {class: "scroll", tabindex: "0"});
  const rows = element("tbody");
  const refresh = async () => {
    const reply = await ask("showres", [], {gantt: "", d: span, offset, limit: kNodes});
    total = reply.row_totals.nodes;
    place.replaceChildren(chart(reply, Math.max(600, place.clientWidth - 20)));
    const named = new Map();
    for (const {shares} of reply.nodes)
      for (const share of shares) {
        const known = named.get(share.reservation);
        known ? (known.nodes += 1) : named.set(share.reservation, {...share, nodes: 1});
      }
    rows.replaceChildren(...[...named.values()].map((one) => element("tr", {},
      element("th", {scope: "row"}, one.reservation), element("td", {}, one.type), element("td", {}, one.job_state),
      element("td", {class: "number"}, number(one.nodes)), element("td", {}, moment(one.start)),
      element("td", {}, one.end < 0 ? "open" : moment(one.end)))));
    tell(`nodes ${number(Math.min(total, offset + 1))} to ${number(Math.min(total, offset + kNodes))} of ${number(total)}`);
  };
  const again = () => refresh().catch((error) => tell(error.message, true));
  const turn = (by) => () => {
    offset = Math.max(0, Math.min(offset + by, Math.floor(Math.max(0, total - 1) / kNodes) * kNodes));
    again();
  };
  const ahead = element("select", {onchange: () => { span = ahead.value; again(); }},
    ...Object.entries(spans).map(([key, text]) => element("option", {value: key, selected: key === span && ""}, text)));
  const bar = element("div", {class: "bar"}, element("label", {}, "Ahead", ahead),
    element("button", {type: "button", onclick: turn(-kNodes)}, "Earlier nodes"),
    element("button", {type: "button", onclick: turn(kNodes)}, "Later nodes"));
  const table = element("details", {}, element("summary", {}, "The same as a table"), element("table", {},
    element("thead", {}, element("tr", {}, ...["Reservation", "Type", "State", "Nodes here", "From", "Until"].map(
      (title) => element("th", {scope: "col"}, title)))), rows));
  again();
  return {root: element("section", {"aria-label": "Plan"}, bar, place, table), refresh};
}
