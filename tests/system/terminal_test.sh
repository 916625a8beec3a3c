# A terminal that is closed ends the simulation in it in order: no abort, no reload.
. "$(dirname "$0")/support.sh"
command -v script >/dev/null || exit 77

workload 20 >"$MAUIHOMEDIR/workload.swf"
configure "SIMSTOPITERATION 1"
mkdir -p "$MAUIHOMEDIR/log"
: >"$MAUIHOMEDIR/log/maui.log"
cd "$MAUIHOMEDIR" || exit 1
maui --generate-key >/dev/null
# The terminal stays as long as there is something to read from the pipe.
mkfifo input
script -qec 'maui; echo $? >status' /dev/null <input >/dev/null &
scheduler=$!
exec 4>input
await 'scheduler started'
expect 0 'ACTIVE JOBS' showq
exec 4>&-
kill -KILL "$scheduler"
wait "$scheduler" 2>/dev/null
scheduler=
within 60 grep -q 'the terminal was closed' log/maui.log
within 60 test -s log/maui.log
within 60 eval '! showq'
grep -q 'the configuration was reloaded' log/maui.log && fail "the configuration was read again"
grep -qi 'abort\|terminate called' log/maui.log && fail "it was aborted"
verdict
