// Which view is shown: the part of the address behind '#'.  What it shows is asked for again when it
// has changed.
import {fairshareView} from "./fairshare.js";
import {jobDialog} from "./job.js";
import {followNews} from "./news.js";
import {nodesView} from "./nodes.js";
import {planView} from "./plan.js";
import {queueView} from "./queue.js";
import {statisticsView} from "./statistics.js";
import {useView} from "./use.js";
import {windowsView} from "./windows.js";

const views = {queue: queueView, plan: planView, windows: windowsView, nodes: nodesView, fairshare: fairshareView,
  statistics: statisticsView, use: useView};
const status = document.getElementById("status");
const news = document.getElementById("news");
const main = document.getElementById("view");
let shown, name;

// What was told already is not said again to those who listen.
function tell(text, wrong = false) {
  if (status.textContent !== text) status.textContent = text;
  status.className = wrong ? "error" : "";
}

function show() {
  const [path, words] = location.hash.slice(1).split("?");
  const [wanted, operand] = path.split("/");
  if (wanted === "job" && operand) {
    if (!shown) showView("queue", new URLSearchParams());
    const back = () => history.replaceState(null, "", `#${name}`);
    return jobDialog(decodeURIComponent(operand), back).catch((error) => tell(error.message, true));
  }
  document.querySelector("dialog")?.remove();
  const view = wanted in views ? wanted : "queue";
  if (view !== name || words !== undefined) showView(view, new URLSearchParams(words));
}

function showView(view, parameters) {
  name = view;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#${view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  shown = views[view](parameters, tell);
  main.replaceChildren(shown.root);
}

addEventListener("hashchange", show);
show();
followNews(
  () => shown.refresh().catch((error) => { if (error.name !== "AbortError") tell(error.message, true); }),
  (live) => { news.textContent = live ? "live" : "every half minute"; });
