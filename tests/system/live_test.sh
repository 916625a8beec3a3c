# Scheduling in earnest: the real scheduler and client, and wiki_rm, which runs real processes.
. "$(dirname "$0")/live_support.sh"

: >ran
serve
configure_live
start --foreground

# Jobs run, each once, and are accounted once; more of them than there is room for.
for i in 1 2 3 4 5 6; do submit "echo $i >>$RAN; sleep 0.3" >/dev/null; done
within 30 lines_are ran 6
for i in 1 2 3 4 5 6; do within 20 recorded_once "local.$i"; done
[ "$(sort -u ran | wc -l)" -eq 6 ] || fail "some job ran twice: $(cat ran)"
within 10 shown "Active" diagnose -R

# A job's own limit ends it.
job=$(limit=1 submit 'sleep 100')
within 20 recorded_once "$job"
shown "$job.*STATE=Removed" wiki_rm jobs || fail "$job ran on past its limit"

# Holds of the resource manager and of the scheduler.
job=$(submit --hold yes "echo held >>$RAN")
within 10 shown Hold checkjob "$job"
wiki_rm release "$job" >/dev/null
within 20 grep -q held ran
job=$(submit --hold yes "echo twice-held >>$RAN")
within 10 shown Hold checkjob "$job"
expect 0 '' sethold -b "$job"
wiki_rm release "$job" >/dev/null
within 10 shown "$job.*STATE=Idle" wiki_rm jobs
expect 0 '' schedctl -R
grep -q twice-held ran && fail "a held job has run"
expect 0 '' releasehold -a "$job"
within 20 grep -q twice-held ran

# While scheduling is stopped, nothing new is known, and every reply says so.
expect 0 '' schedctl -s
submit "echo after-stop >>$RAN" >/dev/null
stopped='scheduling has been stopped since .*(schedctl, .*): what came later is not known; schedctl -r continues it'
for command in showq 'diagnose -R' 'diagnose -S' 'showq --format=json'; do expect 0 "$stopped" $command; done
expect 1 "cannot locate job 'nosuch'; $stopped" checkjob nosuch
[ -z "$(showq --format=json 2>&1 >/dev/null)" ] || fail "JSON comes with words beside it"
expect 0 '' schedctl -r
within 20 grep -q after-stop ran
! showq 2>&1 | grep -q stopped || fail "scheduling counts as stopped: $(showq 2>&1)"

# The state of a node is wiki_rm's own: a trial says the same.
for dry in '' --dry-run; do
  expect 1 "WIKI has no command to change the state of a node: use the resource manager's own" \
    mnodectl $dry -m state=drained node1
done

# Cancelled while it runs, and while it waits.
job=$(submit 'sleep 100')
within 20 shown "State: Running" checkjob "$job"
expect 0 '' canceljob "$job"
within 20 shown "$job:.*STATE=Removed" wiki_rm jobs
within 20 recorded_once "$job"
job=$(submit --hold yes 'sleep 100')
within 10 shown Hold checkjob "$job"
expect 0 '' canceljob "$job"
within 10 shown "$job:.*STATE=Removed" wiki_rm jobs
within 10 not_shown "$job" showq

# Suspended, resumed and requeued.
job=$(submit 'sleep 100')
within 20 shown "State: Running" checkjob "$job"
expect 0 '' mjobctl -s "$job"
within 10 shown "$job:.*STATE=Suspended" wiki_rm jobs
expect 0 '' mjobctl -r "$job"
within 10 shown "$job:.*STATE=Running" wiki_rm jobs
expect 0 '' mjobctl -R "$job"
within 20 shown "StartCount: 2" checkjob "$job"
expect 0 '' canceljob "$job"
within 20 recorded_once "$job"

# The scheduler is killed: the job goes on, and is not started again; holds, priorities and
# reservations stand.
job=$(submit "echo $((100)) >>$RAN; until [ -e $RAN.go ]; do sleep 0.1; done")
within 20 shown "State: Running" checkjob "$job"
held=$(submit --hold yes "echo kept-held >>$RAN")
within 10 shown Hold checkjob "$held"
expect 0 '' sethold -s "$held"
expect 0 '' setspri 77 "$held"
expect 0 '' setres -n kept -s +1:00:00 -d 600 'n.*'
crash
start --foreground
await "continuing from the checkpoint"
within 20 shown "State: Running" checkjob "$job"
wiki_rm release "$held" >/dev/null
within 10 shown "$held.*STATE=Idle" wiki_rm jobs
expect 0 'System' checkjob "$held"
expect 0 'kept' showres
expect 0 'SystemPriority:  *77\|Priority.*77' checkjob -v "$held"
expect 0 '' releaseres kept.0
expect 0 '' canceljob "$held"
touch "$RAN.go"
within 30 recorded_once "$job"
[ "$(grep -c '^100$' ran)" -eq 1 ] || fail "the job was started twice"

# The resource manager falls silent: clients are served, and it goes on afterwards.
kill -STOP "$manager"
within 30 shown "'Down'" diagnose -R
expect 0 'Processors Active' showq
kill -CONT "$manager"
within 30 shown "'Active'" diagnose -R
job=$(submit true)
within 20 recorded_once "$job"

