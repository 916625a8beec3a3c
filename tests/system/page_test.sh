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
page '#job/110'
has 'nobody in particular is not authorized'
page '#plan'
has '<svg class="chart"'
has 'class="bar Running"'
has '<summary>The same as a table'
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
  page '#job/110'
  has '<dt>Limit</dt><dd>00:20:00</dd>'
  kill "$forwarder"
fi
verdict
