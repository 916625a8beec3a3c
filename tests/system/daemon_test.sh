# The scheduler as a process: lock, user, modes, signals, reload, end.
. "$(dirname "$0")/support.sh"

workload 20 >"$MAUIHOMEDIR/workload.swf"

# The reasons that keep it from starting, one clear line each.
expect 2 "unknown option '-Z'" maui -Z
[ "$(maui -Z 2>&1 | sed 1d)" = "Try 'maui --help'." ] || fail "it does not say where to look: $(maui -Z 2>&1)"
expect 0 'maui server version' maui --version
expect 0 'built with .*Boost' maui --version
configure "SERVERMODE NORMAL"
expect 1 'needs a resource manager' maui
configure "NOSUCHPARAMETER 1"
expect 1 'maui.cfg:8: ' maui
configure "ADMIN1 nobody-at-all"
expect 1 "must run as user 'nobody-at-all'" maui
configure "SIMWORKLOADTRACEFILE nosuch.swf"
expect 1 'nosuch.swf' maui
configure
expect 1 'limit of 30 open files and connections (ulimit -n) is too low: expected at least 64' bash -c 'ulimit -n 30; exec maui'
expect 1 'limit of 64 kB of stack (ulimit -s) is too low: expected at least 1024 kB' bash -c 'ulimit -s 64; exec maui'
# With the sanitizers, it is not even loaded.
if ! maui --version | grep -q sanitizers; then
  expect 1 'limit of 32768 kB of data (ulimit -d) is too low: expected at least 65536 kB' bash -c 'ulimit -d 32768; exec maui'
  expect 1 'limit of 60000 kB of address space (ulimit -v) is too low: expected at least 98304 kB' bash -c 'ulimit -v 60000; exec maui'
  expect 1 'limit of 8192 kB of data (ulimit -d) is too low: expected at least 65536 kB' bash -c 'ulimit -d 8192; exec maui'
fi
mkdir -m 777 "$MAUIHOMEDIR/everybodys"
cp "$MAUIHOMEDIR"/*.cfg "$MAUIHOMEDIR/workload.swf" "$MAUIHOMEDIR/everybodys"
expect 1 "everybodys' may be written to by everybody" maui -C "$MAUIHOMEDIR/everybodys/maui.cfg"
rm -r "$MAUIHOMEDIR/everybodys"

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
rm "$MAUIHOMEDIR/maui.pid"
expect 1 "already running here (pid $scheduler, command 'maui'" maui
expect 0 'ACTIVE JOBS' showq
rm "$MAUIHOMEDIR/maui.sock"
within 20 showq
kill -USR1 "$scheduler"
expect 0 '' schedctl -S
logged 'LOGLEVEL is now 1'
for level in 0 2; do  # it is 0 in maui.cfg; a reload that does not change it leaves it as it stands
  kill -USR1 "$scheduler"
  within 60 eval 'showconfig | grep -q "^LOGLEVEL  *[123]"'
  expect 0 '' schedctl -R
  expect 0 '^LOGLEVEL  *[123]' showconfig
  expect 0 'parameters modified' changeparam LOGLEVEL "$level"
  expect 0 "^LOGLEVEL  *$level" showconfig -v
done
echo "BACKFILLPOLICY NOSUCH" >>"$MAUIHOMEDIR/maui.cfg"
kill -HUP "$scheduler"
expect 1 'maui.cfg:9: ' schedctl -R
logged 'all values are unchanged'
configure "SIMSTOPITERATION 1"
expect 0 '' schedctl -R
kill -TERM "$scheduler"
ended 0
logged 'signal 15 received'

# Started without standard streams it gives their numbers to nothing else.
maui <&- >&- 2>&- &
scheduler=$!
within 60 showq
for stream in 0 1 2; do
  [ "$(readlink "/proc/$scheduler/fd/$stream")" = /dev/null ] || fail "$stream is $(readlink "/proc/$scheduler/fd/$stream")"
done
kill -TERM "$scheduler"
ended 0

# A killed scheduler leaves nothing that keeps the next one from starting.
start
kill -KILL "$scheduler"
wait "$scheduler" 2>/dev/null
start
expect 0 'ACTIVE JOBS' showq
kill -INT "$scheduler"
ended 0

# A file that is no socket is not deleted for the sake of one.
echo 'notes of somebody' >"$MAUIHOMEDIR/maui.sock"
wrong="maui.sock': there is a file that is not a socket, which is left alone"
expect 1 "$wrong" maui
logged "ERROR: *the scheduler does not start: .*$wrong"
expect 1 "$wrong" maui --check-config
[ "$(cat "$MAUIHOMEDIR/maui.sock")" = 'notes of somebody' ] || fail "a file at maui.sock is gone"
rm "$MAUIHOMEDIR/maui.sock"
start
rm "$MAUIHOMEDIR/maui.sock"
echo 'notes of somebody' >"$MAUIHOMEDIR/maui.sock"
await "ALERT: .*$wrong"
expect 1 "$wrong" maui --check-config
rm "$MAUIHOMEDIR/maui.sock"
await 'has been created again'
expect 0 'ACTIVE JOBS' showq
kill -TERM "$scheduler"
ended 0
verdict
