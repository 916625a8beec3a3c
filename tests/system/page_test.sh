# The page in a real browser: every view shows what the commands say, nothing on it fails, and no
# request leaves the scheduler.
. "$(dirname "$0")/support.sh"
. "$(dirname "$0")/page_support.sh"

http=$(free_port $((port + 1)) 1)
workload 300 >"$MAUIHOMEDIR/workload.swf"
configure "SIMSTOPITERATION 120" "HTTPPORT $http" "HTTPSOCKET http.sock" "FSPOLICY DEDICATEDPS"
start
expect 0 'ACTIVE JOBS' showq
within 60 shown '"scheduling":"stopped"' curl --silent "http://localhost:$http/health"

active=$(showq --format=json | tr '{' '\n' | sed -n '/"active"/,/"idle"/s/.*"name": "\([0-9]*\)".*/\1/p' | head -n 1)
page ''
has '<table aria-label="Active jobs"'
has 'aria-sort="ascending"'
has 'aria-current="page"'
has "4 of 4 (100 %)"
has 'active jobs</p>'
page '#queue?list=idle&search=29'
has '<table aria-label="Idle jobs"'
page '#queue?list=idle&search=29&sort=-procs'
has 'aria-sort="descending"><button type="button">Procs ↓'
page '#queue?list=constructor&sort=nonsense&by=constructor&is=nobody'
has 'aria-sort="ascending"><button type="button">Remaining ↑'
has '>0 active jobs</p>'
page '#job/110'
has 'anonymous client is not authorized'
page '#plan'
has '<svg class="chart"'
has 'nodes 1 to 4 of 4, a day from now on</p>'
has 'class="bar Running"'
has '<summary>The same as a table'
page '#plan?span=06:00:00&nodes=60'
has 'nodes 1 to 4 of 4, 6 hours from now on</p>'
page '#plan?span=nonsense&start=-1&nodes=x'
has 'nodes 1 to 4 of 4, a day from now on</p>'
page '#windows'
has 'Free now'
page '#nodes'
has 'is not authorized to run command'
page '#use'
has 'is not authorized\|history'
size=360,740 page ''
has 'aria-label="Active jobs"'

# As an administrator, whom the kernel names at the socket: a browser needs somebody who goes there.
if command -v python3 >/dev/null; then
  as_administrator
  page '#nodes'
  has '<canvas role="img"'
  has '4 nodes</p>'
  page '#fairshare'
  has '>fairshare: DEDICATEDPS</p>'
  page '#statistics'
  has 'aria-label="Mean expansion factor by processors and limit"'
  has 'class="number tint"'
  page '#statistics?of=JOBCOUNT'
  has 'aria-label="Jobs by processors and limit"'
  page '#job/110'
  has '<dt>Limit</dt><dd>00:20:00</dd>'

  # The plan is zoomed and moved, from now to its end, and the address says where one is.
  expect 0 'SYSTEM.0' setres -s +2:00:00:00 -d 12:00:00 ALL
  now=$(curl --silent "http://localhost:$http/api/v1/showres?gantt" | sed 's/.*"now":\([0-9]*\).*/\1/')
  look '#plan'
  says_now() { sees "document.getElementById('status').textContent === 'nodes 1 to 4 of 4, $1'"; }
  address() { sees "location.hash === '$1'"; }
  asks() { sees "String([...new Set(performance.getEntriesByType('resource').map(({name}) => new URL(name)).filter(({pathname}) => pathname === '/api/v1/showres').map(({searchParams}) => searchParams.get('d')))]) === '$1'"; }
  key() { sees "document.querySelector('.timeline').dispatchEvent(new KeyboardEvent('keydown', {key: '$1', bubbles: true})) || true"; }
  # reserved SHARE: of the width of time, by the reservation of the first node.
  reserved() { sees "((bar, {left, right}) => bar && Math.abs(bar.width.baseVal.value / (right - left - 60) - $1) < .01)(document.querySelector('rect.held'), document.querySelector('.timeline svg').getBoundingClientRect())"; }
  says_now 'a day from now on'
  key +
  key +
  address "#plan?span=0:10:40:00&start=$((now + 24000))"
  key Home
  address '#plan?span=0:10:40:00'
  says_now '10:40:00 from now on'
  asks '1:00:00:00'
  key End
  address "#plan?span=0:10:40:00&start=$((now + 60 * 3600 - 38400))"
  reserved 1
  asks '1:00:00:00,3650:00:00:00'
  for _ in 1 2 3 4 5 6; do key -; done
  address '#plan?span=2:12:00:00'
  reserved .2
  key 0
  address '#plan'
  says_now 'a day from now on'
  sees 'history.back() || true'
  says_now '2 d 12:00:00 from now on'
  reserved .2
  sees 'history.forward() || true'
  says_now 'a day from now on'
  sees 'document.querySelector(".timeline").dispatchEvent(new WheelEvent("wheel", {ctrlKey: true, deltaY: -300, clientX: 0, bubbles: true})) || true'
  address '#plan?span=0:08:49:45'
  sees 'drag 700 300 400'
  sees 'location.hash.startsWith("#plan?span=0:08:49:45&start=")'
  # A link to it shows it, and the address follows what is chosen in the queue.
  sees "location.assign('#plan?span=0:15:00:00&start=$((now + 45 * 3600))') || true"
  sees "document.getElementById('status').textContent.startsWith('nodes 1 to 4 of 4, 15:00:00 from ')"
  reserved .8
  sees "location.assign('#queue?list=idle&sort=-procs') || true"
  sees 'document.querySelector("th[aria-sort=descending]")?.textContent === "Procs ↓"'
  sees 'document.querySelector("thead button").click() || true'
  address '#queue?list=idle&sort=name'
  sees '((field) => { field.value = "29"; field.dispatchEvent(new Event("input")); return true; })(document.querySelector("input[type=search]"))'
  address '#queue?list=idle&search=29&sort=name'
  sees 'location.assign("#job/110") || true'
  sees 'document.querySelector("dialog[open]") !== null'
  sees 'document.querySelector("dialog button").click() || true'
  address '#queue?list=idle&search=29&sort=name'
  # A closed dialog leaves no step behind: the next one back is that before the search.
  sees 'document.querySelector("dialog") === null'
  sees 'history.back() || true'
  address '#queue?list=idle&sort=name'
  looked
  kill "$forwarder"
fi
verdict
