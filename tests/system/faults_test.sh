# CRASHMODE: what the scheduler does after a fault of its own, with jobs that run meanwhile.
. "$(dirname "$0")/live_support.sh"

runs() { shown "State: Running" checkjob "$1"; }
stands_still() { grep -q '^State:.*T' "/proc/$scheduler/status"; }

: >ran
serve

# RESTART: the same process goes on, with what it knew; jobs run on, and are not started again.
configure_live "CRASHMODE RESTART"
start --foreground
job=$(submit "echo one >>$RAN; sleep 8")
within 20 runs "$job"
held=$(submit --hold yes true)
within 10 shown Hold checkjob "$held"
expect 0 '' setspri 77 "$held"
kill -SEGV "$scheduler"
await "internal error: SIGSEGV"
await "continuing from the checkpoint"
within 20 runs "$job"
expect 0 '77' checkjob -v "$held"
[ "$(tr -cd '0-9' <maui.pid)" = "$scheduler" ] || fail "it is another process"
within 30 recorded_once "$job"
[ "$(wc -l <ran)" -eq 1 ] || fail "the job was started again"

# It may be changed while the scheduler runs.  STOP: it stands still until it is let go on, to its end.
expect 0 '' changeparam CRASHMODE STOP
kill -BUS "$scheduler"
within 10 stands_still
kill -CONT "$scheduler"
wait "$scheduler" 2>/dev/null && fail "it ends as if nothing had been"
scheduler=

# A scheduler that was started in the background is the same process, too.
gone() { ! kill -0 "$1" 2>/dev/null; }
began_anew() { [ "$(grep -c 'scheduler started (pid' log/maui.log)" -eq 1 ] && [ "$(cat maui.pid)" = "$1" ] && showq; }
configure_live "CRASHMODE RESTART"
expect 0 '' maui
background=$(cat maui.pid)
within 10 showq
: >log/maui.log
kill -SEGV "$background"
within 20 began_anew "$background"
words() { tr '\0' ' ' <"/proc/$background/cmdline"; }
[ "$(words)" = "maui --foreground " ] || fail "it was started with: $(words)"
: >log/maui.log
kill -SEGV "$background"
within 20 began_anew "$background"
[ "$(words)" = "maui --foreground " ] || fail "after the second fault it was started with: $(words)"

# A signal without a meaning ends nothing.
for number in ALRM VTALRM PROF IO PWR STKFLT RTMIN RTMAX; do kill -$number "$background"; done
expect 0 '' showq
kill -TERM "$background"
within 20 gone "$background"

# END, which is the default; the next one starts as ever.
configure_live
start --foreground
within 10 showq
kill -ABRT "$scheduler"
wait "$scheduler" 2>/dev/null && fail "it ends as if nothing had been"
logged "internal error: SIGABRT"
start --foreground
within 10 shown "$held" showq
kill -TERM "$scheduler"
ended 0
echo "CRASHMODE NEVER" >never.cfg
expect 1 "CRASHMODE: unknown value 'NEVER': expected END, RESTART or STOP" maui --check-config never.cfg
verdict
