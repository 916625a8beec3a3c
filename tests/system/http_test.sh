# Health and metrics over HTTP: not without being asked for, at a port and at a socket, while the
# scheduler runs and while it is stopped.
. "$(dirname "$0")/support.sh"
command -v curl >/dev/null || { echo "curl is not installed: skipped"; exit 77; }

http=$(free_port $((port + 1)) 1)
workload 12 >"$MAUIHOMEDIR/workload.swf"

# status STATUS URL OPTION...: what curl is told for it; the body is in $body.
status() {
  local expected=$1 url=$2
  shift 2
  body=$(curl --silent --show-error --max-time 20 --write-out '\n%{http_code}' "$@" "$url" 2>&1)
  [ "${body##*$'\n'}" = "$expected" ] || fail "$url: not $expected: $body"
}
has() { says "$1" "$body"; }

configure "SIMSTOPITERATION 3"
start
status 000 "http://localhost:$http/health"
[ ! -e "$MAUIHOMEDIR/http.sock" ] || fail "there is a socket"
expect 0 '' schedctl -k
ended 0

configure "SIMSTOPITERATION 3" "HTTPPORT $http" "HTTPSOCKET http.sock" "HTTPHOST maui.example.org"
start
expect 0 'JOBNAME' showq
status 200 "http://localhost:$http/health"
has '"healthy":true'
status 200 "http://127.0.0.1:$http/metrics"
has '^maui_jobs{state="active"}'
has '^maui_processors{state="available"} 4'
has '^maui_requests_total{protocol="command"} [1-9]'
status 200 "http://localhost/health" --unix-socket "$MAUIHOMEDIR/http.sock"
status 200 "http://localhost:$http/health" --header 'Host: maui.example.org'
status 421 "http://localhost:$http/health" --header 'Host: evil.example.org'
has '"error":{"status":421'
status 403 "http://localhost:$http/health" --header 'X-Remote-User: root'
status 403 "http://localhost:$http/metrics" --header 'Sec-Fetch-Site: cross-site'
status 404 "http://localhost:$http/nothing"
status 404 "http://localhost:$http/../maui.cfg" --path-as-is
status 200 "http://localhost:$http/"
has '<main'
status 200 "http://localhost:$http/" --header 'Sec-Fetch-Site: cross-site'

# The replies of commands: to anonymous clients what everybody may see, to users what is theirs.
api="http://localhost:$http/api/v1"
at_socket() { status "$1" "http://localhost/api/v1/$2" --unix-socket "$MAUIHOMEDIR/http.sock" "${@:3}"; }
status 200 "$api"
has '"command":"showq"'
status 200 "$api/showq?list=active&limit=1"
has '"reply":"queue"'
has '"row_totals":{"active":[1-9]'
has '"row_limit":1}'
status 200 "$api/showq?limit=99999"
has '"row_limit":10000}'
status 200 "$api/schema"
[ "$(echo "${body%$'\n'*}")" = "$(maui --print-schema)" ] || fail "another schema than maui --print-schema"
status 422 "$api/checkjob/1"
has 'user anonymous client is not authorized'
status 403 "$api/showstate"
status 403 "$api/schedctl?k"
status 404 "$api/rm"
status 400 "$api/showq?sort=colour"
has "no row of this reply has 'colour'"
at_socket 200 checkjob/1
has '"reply":"job"'
at_socket 200 showstate
at_socket 403 showq --header 'X-Remote-User: somebody'
expect 0 'modified' changeparam HTTPPROXY "$(id -un)"
at_socket 422 checkjob/1 --header 'X-Remote-User: somebody'
at_socket 403 showstate
expect 1 'use HTTPSOCKET' changeparam HTTPPROXY 127.0.0.1

# A stream tells of what commands change, and of its end.
curl --silent --no-buffer "$api/events" >"$MAUIHOMEDIR/events" &
listener=$!
within 20 grep -q '^data: {"iteration":3,"now":[0-9]*}' "$MAUIHOMEDIR/events"
within 20 shown '^maui_event_streams 1' curl --silent "http://localhost:$http/metrics"
! grep -q '^event: change' "$MAUIHOMEDIR/events" || fail "told of a change: $(cat "$MAUIHOMEDIR/events")"
expect 0 '' sethold -b 1
within 20 grep -q '^event: change' "$MAUIHOMEDIR/events"
expect 0 '' releasehold -b 1
kill "$listener"
within 20 shown '^maui_event_streams 0' curl --silent "http://localhost:$http/metrics"
for i in 1 2 3 4 5 6 7 8 9 10; do
  curl --silent --no-buffer "$api/events" >"$MAUIHOMEDIR/events.$i" &
done
within 20 shown '^maui_event_streams 10' curl --silent "http://localhost:$http/metrics"
status 429 "$api/events"
has '10 per user'
at_socket 200 events --head --header 'X-Remote-User: somebody'

status 405 "http://localhost:$http/metrics" --request POST
expect 0 'modified' changeparam HTTPHOST evil.example.org
status 200 "http://localhost:$http/health" --header 'Host: evil.example.org'
expect 1 'until it ends' changeparam HTTPPORT 0
expect 0 '' schedctl -k
ended 0
wait  # for the listeners, whom the scheduler has left
[ ! -e "$MAUIHOMEDIR/http.sock" ] || fail "the socket is left"
verdict
