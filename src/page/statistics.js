// The grid of the guide: a statistic of completed jobs by requested size and wallclock limit.
import {ask} from "./api.js";
import {duration, element, number} from "./text.js";

const statistics = {
  AVGXFACTOR: "Mean expansion factor", MAXXFACTOR: "Largest expansion factor", AVGQTIME: "Mean wait, hours",
  AVGBYPASS: "Mean bypass", MAXBYPASS: "Largest bypass", JOBCOUNT: "Jobs", PHREQUEST: "Processor hours requested",
  PHRUN: "Processor hours used", WCACCURACY: "Accuracy of limits", BFCOUNT: "Backfilled jobs",
  BFPHRUN: "Backfilled processor hours", JOBEFFICIENCY: "Efficiency", QOSDELIVERED: "QOS targets met"};

const kUsual = "AVGXFACTOR";

const shown = ({value, jobs}) => jobs ? value.toLocaleString([], {maximumFractionDigits: 2}) : "";

// Tints a cell by its share of the largest value; the number says the same.
function cell(one, most) {
  const made = element("td", {class: "number tint", title: `${number(one.jobs)} jobs`}, shown(one));
  made.style.setProperty("--share", most > 0 && one.jobs ? `${Math.round(55 * one.value / most)}%` : "0%");
  return made;
}

export function statisticsView(parameters, tell, keep) {
  let chosen = Object.hasOwn(statistics, parameters.get("of")) ? parameters.get("of") : kUsual;
  const place = element("div", {class: "scroll", tabindex: "0"});
  const refresh = async () => {
    const {rows, totals, limits, overall, samples} = await ask("showgrid", [chosen]);
    const most = Math.max(0, ...rows.flatMap(({cells}) => cells.map(({value, jobs}) => jobs ? value : 0)));
    const heads = ["Procs up to", ...limits.map((limit) => duration(limit)), "All"];
    place.replaceChildren(element("table", {"aria-label": `${statistics[chosen]} by processors and limit`},
      element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", {scope: "col", class: "number"}, text)))),
      element("tbody", {},
        ...rows.map((row) => element("tr", {}, element("th", {scope: "row", class: "number"}, number(row.procs)),
          ...row.cells.map((one) => cell(one, most)), cell(row.total, most))),
        element("tr", {}, element("th", {scope: "row", class: "number"}, "All"), ...totals.map((one) => cell(one, most))))));
    tell(`${number(samples)} jobs, overall ${overall.toLocaleString([], {maximumFractionDigits: 2})}`);
  };
  const again = () => refresh().catch((error) => tell(error.message, true));
  const select = element("select", {onchange: () => {
    chosen = select.value;
    keep(chosen === kUsual ? {} : {of: chosen});
    again();
  }},
    ...Object.entries(statistics).map(([key, text]) => element("option", {value: key, selected: key === chosen && ""}, text)));
  again();
  return {root: element("section", {"aria-label": "Statistics"},
    element("div", {class: "bar"}, element("label", {}, "Statistic of completed jobs", select)), place), refresh};
}
