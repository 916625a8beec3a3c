# The page of a scheduler that runs: it follows what happens, and shows how the machine was used, from its history.
. "$(dirname "$0")/page_support.sh"
. "$(dirname "$0")/live_support.sh"
command -v python3 >/dev/null || { echo "python3 is not installed: skipped"; exit 77; }

http=$(free_port $((port + 1)) 1)
configure_live "HTTPPORT $http" "HTTPSOCKET http.sock"
serve
: >out
begin
submit 'sleep 1000' >job
within 20 shown 'Active Jobs: 1' showq
# It is told of changes: a job that has come is shown without anybody asking again.
look '#queue?list=blocked'
sees 'document.getElementById("status").textContent === "0 blocked jobs"'
sees 'document.getElementById("news").textContent === "live"'
curl --silent "http://localhost:$http/metrics" | grep -q '^maui_event_streams 1' || fail "the stream is not counted"
submit --hold yes 'true' >waiting
sees "document.querySelector('table').textContent.includes('$(cat waiting)')"
# The scheduler goes and comes again, and so does the stream.  While the resource manager is silent the page says so.
sees 'document.getElementById("silent").textContent === ""'
kill -TERM "$scheduler"
ended 0
sees 'document.getElementById("news").textContent === "every half minute"'
kill -STOP "$manager"
begin
sees "document.getElementById('silent').textContent.includes(\"'local' has not reported yet\")"
kill -CONT "$manager"
sees 'document.getElementById("silent").textContent === ""'
sees 'document.getElementById("news").textContent === "live"'
expect 0 '' schedctl -s
sees "document.getElementById('silent').textContent.includes('Scheduling has been stopped since')"
expect 0 '' schedctl -r
sees 'document.getElementById("silent").textContent === ""'
wiki_rm release "$(cat waiting)" >/dev/null
sees 'document.getElementById("status").textContent === "0 blocked jobs"'
# A part of the plan that somebody looks at stays where it is when news come, and so does the focus.
sees 'location.assign("#plan?span=06:00:00") || true'
sees 'document.querySelector(".timeline rect.Running") !== null'
sees '((chart) => { chart.focus(); chart.dispatchEvent(new KeyboardEvent("keydown", {key: "+", bubbles: true})); chart.id = "same"; return true; })(document.querySelector(".timeline"))'
sees 'location.hash.startsWith("#plan?span=0:04:00:00&start=")'
sees '(window.before = location.hash) && (window.bars = document.querySelectorAll("rect.bar").length) > 0'
submit 'sleep 1000' >/dev/null
sees 'document.querySelectorAll("#same rect.bar").length > window.bars'
sees 'location.hash === window.before && document.activeElement.id === "same"'
looked

# Use, which is recorded each minute.
recorded() { showhist -m --format=json | python3 -c 'import json, sys; sys.exit(not json.load(sys.stdin)["steps"])'; }
within 90 recorded

page '#use'
has 'is not authorized to see more'
as_administrator
page '#use'
has 'aria-label="Processors in use and up'
has 'class="bar there"'
has 'class="bar Running"'
has '% in use over a week'
has '<table aria-label="Use of the machine"'
page '#use?span=-31:00:00:00'
has '% in use over a month'
kill "$forwarder"
verdict
