// Calls refresh() when the scheduler says that something has changed, while somebody looks; where its
// stream of events cannot be had, now and then.
const kOpen = 3000;       // milliseconds: who only glances at the page needs no stream
const kAgain = 60000;     // until a stream that was refused is asked for again
const kPolled = 30000;    // between two refreshes without a stream
const kSeldom = 120000;   // and with one, for what time alone changes
const kRest = 1000;       // after a refresh, at least
const kPatience = 10;     // and so many times as long as it took: a busy scheduler is asked less

// told(live): whether there is a stream.
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
    // It begins with how things stand: what came before is not known, unless it is the first.
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
