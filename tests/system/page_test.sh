# The page in a real browser: every view shows what the commands say, nothing on it fails, and no
# request leaves the scheduler.
. "$(dirname "$0")/support.sh"
command -v chromium >/dev/null || { echo "chromium is not installed: skipped"; exit 77; }

http=$(free_port $((port + 1)) 1)
workload 300 >"$MAUIHOMEDIR/workload.swf"
configure "SIMSTOPITERATION 120" "HTTPPORT $http" "HTTPSOCKET http.sock" "FSPOLICY DEDICATEDPS"
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
size=360,740 page ''
has 'aria-label="Active jobs"'

# As an administrator, whom the kernel names at the socket: a browser needs somebody who goes there.
if command -v python3 >/dev/null; then
  python3 - "$((http + 1))" "$MAUIHOMEDIR/http.sock" <<'END' &
import socket, sys, threading
def pump(source, to):
    while data := source.recv(65536):
        to.sendall(data)
    to.shutdown(socket.SHUT_WR)
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    client = listener.accept()[0]
    server = socket.socket(socket.AF_UNIX)
    server.connect(sys.argv[2])
    for ends in ((client, server), (server, client)):
        threading.Thread(target=pump, args=ends, daemon=True).start()
END
  forwarder=$!
  http=$((http + 1))
  within 20 curl --silent --output /dev/null "http://localhost:$http/health"
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
