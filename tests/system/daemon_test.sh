# The scheduler as a process: lock, user, modes, signals, reload, end.
. "$(dirname "$0")/support.sh"

workload 20 >"$MAUIHOMEDIR/workload.swf"

# What keeps it from starting, one clear line each.
expect 2 "unknown option '-Z'" maui -Z
expect 0 'maui server version' maui --version
configure "SERVERMODE NORMAL"
expect 1 'needs a resource manager' maui
configure "NOSUCHPARAMETER 1"
expect 1 'maui.cfg:8: ' maui
configure "ADMIN1 nobody-at-all"
expect 1 "must run as user 'nobody-at-all'" maui
configure "SIMWORKLOADTRACEFILE nosuch.swf"
expect 1 'nosuch.swf' maui

# A whole simulation ends by itself, with the summary, and leaves its records.
configure
start
ended 0
[ -s "$MAUIHOMEDIR/out" ] || fail "there is no summary"
[ "$(grep -c -v -e '^#' -e '^VERSION' "$MAUIHOMEDIR/stats/stats.sim")" -eq 20 ] ||
  fail "stats.sim does not hold 20 records"
[ ! -S "$MAUIHOMEDIR/maui.sock" ] || fail "the socket is left behind"

# Stopped: it waits for clients and signals.
configure "SIMSTOPITERATION 1"
start
expect 1 "already running here (pid $scheduler," maui
kill -USR1 "$scheduler"
expect 0 '' schedctl -S
logged 'LOGLEVEL is now 1'
echo "BACKFILLPOLICY NOSUCH" >>"$MAUIHOMEDIR/maui.cfg"
kill -HUP "$scheduler"
expect 1 'maui.cfg:9: ' schedctl -R
logged 'every value stays as it was'
configure "SIMSTOPITERATION 1"
expect 0 '' schedctl -R
kill -TERM "$scheduler"
ended 0
logged 'signal 15 received'

# A killed scheduler leaves nothing that keeps the next one from starting.
start
kill -KILL "$scheduler"
wait "$scheduler" 2>/dev/null
start
expect 0 'ACTIVE JOBS' showq
kill -INT "$scheduler"
ended 0
verdict
