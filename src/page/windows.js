// The resources that a job could have now, and for how long (showbf).
import {ask} from "./api.js";
import {duration, element, number} from "./text.js";

export function windowsView(parameters, tell) {
  const rows = element("tbody");
  const refresh = async () => {
    const reply = await ask("showbf");
    rows.replaceChildren(...reply.windows.map((one) => element("tr", {},
      element("th", {scope: "row"}, one.partition), element("td", {class: "number"}, number(one.procs)),
      element("td", {class: "number"}, number(one.nodes)), element("td", {class: "number"}, duration(one.duration)))));
    tell(reply.windows.length ? `${number(reply.windows.length)} windows` : "nothing is free now");
  };
  refresh().catch((error) => tell(error.message, true));
  const head = element("tr", {}, ...["Partition", "Procs", "Nodes", "For"].map((title, i) =>
    element("th", {scope: "col", class: i ? "number" : undefined}, title)));
  return {root: element("section", {"aria-label": "Free now"}, element("table", {}, element("thead", {}, head), rows)), refresh};
}
