// The nodes as a map: one square per node, in the resource manager's order, coloured by state.
import {ask} from "./api.js";
import {element, number} from "./text.js";

const kSide = 13, kAtOnce = 10000;

async function everyNode() {
  const nodes = [], jobs = [];
  for (let offset = 0, total = 1; offset < total; offset += kAtOnce) {
    const reply = await ask("showstate", [], {offset, limit: kAtOnce});
    nodes.push(...reply.nodes);
    jobs.push(...reply.jobs);
    total = Math.max(reply.row_totals.nodes, reply.row_totals.jobs);
  }
  return {nodes, jobs};
}

export function nodesView(parameters, tell) {
  const canvas = element("canvas", {role: "img", tabindex: "0",
    "aria-label": "All nodes by state; arrow keys move between nodes"});
  const about = element("p", {role: "status"}, " ");
  const counts = element("ul", {class: "cards", "aria-label": "Nodes by state"});
  const samples = element("div", {hidden: true});
  let known = {nodes: [], jobs: []}, columns = 1, chosen = -1;

  // Returns the colour that style.css gives a state.
  function colour(state) {
    const sample = element("i", {class: `state ${state}`});
    samples.append(sample);
    const {color} = getComputedStyle(sample);
    sample.remove();
    return color;
  }
  function draw() {
    const width = canvas.parentElement.clientWidth;
    columns = Math.max(1, Math.floor(width / kSide));
    const rows = Math.ceil(known.nodes.length / columns);
    const scale = devicePixelRatio || 1;
    Object.assign(canvas, {width: columns * kSide * scale, height: Math.max(1, rows) * kSide * scale});
    canvas.style.width = `${columns * kSide}px`;
    canvas.style.height = `${rows * kSide}px`;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const colours = new Map();
    known.nodes.forEach((node, i) => {
      if (!colours.has(node.state)) colours.set(node.state, colour(node.state));
      pen.fillStyle = colours.get(node.state);
      const edge = i === chosen ? 0 : 1;
      pen.fillRect(i % columns * kSide + edge, Math.floor(i / columns) * kSide + edge, kSide - 2 * edge, kSide - 2 * edge);
    });
  }
  function choose(index) {
    chosen = Math.max(0, Math.min(known.nodes.length - 1, index));
    const node = known.nodes[chosen];
    if (!node) return;
    const job = known.jobs[node.job];
    about.textContent = `${node.name}: ${node.state}${job ? `, job ${job.name} of ${job.user}` : ""}`;
    draw();
  }
  canvas.addEventListener("mousemove", (event) => {
    const index = Math.floor(event.offsetY / kSide) * columns + Math.floor(event.offsetX / kSide);
    if (index < known.nodes.length && index !== chosen) choose(index);
  });
  canvas.addEventListener("keydown", (event) => {
    const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns}[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose(chosen + step);
  });
  const refresh = async () => {
    known = await everyNode();
    const byState = new Map();
    for (const {state} of known.nodes) byState.set(state, (byState.get(state) ?? 0) + 1);
    counts.replaceChildren(...[...byState].map(([state, count]) =>
      element("li", {class: `state ${state}`}, state, element("b", {}, number(count)))));
    draw();
    tell(`${number(known.nodes.length)} nodes`);
  };
  const root = element("section", {"aria-label": "Nodes"}, counts, about, element("div", {}, canvas), samples);
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(root);
  refresh().catch((error) => tell(error.message, true));
  return {root, refresh};
}
