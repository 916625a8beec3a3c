// The share of the machine that each credential used, compared with its target.
import {ask} from "./api.js";
import {element} from "./text.js";

const percent = (value) => `${value.toFixed(1)} %`;

function line({name, target, target_type, percent: used, off_target}) {
  const bar = element("meter", {min: 0, max: 100, value: Math.max(0, used).toFixed(2), high: target > 0 ? target : 100,
    "aria-label": `${name}: ${percent(used)} used`});
  return element("tr", {}, element("th", {scope: "row"}, name), element("td", {}, bar),
    element("td", {class: "number"}, percent(used)),
    element("td", {class: "number"}, target > 0 ? percent(target) : ""),
    element("td", {}, target > 0 ? target_type : ""), element("td", {}, off_target ? "off target" : ""));
}

export function fairshareView(parameters, tell) {
  const place = element("div");
  const refresh = async () => {
    const reply = await ask("diagnose", [], {f: ""});
    const head = () => element("tr", {}, ...["Name", "", "Used", "Target", "Kind", ""].map((title, i) =>
      element("th", {scope: "col", class: i === 2 || i === 3 ? "number" : undefined}, title)));
    place.replaceChildren(...reply.tables.filter(({rows}) => rows.length).flatMap(({kind, rows}) => [
      element("h2", {}, kind), element("div", {class: "wide"}, element("table", {"aria-label": kind},
        element("thead", {}, head()), element("tbody", {}, ...rows.map(line))))]));
    tell(`fairshare: ${reply.policy}`);
  };
  refresh().catch((error) => tell(error.message, true));
  return {root: element("section", {"aria-label": "Fairshare"}, place), refresh};
}
