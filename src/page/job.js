// A job: its expected start and, for its owner and administrators, why it waits.
import {ask} from "./api.js";
import {duration, element, moment, number} from "./text.js";

function facts(pairs) {
  const list = element("dl");
  for (const [title, text] of pairs)
    if (text !== undefined && text !== "") list.append(element("dt", {}, title), element("dd", {}, text));
  return list;
}

function described(job) {
  const list = facts([
    ["State", job.state], ["User", job.user], ["Account", job.account], ["Class", job.job_class], ["QOS", job.qos],
    ["Limit", duration(job.limit)], ["Submitted", moment(job.submitted)], ["Priority", number(job.priority)],
    ["Started", job.started < 0 ? "" : moment(job.started)], ["Ends by its limit", job.ends < 0 ? "" : moment(job.ends)],
    ["Holds", job.holds.join(", ")], ["Why it is held", job.hold_reason], ["Dependencies", job.dependencies.join(", ")],
    ["Reserved", job.reservation ? `${moment(job.reservation.start)} as ${job.reservation.name}` : ""]]);
  return [list, ...present(job), ...past(job)];
}

// Shows the reasons why the job waits now, and what would end them.
function present(job) {
  const reasons = job.verdicts.filter((verdict) => verdict.reason);
  if (!reasons.length) return [];
  const until = job.lifted_by === "" ? [] : [element("p", {}, `Until ${job.lifted_by}`,
    job.lifted_at < 0 ? "." : `: ${moment(job.lifted_at)}, if all jobs run until their limits.`)];
  return [element("h3", {}, "Why it waits"), element("ul", {}, ...reasons.map((verdict) =>
    element("li", {}, `Partition ${verdict.partition}: ${verdict.reason}${verdict.limit ? ` (${verdict.limit})` : ""}`,
      ...(verdict.rejections.length ? [element("ul", {}, ...verdict.rejections.map((one) =>
        element("li", {}, `${number(one.nodes)} nodes: ${one.reason}`)))] : [])))), ...until];
}

// Shows since when each reason has held, latest first.
function past(job) {
  if (!job.waits.length) return [];
  const rows = [...job.waits].reverse().map((wait) => element("tr", {}, element("td", {}, moment(wait.start)),
    element("td", {}, duration((wait.end < 0 ? job.now : wait.end) - wait.start)), element("td", {}, wait.reason)));
  return [element("h3", {}, "Reasons over time"), element("table", {class: "waits"},
    element("thead", {}, element("tr", {}, ...["Since", "For", "Reason"].map((title) => element("th", {scope: "col"}, title)))),
    element("tbody", {}, ...rows))];
}

// `closed` is called when the dialog has been closed.
export async function jobDialog(name, closed) {
  const dialog = element("dialog", {"aria-label": `Job ${name}`});
  const close = element("button", {type: "button", onclick: () => dialog.close()}, "Close");
  const content = element("div", {"aria-live": "polite"}, "Loading…");
  dialog.append(element("h2", {}, `Job ${name}`), content, element("p", {}, close));
  dialog.addEventListener("close", () => { dialog.remove(); closed(); });
  document.body.append(dialog);
  dialog.showModal();
  const [start, job] = await Promise.allSettled([ask("showstart", [name]), ask("checkjob", [name])]);
  const parts = [];
  if (start.status === "fulfilled") {
    const {value} = start;
    parts.push(facts([
      ["Processors", number(value.procs)],
      ["Earliest start by limits", value.start < 0 ? "never" : moment(value.start)],
      ["Expected start", value.expected_start < 0 ? "" : moment(value.expected_start)],
      ["Promised start", value.promised_start < 0 ? "" : moment(value.promised_start)],
      ["Completion by limits", value.completion < 0 ? "" : moment(value.completion)]]));
  } else {
    parts.push(element("p", {class: "error"}, start.reason.message));
  }
  if (job.status === "fulfilled") parts.push(...described(job.value));
  else if (job.reason.message !== start.reason?.message) parts.push(element("p", {}, job.reason.message));
  content.replaceChildren(...parts);
  return dialog;
}