# It is killed and comes back with nothing, and refuses the first starts then.
running=$(submit 'sleep 100')
within 20 shown "State: Running" checkjob "$running"
kill -KILL "$manager"
wait "$manager" 2>/dev/null
within 30 shown "'Down'" diagnose -R
serve --refuse-starts 2
within 30 shown "'Active'" diagnose -R
: >ran
submit "echo again >>$RAN" >/dev/null
within 40 grep -q again ran
within 10 shown 'failed: [1-9]' diagnose -R

# Refused after each deferral that DEFERCOUNT allows, a job is held until somebody releases it.
expect 0 '' changeparam DEFERCOUNT 1
kill -KILL "$manager"
wait "$manager" 2>/dev/null
within 30 shown "'Down'" diagnose -R
serve --refuse-starts 3
within 30 shown "'Active'" diagnose -R
job=$(submit "echo after-all >>$RAN")
within 40 shown 'Holds: *Batch' checkjob "$job"
expect 0 'RMReject' checkjob "$job"
within 20 grep -q 'RMReject' maui.ck || fail "a hold that the scheduler has placed is not kept"
expect 0 '' releasehold -a "$job"
within 40 grep -q after-all ran

# A file that it would not start with is refused by a running scheduler too, which keeps its link.
cp maui.cfg good.cfg
sed 's/ PORT=[0-9]*//' good.cfg >maui.cfg
expect 1 'RMCFG\[local\]: no PORT; WIKI has no default port' schedctl -R
cp good.cfg maui.cfg
expect 0 '' schedctl -R
submit "echo linked >>$RAN" >/dev/null
within 20 grep -q linked ran

# It moves to another port: that is said while the scheduler runs.  A HOST that is its name, and no
# host's, is this machine.
kill -KILL "$manager"
wait "$manager" 2>/dev/null
rm_port=$(free_port $((rm_port + 1)) 7)
serve
expect 1 'RMCFG' changeparam 'RMCFG[local]' TYPE=WIKI PORT=none
expect 0 '' changeparam 'RMCFG[local]' TYPE=WIKI HOST=local PORT="$rm_port" TIMEOUT=2 EPORT="$event_port"
within 30 shown "'Active'" diagnose -R
# A port for events that another program has only costs time; it is used as soon as it is free.
expect 0 '' changeparam 'RMCFG[local]' TYPE=WIKI HOST=local PORT="$rm_port" TIMEOUT=2 EPORT="$rm_port"
grep -q "WARNING: *resource manager 'local': cannot listen for events .* has it: it is only polled until that port is free" log/maui.log ||
  fail "the log does not name who has the port for events"
expect 0 'Event Management: *(polled only: cannot listen for events at 127\.0\.0\.1, port .* has it)' diagnose -R
expect 0 '' changeparam 'RMCFG[local]' TYPE=WIKI HOST=local PORT="$rm_port" TIMEOUT=2 EPORT="$event_port"
submit "echo moved >>$RAN" >/dev/null
within 20 grep -q moved ran
expect 0 "Event Management: *(port $event_port)" diagnose -R
expect 0 '' changeparam 'RMTIMEOUT[local]' 3
grep -q 'WARNING: *RMTIMEOUT\[local\] has no effect: RMCFG\[local\] sets TIMEOUT' log/maui.log ||
  fail "RMTIMEOUT beside RMCFG TIMEOUT is not warned of"
expect 0 '' changeparam RMPOLLINTERVAL 2
kill -TERM "$scheduler"
ended 0

# However often an ordinary user changes something, he causes ten iterations at once, and then one a second.
if [ -n "$(other_user)" ]; then
  configure_live "RESCTLPOLICY ANY" "RMPOLLINTERVAL 600" "LOGLEVEL 5"
  chmod 711 "$MAUIHOMEDIR"
  begin
  begun() { grep -c 'iteration .* begins' log/maui.log; }
  before=$(begun) since=$SECONDS
  for i in $(seq 40); do expect 0 '' as_other setres -s "+$i:00:00" -d 60 ALL; done
  most=$((12 + SECONDS - since)) times=$(($(begun) - before))
  [ "$times" -gt 0 ] || fail "an ordinary user's change causes no iteration"
  [ "$times" -le "$most" ] ||
    fail "an ordinary user's 40 changes caused $times iterations, more than $most"
  kill -TERM "$scheduler"
  ended 0
fi

# A start waits for the scheduler that is ending, here for a program of the site; one that runs
# refuses it at once.
printf '#!/bin/sh\ncd "%s"\n: >begun\nwhile [ ! -e go ]; do sleep 0.1; done\n' "$PWD" >feedback
chmod 755 feedback
configure_live "FEEDBACKPROGRAM $PWD/feedback"
for how in "schedctl -k" "kill -TERM"; do
  rm -f begun go
  begin
  expect 1 "already running here" maui --foreground
  submit true >/dev/null
  within 20 test -e begun
  if [ "$how" = "schedctl -k" ]; then
    expect 0 'shutdown immediately' schedctl -k
  else
    kill -TERM "$scheduler"
    within 20 grep -q "it waits for 1 program of the site" log/maui.log
  fi
  maui >next 2>&1 &
  next=$!
  within 20 grep -q 'is ending: waiting for that' next
  touch go
  ended 0
  wait "$next" || fail "no scheduler starts after '$how': $(cat next)"
  scheduler=$(tr -cd '0-9' <maui.pid)
  expect 0 '' showq
  kill -TERM "$scheduler"
  within 20 test ! -e maui.pid
  scheduler=
  : >log/maui.log
done
verdict
