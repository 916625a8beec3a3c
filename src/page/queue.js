// The queue: active, idle and blocked jobs, searched, filtered and sorted by the scheduler.
import {ask} from "./api.js";
import {duration, element, moment, number} from "./text.js";
import {WindowedTable} from "./windowed_table.js";

const job = {title: "Job", member: "name", show: (row) => row.name};
const common = [
  {title: "User", member: "user", show: (row) => row.user},
  {title: "State", member: "state", show: (row) => row.state},
  {title: "Procs", member: "procs", show: (row) => number(row.procs), number: true},
];
const who = [
  {title: "Account", member: "account", show: (row) => row.account, optional: true},
  {title: "Class", member: "job_class", show: (row) => row.job_class, optional: true},
  {title: "QOS", member: "qos", show: (row) => row.qos, optional: true},
];
const waiting = [job, ...common,
  {title: "Limit", member: "limit", show: (row) => duration(row.limit), number: true},
  {title: "Queued", member: "queued", show: (row) => moment(row.queued), number: true, optional: true},
  {title: "Priority", member: "priority", show: (row) => number(row.priority), number: true}, ...who];
const lists = {
  active: {title: "Active", columns: [job, ...common,
    {title: "Remaining", member: "remaining", show: (row) => duration(row.remaining), number: true},
    {title: "Started", member: "started", show: (row) => moment(row.started), number: true, optional: true}, ...who],
    sort: {member: "remaining", descending: false}},
  idle: {title: "Idle", columns: waiting, sort: {member: "priority", descending: true}},
  blocked: {title: "Blocked", columns: waiting, sort: {member: "queued", descending: false}},
};
const filters = {user: "User", account: "Account", job_class: "Class", qos: "QOS", state: "State"};

export function queueView(parameters, tell, keep) {
  const chosen = {list: Object.hasOwn(lists, parameters.get("list")) ? parameters.get("list") : "active",
    sort: parameters.get("sort"), search: parameters.get("search") ?? "",
    member: Object.hasOwn(filters, parameters.get("by")) ? parameters.get("by") : "user", value: parameters.get("is") ?? ""};
  const cards = element("ul", {class: "cards", "aria-label": "Sums"});
  const place = element("div");
  let table;

  function query() {
    const sort = (table.sort.descending ? "-" : "") + table.sort.member;
    const words = new URLSearchParams({list: chosen.list, sort});
    if (chosen.search) words.set("search", chosen.search);
    if (chosen.value) words.append("where", `${chosen.member}:${chosen.value}`);
    return words;
  }
  async function load(offset, limit, signal) {
    const words = query();
    words.set("offset", offset);
    words.set("limit", limit);
    const reply = await ask("showq", [], words, signal);
    showSums(reply);
    return {rows: reply[chosen.list], total: reply.row_totals[chosen.list]};
  }
  function showSums({use, now}) {
    const share = use.procs_up ? ` (${Math.round(100 * use.procs_active / use.procs_up)} %)` : "";
    const card = (title, text) => element("li", {}, title, element("b", {}, text));
    cards.replaceChildren(
      card("Processors in use", `${number(use.procs_active)} of ${number(use.procs_up)}${share}`),
      card("Nodes in use", `${number(use.nodes_active)} of ${number(use.nodes_up)}`),
      card("Scheduler time", moment(now)));
  }
  // `kind`: the kind of action, as in main.js.
  function kept(kind) {
    const words = {}, {member, descending} = table.sort, usual = lists[chosen.list].sort;
    if (chosen.list !== "active") words.list = chosen.list;
    if (chosen.search) words.search = chosen.search;
    if (chosen.value) Object.assign(words, {by: chosen.member, is: chosen.value});
    if (member !== usual.member || descending !== usual.descending) words.sort = (descending ? "-" : "") + member;
    keep(words, kind);
  }
  const refresh = async () => {
    const total = await table.refresh();
    tell(`${number(total)} ${lists[chosen.list].title.toLowerCase()} jobs`);
  };
  function showList() {
    const {title, columns, sort} = lists[chosen.list];
    const asked = {member: chosen.sort?.replace(/^-/, ""), descending: chosen.sort?.startsWith("-")};
    const known = columns.some(({member}) => member === asked.member);
    table = new WindowedTable({label: `${title} jobs`, columns, load, sort: known ? asked : {...sort},
      open: (row) => `#job/${encodeURIComponent(row.name)}`, onsort: () => { kept(); run(refresh, tell); }});
    place.replaceChildren(table.root);
    run(refresh, tell);
  }

  let wait;
  const soon = (kind) => {
    clearTimeout(wait);
    wait = setTimeout(() => { table.root.scrollTop = 0; kept(kind); run(refresh, tell); }, 200);
  };
  const field = (label, input) => element("label", {}, label, input);
  const select = (options, value, change) => {
    const made = element("select", {onchange: () => change(made.value)},
      ...Object.entries(options).map(([key, text]) => element("option", {value: key, selected: key === value && ""}, text)));
    return made;
  };
  const input = (type, value, change) => {
    const made = element("input", {type, value, oninput: () => { change(made.value); soon(`the ${type}`); }});
    return made;
  };
  const bar = element("form", {class: "bar", role: "search", onsubmit: (event) => event.preventDefault()},
    field("Jobs", select(Object.fromEntries(Object.entries(lists).map(([key, {title}]) => [key, title])), chosen.list,
      (value) => { chosen.list = value; chosen.sort = null; showList(); kept(); })),
    field("Search", input("search", chosen.search, (value) => { chosen.search = value; })),
    field("Filter by", select(filters, chosen.member, (value) => { chosen.member = value; if (chosen.value) soon(); })),
    field("Equal to", input("text", chosen.value, (value) => { chosen.value = value; })));
  showList();
  return {root: element("section", {"aria-label": "Queue"}, cards, bar, place), refresh};
}

export function run(task, tell) {
  task().catch((error) => { if (error.name !== "AbortError") tell(error.message, true); });
}
