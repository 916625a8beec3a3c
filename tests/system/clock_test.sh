# The machine's clock is set forward by a day and back by an hour while jobs run: polls, reservations
# and clients go on, and no job is ended for a limit that it has not run.
. "$(dirname "$0")/live_support.sh"

set_clock 86400
[ $(($("${fake[@]}" date +%s) - $(date +%s))) -gt 80000 ] || fail "the clock cannot be set"
set_clock 0

# The resource manager keeps its own time, and no seal that has one.
configure_live "JOBAGGREGATIONTIME 0" "JOBMAXOVERRUN 0" "RMCFG[local] AUTHTYPE=NONE"
wiki_rm serve --port "$rm_port" --events "$event_port" --nodes 2 --procs 2 --keep 600 >rm.out &
manager=$!
within 20 test -S "$WIKI_RM_SOCKET"
: >out
mkdir -p log
begin() {
  "${fake[@]}" maui --foreground >>out 2>&1 &
  scheduler=$!
  within 20 showq
}
begin
runs() { shown 'State: Running' checkjob "$1"; }
runs_on() { for _ in 1 2 3 4; do sleep 1; runs "$1" || fail "$2: job $1 runs no longer"; done; }
said() { [ "$(grep -c "ALERT:.*clock was set $1" log/maui.log)" -eq "$2" ]; }

long=$(submit 'exec sleep 1000')  # killed with its job, it would be init's to reap
within 20 runs "$long"
expect 0 '' setres -n kept -s +30:00:00 -d 600 node2
start_of() { showres --format=json 2>/dev/null | tr ',{' '\n\n' | grep '"start"' | sort | tail -n 1; }
kept=$(start_of)
[ -n "$kept" ] || fail "no reservation is shown"

set_clock 86400
within 20 said forward 1
runs_on "$long" forward
next=$(submit "echo forward >>$RAN")
within 20 grep -q forward ran
set_clock 0
within 20 said back 1
set_clock -3600
within 20 said back 2
runs_on "$long" back
submit "echo back >>$RAN" >/dev/null
within 20 grep -q back ran
[ "$(start_of)" = "$kept" ] || fail "the reservation has moved: $kept, $(start_of)"
said forward 1 && said back 2 || fail "a step is told of more than once"
within 20 grep -q "time limits are enforced again" log/maui.log

# While no scheduler runs it is set as well.
kill -KILL "$scheduler"
wait "$scheduler" 2>/dev/null
set_clock 90000
begin
within 20 said forward 2
runs_on "$long" 'set forward before the start'

# It is set while no scheduler runs, and the next one is killed before it has heard from its manager: the
# third one knows that the second one knew of it.
kill -STOP "$manager"
kill -KILL "$scheduler"
wait "$scheduler" 2>/dev/null
set_clock 180000
touch before
"${fake[@]}" maui --foreground >>out 2>&1 &
scheduler=$!
within 20 said forward 3
within 20 test maui.ck -nt before
kill -KILL "$scheduler"
wait "$scheduler" 2>/dev/null
kill -CONT "$manager"
begin
runs_on "$long" 'set forward before two starts'
said forward 3 || fail "a step is applied at two starts"

# It is set while the manager is waited for, and the scheduler ends before it has noticed.
expect 0 '' changeparam LOGLEVEL 4
iterations() { grep -c 'iteration [0-9]* begins' log/maui.log; }
kill -STOP "$manager"
before=$(iterations)
waits() { [ "$(iterations)" -gt "$before" ]; }
within 20 waits
set_clock 270000
kill -TERM "$scheduler"
ended 0
kill -CONT "$manager"
begin
within 20 said forward 4
runs_on "$long" 'set forward while the manager was waited for'

# It is adjusted by a second at a time, and the scheduler is restarted in between: together this is a step.
noted() { grep -c 'WARNING: *the machine.s clock was set forward by [345] seconds' log/maui.log; }
for by in 1 2 3 4; do
  set_clock $((270000 + by))
  expect 0 '' showq  # before a client is served, the clock is looked at
  [ "$by" -gt 1 ] || [ "$(noted)" -eq 0 ] || fail "an adjustment by a second is noted as a step"
  kill -TERM "$scheduler"
  ended 0
  begin
done
expect 0 '' showq
[ "$(noted)" -ge 1 ] || fail "adjustments that add up to a step are noted as none"
runs_on "$long" 'adjusted at four starts'

# Between two looks a signal is logged with the time at which it came.
expect 0 '' changeparam RMPOLLINTERVAL 1:00:00
set_clock 360000
kill -USR1 "$scheduler"
within 20 grep -q "^$("${fake[@]}" date +%m/%d).*LOGLEVEL is now 4" log/maui.log
kill -USR2 "$scheduler"
expect 0 '' changeparam RMPOLLINTERVAL 1

# The records tell what was run.
expect 0 '' canceljob "$long"
within 20 recorded_once "$long"
seconds=$(cat stats/* | awk -v job="$long" '$1 == job { print $30 }' | cut -d. -f1)
[ "$seconds" -ge 8 ] && [ "$seconds" -le 110 ] || fail "job $long is recorded with $seconds processor seconds"
within 20 recorded_once "$next"
kill -TERM "$scheduler"
ended 0

# It starts while the clock is ahead: once the clock is right, it cannot tell which messages are new, and
# commands from other hosts answer its challenges.
expect 0 'wrote a new secret to' maui --generate-key
from_afar() { "${fake[@]}" "$@" --host=localhost --keyfile="$PWD/maui-private.cfg"; }
challenges() { grep -c 'is sent a challenge: it' log/maui.log; }
set_clock 400000
begin
expect 0 '' from_afar changeparam LOGLEVEL 4
grep -q "maui.seen' is begun anew" log/maui.log || fail "a list of messages is begun anew without a word"
set_clock 0
before=$(challenges)
expect 0 '' from_afar showq
[ "$(challenges)" -gt "$before" ] || fail "what may be a repetition is accepted"
expect 0 '' from_afar changeparam LOGLEVEL 5
kill -TERM "$scheduler"
ended 0
begin
expect 0 '' from_afar showq
kill -TERM "$scheduler"
ended 0

# The list of messages is lost, and the clock is right: the checkpoint knows up to when messages counted.
rm maui.seen
begin
grep -q "maui.seen' is begun anew: for 4:1[45]:[0-9:]*, commands" log/maui.log || fail "messages of the time that was ahead may count again"
before=$(challenges)
expect 0 '' from_afar showq
[ "$(challenges)" -gt "$before" ] || fail "what may be a repetition is accepted after the list was lost"
kill -TERM "$scheduler"
ended 0
verdict
