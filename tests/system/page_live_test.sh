# The page of a scheduler that runs: how the machine was used, from its history.
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
recorded() { showhist -m --format=json | python3 -c 'import json, sys; sys.exit(not json.load(sys.stdin)["steps"])'; }
within 90 recorded

page '#use'
has 'is not authorized to see more'
as_administrator
page '#use'
has 'aria-label="Processors in use and there'
has 'class="bar there"'
has 'class="bar Running"'
has '% in use over a week'
has '<table aria-label="Use of the machine"'
page '#use?span=-31:00:00:00'
has '% in use over a month'
kill "$forwarder"
verdict
