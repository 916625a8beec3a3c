# The page in a real browser: every view shows what the commands say, nothing on it fails, and no
# request leaves the scheduler.
. "$(dirname "$0")/support.sh"
command -v chromium >/dev/null || { echo "chromium is not installed: skipped"; exit 77; }

http=$(free_port $((port + 1)) 1)
workload 300 >"$MAUIHOMEDIR/workload.swf"
configure "SIMSTOPITERATION 120" "HTTPPORT $http"
start
expect 0 'ACTIVE JOBS' showq
within 60 shown '"scheduling":"stopped"' curl --silent "http://localhost:$http/health"

# page ADDRESS: the document as it is once its modules have run, in $page.
page() {
  page=$(timeout 60 chromium --headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --user-data-dir="$MAUIHOMEDIR/browser" --no-first-run --disable-background-networking \
    --host-resolver-rules='MAP * ~NOTFOUND, EXCLUDE localhost' --window-size="${size:-1200,900}" \
    --enable-logging=stderr --virtual-time-budget=8000 --dump-dom \
    "http://localhost:$http/$1" 2>"$MAUIHOMEDIR/browser.log")
  ! grep -E 'CONSOLE.*(Uncaught|Refused|Failed|Error)' "$MAUIHOMEDIR/browser.log" ||
    fail "the browser complains about $1"
}
has() { says "$1" "$page"; }

active=$(showq --format=json | tr '{' '\n' | sed -n '/"active"/,/"idle"/s/.*"name": "\([0-9]*\)".*/\1/p' | head -n 1)
page ''
has '<table aria-label="Active jobs"'
has 'aria-sort="ascending"'
has 'aria-current="page"'
has "4 of 4 (100 %)"
has 'active jobs</p>'
page '#queue?list=idle&search=29'
has '<table aria-label="Idle jobs"'
page '#job/1'
has 'role="status"'
page '#plan'
has '<svg class="chart"'
has 'class="bar Running"'
has '<summary>The same as a table'
page '#windows'
has 'Free now'
size=360,740 page ''
has 'aria-label="Active jobs"'
verdict
