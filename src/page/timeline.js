// Time across a picture: the marks of the axis, and control by wheel, pointers and keys.

const kMinute = 60, kHour = 3600;
const kApart = 64;  // pixels between marks, at least
const clockSteps = [kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 30 * kMinute,
  kHour, 2 * kHour, 3 * kHour, 6 * kHour, 8 * kHour, 12 * kHour];
const daySteps = [1, 2, 7, 14], monthSteps = [1, 2, 3, 6, 12, 24, 60, 120];
const kDay = 24 * kHour, kMonth = 28 * kDay;

const clock = new Intl.DateTimeFormat([], {hour: "2-digit", minute: "2-digit"});
export const day = new Intl.DateTimeFormat([], {month: "short", day: "numeric"});
const month = new Intl.DateTimeFormat([], {month: "short", year: "numeric"});

// Returns the local midnights in the interval; some days have 23 or 25 hours.
function midnights(from, until) {
  const all = [], at = new Date(from * 1000);
  for (at.setHours(0, 0, 0, 0); at / 1000 <= until; at.setDate(at.getDate() + 1)) all.push(new Date(at));
  return all;
}
const dayNumber = (at) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 1000 / kDay;

// Returns marks at round local times, [{time, text}], as many as their texts have room for.
export function marks(from, until, width) {
  const least = (until - from) * kApart / Math.max(1, width);
  const days = midnights(from, until);
  const inside = (all) => all.filter(({time}) => from <= time && time <= until);
  const step = clockSteps.find((one) => one >= least);
  if (step)
    return inside(days.flatMap((midnight) => {
      const begin = midnight / 1000, all = [{time: begin, text: day.format(midnight)}];
      const end = new Date(midnight).setDate(midnight.getDate() + 1) / 1000;
      for (let time = begin + step; time < end; time += step) all.push({time, text: clock.format(time * 1000)});
      return all;
    }));
  const some = daySteps.find((one) => one * kDay >= least);
  if (some)
    return inside(days.filter((one) => dayNumber(one) % some === 0).map((one) => ({time: one / 1000, text: day.format(one)})));
  const months = monthSteps.find((one) => one * kMonth >= least) ?? monthSteps.at(-1);
  return inside(days.filter((one) => one.getDate() === 1 && (12 * one.getFullYear() + one.getMonth()) % months === 0)
    .map((one) => ({time: one / 1000, text: month.format(one)})));
}

const kStep = 1.5;      // of the zoom keys and buttons
const kPart = 1 / 8;    // the part of the view that a key moves
const kLines = [1, 16, 400];  // pixels in each unit of wheel events

// Zooms and moves `place`.  view(): the {start, span} shown; plot(): {left, width} of the time in
// pixels; look(start, span) shows that if possible; reset() shows the first view, end() the last.
export class Moves {
  constructor(place, {view, plot, look, reset, end}) {
    Object.assign(this, {place, view, plot, look, reset, end});
    this.pointers = new Map();
    place.addEventListener("wheel", (event) => this.wheel(event), {passive: false});
    place.addEventListener("keydown", (event) => this.key(event));
    place.addEventListener("pointerdown", (event) => this.down(event));
    place.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of ["pointerup", "pointercancel"]) place.addEventListener(name, (event) => this.up(event));
  }

  // The time at `share` of the width stays in place.
  zoom(factor, share = .5) {
    const {start, span} = this.view();
    this.look(start + share * span * (1 - factor), span * factor);
  }
  zoomIn() { this.zoom(1 / kStep); }
  zoomOut() { this.zoom(kStep); }
  move(share) {
    const {start, span} = this.view();
    this.look(start + share * span, span);
  }
  earlier() { this.move(-kPart); }
  later() { this.move(kPart); }

  share(x) {
    const {left, width} = this.plot();
    return Math.min(1, Math.max(0, (x - this.place.getBoundingClientRect().left - left) / width));
  }

  // The wheel scrolls, except over the axis; with Ctrl, also sent for a pinch, it zooms.
  wheel(event) {
    const unit = kLines[event.deltaMode];
    if (event.ctrlKey || event.metaKey || (event.deltaY && event.target.closest(".ticks"))) {
      this.zoom(Math.exp(Math.min(1, Math.max(-1, event.deltaY * unit / 300))), this.share(event.clientX));
    } else {
      const by = event.deltaX || (event.shiftKey ? event.deltaY : 0);
      if (!by) return;
      this.move(by * unit / this.plot().width);
    }
    event.preventDefault();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.place) return;
    const act = {"+": this.zoomIn, "=": this.zoomIn, "-": this.zoomOut, ArrowLeft: this.earlier, ArrowRight: this.later,
      Home: () => this.look(-Infinity, this.view().span), End: this.end, "0": this.reset}[event.key];
    if (!act) return;
    event.preventDefault();
    act.call(this);
  }

  // The time under a finger stays under it, also with two fingers.
  down(event) {
    const {left, top} = this.place.getBoundingClientRect(), {clientWidth, clientHeight} = this.place;
    if (event.button !== 0 || event.clientX - left > clientWidth || event.clientY - top > clientHeight) return;  // its scroll bars
    this.place.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, event.clientX);
    this.hold();
  }
  up(event) {
    if (this.pointers.delete(event.pointerId)) this.hold();
  }
  hold() {
    this.held = {...this.view(), at: this.spread()};
    this.place.classList.toggle("grabbed", this.pointers.size > 0);
  }
  spread() {
    const all = [...this.pointers.values()];
    return {middle: all.reduce((sum, x) => sum + x, 0) / Math.max(1, all.length),
      apart: Math.max(20, Math.max(...all) - Math.min(...all))};
  }
  drag(event) {
    if (!this.pointers.has(event.pointerId)) return;
    this.pointers.set(event.pointerId, event.clientX);
    const {start, span, at} = this.held, now = this.spread();
    const wide = this.pointers.size > 1 ? span * at.apart / now.apart : span;
    const {left, width} = this.plot(), edge = this.place.getBoundingClientRect().left + left;
    this.look(start + span * (at.middle - edge) / width - wide * (now.middle - edge) / width, wide);
  }
}
