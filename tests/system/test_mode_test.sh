# SERVERMODE TEST looks and touches nothing: neither the jobs nor the accounts of the scheduler
# beside it.
. "$(dirname "$0")/live_support.sh"

: >ran
for program in feedback trigger; do
  printf '#!/bin/sh\necho "%s $*" >>"%s"\n' "$program" "$PWD/told" >"$program"
  chmod 755 "$program"
done
: >told
# What the old scheduler writes: a window of fairshare of release 3.3, and records of today.
today=$(($(date +%s) / 86400 * 86400))
records=stats.$(date +%Y_%m_%d)
mkdir stats
printf 'USER root 4000.00\nTOTAL 9000.00\n' >"stats/FS.$today"
echo "# the old scheduler's" >"stats/$records"
as_before() {
  [ "$(ls stats)" = "$(printf '%s\n' "FS.$today" "$records")" ] ||
    fail "TEST makes files in STATDIR: $(ls stats)"
  [ "$(cat "stats/FS.$today")" = "$(printf 'USER root 4000.00\nTOTAL 9000.00')" ] ||
    fail "TEST writes fairshare: $(cat "stats/FS.$today")"
  [ "$(cat "stats/$records")" = "# the old scheduler's" ] ||
    fail "TEST writes records: $(cat "stats/$records")"
  [ ! -s told ] || fail "TEST runs programs: $(cat told)"
}

wiki_rm serve --port "$rm_port" --nodes 2 --procs 2 >rm.out &
within 20 test -S "$WIKI_RM_SOCKET"
configure_live "SERVERMODE TEST" "RMCFG[local] AUTHTYPE=NONE" "FEEDBACKPROGRAM $PWD/feedback" "CHECKPOINTINTERVAL 1" \
  "FSPOLICY DEDICATEDPS" "FSINTERVAL 24:00:00" "FSDEPTH 7" "FSWEIGHT 1" "FSUSERWEIGHT 1" \
  "USERCFG[root] FSTARGET=30" \
  "SRCFG[night] HOSTLIST=node1 PERIOD=INFINITY TRIGGER=create+0:00:00;exec@$PWD/trigger"
job=$(submit "echo tested >>$RAN; sleep 2")
start --foreground
await "TEST: job '$job' would be started"
await "TEST: trigger of reservation 'night.0.0': exec $PWD/trigger would be run"
expect 0 'would be started now, but the scheduler only looks' checkjob "$job"
expect 1 'nothing is started or changed' canceljob "$job"
expect 1 'showhist: no history is kept in SERVERMODE TEST' showhist
grep -q tested ran && fail "TEST has started a job"

# A job that the other scheduler runs: it counts for what commands show, but not for the accounts.
ask_rm "CMD=STARTJOB ARG=$job TASKLIST=node2" >/dev/null
within 20 grep -q tested ran
within 20 shown '"completed_jobs": *1,' showstats --format=json
expect 0 '^root' diagnose -f
as_before
expect 0 '' changeparam STATDIR elsewhere
[ ! -e elsewhere ] || fail "TEST makes a STATDIR: $(ls -R elsewhere)"
kill -TERM "$scheduler"
ended 0
as_before

# In the background: the command comes back when the scheduler is ready, or says why it is not.
configure_live "SERVERMODE TEST"
expect 0 '' maui
within 20 test -s maui.pid
scheduler=$(tr -cd '0-9' <maui.pid)
expect 1 "already running here" maui
expect 0 'Processors Active' showq
kill -TERM "$scheduler"
within 20 test ! -S maui.sock
scheduler=
verdict
