// Calls refresh() when the scheduler reports a change while the page is visible; without a stream
// of events, at intervals.
const kOpen = 3000;       // milliseconds: a short glance at the page needs no stream
const kAgain = 60000;     // before a refused stream is requested again
const kPolled = 30000;    // between refreshes without a stream
const kSeldom = 120000;   // with a stream, for what time alone changes
const kRest = 1000;       // after a refresh, at least
const kPatience = 10;     // the rest in durations of the refresh, to spare a busy scheduler

// told(live): called with true if a stream is open.
export function followNews(refresh, told) {
  let source, timer, opener, busy = false, wanted = false, heard = false, rested = 0;
  const live = () => source !== undefined && source.readyState === EventSource.OPEN;

  function plan(wait) {
    clearTimeout(timer);
    timer = setTimeout(go, wait);
  }
  async function go() {
    if (document.hidden) return;
    busy = true;
    wanted = false;
    const begin = performance.now();
    await refresh();
    const end = performance.now();
    rested = end + Math.max(kRest, kPatience * (end - begin));
    busy = false;
    plan(wanted ? rested - end : live() ? kSeldom : kPolled);
  }
  function changed() {
    wanted = true;
    if (!busy) plan(Math.max(0, rested - performance.now()));
  }

  function open() {
    source = new EventSource("api/v1/events");
    source.addEventListener("change", changed);
    // The first event of a stream; after a reconnection, changes may have been missed.
    source.addEventListener("state", () => {
      if (heard) changed();
      heard = true;
      told(true);
    });
    source.onerror = () => {
      told(false);
      if (!busy) plan(kPolled);
      if (source.readyState === EventSource.CLOSED) openIn(kAgain);
    };
  }
  function openIn(wait) {
    close();
    opener = setTimeout(open, wait);
  }
  function close() {
    clearTimeout(opener);
    source?.close();
    source = undefined;
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return close();
    openIn(0);
    changed();
  });
  if (!document.hidden) openIn(kOpen);
  plan(kPolled);
}
