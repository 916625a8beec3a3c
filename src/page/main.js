// Selects the view, and what it shows, by the part of the address after '#'.  Refreshes the view
// when the data has changed.
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
const kInFront = "in front";  // the state of a history entry for a job opened in front of a view
let shown, name;
let address;  // of the view, while a job may be open in front of it
let changed;  // the address changed while a job was open
let last;     // the kind of the last action

// Does not repeat an unchanged message, which a screen reader would announce again.
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

// Returns from a job to the view behind it: one step back, if the job was opened from that view.
function leave() {
  if (history.state !== kInFront) return history.replaceState(null, "", address);
  addEventListener("popstate", () => { if (changed) history.replaceState(null, "", address); }, {once: true});
  history.back();
}

// Stores the view's state in the address.  Back leads to the previous state; consecutive actions
// of the same kind, such as letters of a search, are a single step.
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

// Explains why the queue may look empty, or old.
whoeverIsSilent((names, stopped) => {
  const text = names.map((name) => `Resource manager '${name}' has not reported yet: its nodes and jobs are not known.`);
  if (stopped) text.push(`${stopped[0].toUpperCase()}${stopped.slice(1)}.`);
  if (silent.textContent !== text.join(" ")) silent.textContent = text.join(" ");
});

addEventListener("hashchange", show);
show();
followNews(
  () => shown.refresh().catch((error) => { if (error.name !== "AbortError") tell(error.message, true); }),
  (live) => { news.textContent = live ? "live" : "every half minute"; });
