// Which view is shown, and what of it: the part of the address behind '#'.  What is shown is asked for again when it
// has changed.
import {whoeverIsSilent} from "./api.js";
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
const silent = document.getElementById("silent");
const main = document.getElementById("view");
const kInFront = "in front";  // the state of a job's step, which follows that of what stands behind it
let shown, name;
let address;  // of what is shown, while a job may stand before it
let changed;  // it has been, since a job was shown
let last;     // the kind of what was done last

// What was told already is not said again to those who listen.
function tell(text, wrong = false) {
  if (status.textContent !== text) status.textContent = text;
  status.className = wrong ? "error" : "";
}

function show() {
  document.querySelector("dialog")?.remove();
  const [path, words] = location.hash.slice(1).split("?");
  const [wanted, operand] = path.split("/");
  if (wanted === "job" && operand) {
    changed = false;
    if (shown) history.replaceState(kInFront, "");
    else showView("queue", new URLSearchParams());
    return jobDialog(decodeURIComponent(operand), leave).catch((error) => tell(error.message, true));
  }
  const view = Object.hasOwn(views, wanted) ? wanted : "queue";
  if (location.hash !== address || view !== name) showView(view, new URLSearchParams(words));
}

// Leads from a job back to what stands behind it: by a step back where one has come from there.
function leave() {
  if (history.state !== kInFront) return history.replaceState(null, "", address);
  addEventListener("popstate", () => { if (changed) history.replaceState(null, "", address); }, {once: true});
  history.back();
}

// Has the address say what is shown.  Back leads to what was there before; what is of the same kind as what was done
// last, as each letter of a search, is one step with it.
function keep(words, kind) {
  const text = new URLSearchParams(words).toString().replaceAll("%3A", ":");
  const next = `#${name}${text && "?" + text}`;
  if (next === address || (next === "#queue" && address === "")) return;
  const inFront = document.querySelector("dialog") !== null;
  if (inFront) changed = true;
  else history[kind !== undefined && kind === last ? "replaceState" : "pushState"](null, "", next);
  address = next;
  last = kind;
}

function showView(view, parameters) {
  name = view;
  address = location.hash.startsWith("#job/") ? `#${view}` : location.hash;
  last = undefined;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === `#${view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const made = views[view](parameters, tell, (...what) => { if (shown === made) keep(...what); });
  shown = made;
  main.replaceChildren(shown.root);
}

// An empty queue means nothing then.
whoeverIsSilent((names) => {
  const text = names.map((name) => `Resource manager '${name}' has not reported yet: its nodes and jobs are not known.`);
  if (silent.textContent !== text.join(" ")) silent.textContent = text.join(" ");
});

addEventListener("hashchange", show);
show();
followNews(
  () => shown.refresh().catch((error) => { if (error.name !== "AbortError") tell(error.message, true); }),
  (live) => { news.textContent = live ? "live" : "every half minute"; });
