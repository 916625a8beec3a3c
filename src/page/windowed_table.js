// A table of any length that requests and draws only the visible rows.
import {element} from "./text.js";

const kRow = 32;    // pixels, as in style.css
const kPage = 100;  // rows per request
const kKept = 40;   // pages kept in memory

export class WindowedTable {
  // columns: [{title, member, show(row), number, optional}]; load(offset, limit, signal) resolves to
  // {rows, total}; open(row) returns the address that the row links to.
  constructor({label, columns, load, open, sort, onsort}) {
    Object.assign(this, {columns, load, open, onsort, sort});
    this.pages = new Map();
    this.total = 0;
    this.generation = 0;
    this.heads = columns.map((column) => this.head(column));
    this.body = element("tbody");
    this.table = element("table", {"aria-label": label, "aria-rowcount": "0"},
      element("thead", {}, element("tr", {}, ...this.heads)), this.body);
    this.root = element("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": label}, this.table);
    this.root.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => requestAnimationFrame(() => this.draw())).observe(this.root);
    this.showSort();
  }

  head(column) {
    const choose = () => {
      const same = this.sort.member === column.member;
      this.sort = {member: column.member, descending: same ? !this.sort.descending : false};
      this.showSort();
      this.onsort(this.sort);
    };
    return element("th", {class: classes(column), scope: "col"},
      element("button", {type: "button", onclick: choose}, column.title));
  }

  showSort() {
    this.heads.forEach((head, i) => {
      const chosen = this.columns[i].member === this.sort.member;
      head.setAttribute("aria-sort", !chosen ? "none" : this.sort.descending ? "descending" : "ascending");
      const arrow = !chosen ? "" : this.sort.descending ? " ↓" : " ↑";
      head.firstChild.textContent = this.columns[i].title + arrow;
    });
  }

  // Discards all rows and requests the visible ones again; the old ones stay until these arrive.
  async refresh() {
    this.generation += 1;
    this.cancel?.abort();
    this.cancel = new AbortController();
    this.stale = this.pages;
    this.pages = new Map();
    await this.fetch(Math.floor(this.first() / kPage));
    this.stale = undefined;
    this.draw();
    return this.total;
  }

  first() { return Math.max(0, Math.floor(this.root.scrollTop / kRow) - 5); }

  async fetch(page) {
    if (this.pages.has(page)) return;
    const generation = this.generation;
    this.pages.set(page, undefined);
    try {
      const {rows, total} = await this.load(page * kPage, kPage, this.cancel?.signal);
      if (generation !== this.generation) return;
      this.pages.set(page, rows);
      this.total = total;
      for (const old of this.pages.keys())
        if (this.pages.size > kKept && Math.abs(old - page) > kKept / 2) this.pages.delete(old);
    } catch (error) {
      if (generation === this.generation) this.pages.delete(page);
      throw error;
    }
    this.draw();
  }

  row(index) {
    const page = Math.floor(index / kPage);
    return (this.pages.get(page) ?? this.stale?.get(page))?.[index % kPage];
  }

  draw() {
    const first = this.first();
    const last = Math.min(this.total, first + Math.ceil(this.root.clientHeight / kRow) + 10);
    const rows = [spacer(first, this.columns.length)];
    for (let index = first; index < last; ++index) rows.push(this.line(index));
    rows.push(spacer(this.total - last, this.columns.length));
    const focused = this.body.contains(document.activeElement) &&
      document.activeElement.closest("tr")?.getAttribute("aria-rowindex");
    this.table.setAttribute("aria-rowcount", String(this.total + 1));
    this.body.replaceChildren(...rows);
    if (focused) this.body.querySelector(`tr[aria-rowindex="${focused}"] a`)?.focus({preventScroll: true});
    for (let page = Math.floor(first / kPage); page * kPage < last; ++page)
      this.fetch(page).catch(() => {});
  }

  line(index) {
    const row = this.row(index);
    const cells = this.columns.map((column, i) => {
      const text = row ? column.show(row) : "…";
      const link = i === 0 && row && this.open
        ? element("a", {href: this.open(row)}, text) : text;
      return element(i === 0 ? "th" : "td", {class: classes(column), scope: i === 0 && "row"}, link);
    });
    return element("tr", {"aria-rowindex": String(index + 2)}, ...cells);
  }
}

function classes(column) {
  return [column.number && "number", column.optional && "optional"].filter(Boolean).join(" ") || undefined;
}

function spacer(rows, columns) {
  const cell = element("td", {colspan: String(columns)});
  cell.style.height = `${Math.max(0, rows) * kRow}px`;
  cell.style.padding = "0";
  return element("tr", {"aria-hidden": "true", hidden: rows <= 0}, cell);
}
