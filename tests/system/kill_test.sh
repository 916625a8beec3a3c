# The scheduler is killed again and again while jobs come, run and end, and the disk is full at times:
# each job runs once and is accounted once, and what commands were answered stands.
. "$(dirname "$0")/live_support.sh"

configure
cat >maui.cfg <<END
$(normal_mode)
LOGLEVEL         3
RMCFG[local]     TYPE=WIKI HOST=127.0.0.1 PORT=$rm_port AUTHTYPE=NONE TIMEOUT=2
RMPOLLINTERVAL   1
JOBAGGREGATIONTIME 0
JOBSYNCTIME      5
NODEACCESSPOLICY SHARED
FSPOLICY         DEDICATEDPS
END
: >ran
wiki_rm serve --port "$rm_port" --nodes 2 --procs 2 --keep 600 >rm.out &
within 20 test -S "$WIKI_RM_SOCKET"

: >out
begin
held=$(wiki_rm submit --hold yes --limit 600 "echo held >>$RAN")
within 10 checkjob "$held"
expect 0 '' sethold -s "$held"
wiki_rm release "$held" >/dev/null
expect 0 '' setres -n kept -s +1:00:00 -d 600 'node.*'

# A scheduler that is killed after it has written down a start, and before it has requested it, leaves
# a job that is requested again after JOBSYNCTIME.
all=()
for ((round = 1; round <= 6; ++round)); do
  for ((i = 0; i < 4; ++i)); do
    job=$(wiki_rm submit --limit 600 "echo \$JOBID >>$RAN; sleep 0.$((RANDOM % 10))")
    all+=("$job")
  done
  # The checkpoint cannot be written: what was there before stands.
  [ "$round" -eq 3 ] && mkdir maui.ck.new
  sleep "0.$((RANDOM % 10))"
  crash
  rmdir maui.ck.new 2>/dev/null
  sleep "0.$((RANDOM % 10))"
  begin
done

for job in "${all[@]}"; do
  within 40 recorded_once "$job" || fail "job $job is recorded $(record_count "$job") times"
  [ "$(grep -c -x "$job" ran)" -eq 1 ] || fail "job $job ran $(grep -c -x "$job" ran) times"
  told=$(cat stats/history.* | grep -c "^JOB $job ")
  [ "$told" -eq 1 ] || fail "the history has $told lines of job $job"
done
expect 0 'System' checkjob "$held"
expect 0 'kept' showres
grep -q held ran && fail "a held job has run"

# Commands that are there at once share checkpoints.
changeparam LOGLEVEL 5 >/dev/null
waiting() { [ "$(grep -c "$MAUIHOMEDIR/maui.sock" /proc/net/unix)" -gt "${1:-50}" ]; }
before=$(grep -c 'checkpoint written' log/maui.log)
kill -STOP "$scheduler"
crowd --honest 50 --within 60 setspri 7 "$held" >crowd.out & clients=$!
within 20 waiting
kill -CONT "$scheduler"
wait "$clients" || fail "$(cat crowd.out)"
counted() { wrote=$(($(grep -c 'checkpoint written' log/maui.log) - before)) && [ "$wrote" -ge 1 ]; }
within 20 counted  # the log is written when there is nothing else to do
[ "$wrote" -le 25 ] || fail "50 commands wrote $wrote checkpoints"

# It is ended while very many wait: each is answered, or told that the server has gone; none hangs,
# and what was answered stands.
expect 0 '' schedctl -s 100000I
crowd --honest 50 --silent 20 --slow 20 --within 60 setspri 8 "$held" >crowd.out & clients=$!
people=()
for ((i = 0; i < 10; ++i)); do
  timeout 60 setspri 8 "$held" >"told.$i" 2>&1 & people+=($!)
done
within 40 waiting 100
kill -TERM "$scheduler"
ended 0
for ((i = 0; i < 10; ++i)); do
  wait "${people[i]}" || grep -q 'lost connection to server\|cannot send request to server' "told.$i" ||
    fail "a client ends without an answer or a reason: $(cat "told.$i")"
done
wait "$clients"
read -r answered gone < <(sed -E 's/answered ([0-9]+) .* ms(; ([0-9]+) failed)?.*/\1 0\3/' crowd.out)
[ "$answered" -gt 0 ] && [ $((answered + 10#$gone)) -eq 50 ] || fail "somebody waits still: $(cat crowd.out)"
[ ! -e maui.sock ] && [ ! -e maui.pid ] || fail "the socket or the lock is left behind"
begin
expect 0 'SystemPriority: *8$' checkjob -v "$held"
expect 0 '' releasehold -a "$held"
within 20 grep -q held ran
within 20 recorded_once "$held"
kill -TERM "$scheduler"
ended 0

# hanging_manager NAMEURL=REQUEST...: the next scheduler has a NATIVE manager of one node, whose jobs
# are those in `queue`. Its program notes requests in `asked`; while there is a file `hangs` it
# hangs, otherwise the request takes effect and is noted in `effects`.
hanging_manager() {
  local url urls= file
  rm -rf maui.ck* tools hangs && mkdir tools
  cat >tools/manager <<'END'
#!/bin/sh
here=${0%/tools/manager}
case $1 in
  nodes) echo 'node1 STATE=Idle CPROC=4 CMEMORY=1000' ;;
  jobs) cat "$here/queue" ;;
  *)
    echo "$1 $2" >>"$here/asked"
    [ ! -e "$here/hangs" ] || exec sleep 100
    echo "$1 $2" >>"$here/effects"
    ;;
esac
END
  chmod 755 tools/manager
  for url; do urls="$urls ${url%=*}=exec://manager?${url#*=}"; done
  cat >maui.cfg <<END
$(normal_mode)
LOGLEVEL         3
RMCFG[slow]      TYPE=NATIVE TIMEOUT=120
RMCFG[slow]      CLUSTERQUERYURL=exec://manager?nodes WORKLOADQUERYURL=exec://manager?jobs
RMCFG[slow]     $urls
RMPOLLINTERVAL   1
JOBAGGREGATIONTIME 0
NODEACCESSPOLICY SHARED
END
  for file in queue asked effects; do : >"$file"; done
}

# A resource manager accepts a start and still reports the job as idle. The scheduler is killed at
# once, twice, and so is one that has waited for the answer of the start in vain: no start is
# requested again.
hanging_manager JOBSTARTURL=start
idle_job() { echo "$1 STATE=Idle UNAME=root GNAME=root TASKS=1 WCLIMIT=600 QUEUETIME=$(date +%s)" >>queue; }
begin
for name in first second third; do
  [ "$name" = third ] && : >hangs
  idle_job "$name"
  within 20 grep -q -x "start $name" asked
  crash
  begin
  within 20 shown "$name" showq -r
  sleep 3 # some polls
  crash
  begin
  within 20 shown "$name" showq -r
  sleep 2
done
[ "$(sort asked | tr '\n' ',')" = 'start first,start second,start third,' ] || fail "jobs were started again: $(cat asked)"
sed -i 's/STATE=Idle/STATE=Running TASKLIST=node1/' queue
rm -f hangs
within 20 shown '3 Active Jobs' showq

# A job that is left out of the reports and comes back has a record of each of its runs, whether the
# scheduler is killed or ends in good order meanwhile; and no run has two.
reports() { echo "back STATE=$1 UNAME=root GNAME=root TASKS=1 WCLIMIT=600 QUEUETIME=$came STARTTIME=$came TASKLIST=node1 ${2:-}" >queue; }
has_records() { [ "$(record_count back)" -eq "$1" ]; }
came=$(date +%s)
reports Running
within 20 shown back showq -r
sleep 2
: >queue
within 20 has_records 1
reports Running
within 20 shown back showq -r
sleep 2
crash
begin
within 20 shown back showq -r
sleep 2
kill -TERM "$scheduler"
ended 0
begin
within 20 shown back showq -r
reports Completed "COMPLETETIME=$(date +%s)"
within 20 has_records 2 || fail "job back has $(record_count back) records"
crash
begin
sleep 3
has_records 2 || fail "job back has $(record_count back) records after a kill"
awk '$1 == "back" { if (end && end != $11) exit 1; end = $12 }' stats/stats.* ||
  fail "the runs do not follow each other: $(grep '^back ' stats/stats.*)"
kill -TERM "$scheduler"
ended 0

# A request by command to a resource manager that hung is made again by the next scheduler, but
# no later run is requeued.
hanging_manager JOBSUSPENDURL=suspend JOBREQUEUEURL=requeue JOBMODIFYURL=modify
came=$(($(date +%s) - 60))
: >hangs
for name in anew longer paused returned; do
  echo "$name STATE=Running UNAME=root GNAME=root TASKS=1 WCLIMIT=600 QUEUETIME=$came STARTTIME=$came TASKLIST=node1"
done >queue
begin
within 20 shown '4 Active Jobs' showq
mjobctl -R anew returned >requeued & clients=$!
mjobctl -m wclimit=1200 longer >changed & clients="$clients $!"
mjobctl -s paused >suspended & clients="$clients $!"
for client in $clients; do wait "$client" || fail "a command waits for the answer and fails: $(cat requeued changed suspended)"; done
for name in anew returned longer paused; do
  grep -q "'$name': the resource manager has not answered yet" requeued changed suspended ||
    fail "no answer is told of $name: $(cat requeued changed suspended)"
done
crash
[ ! -s effects ] || fail "this was done: $(cat effects)"
rm hangs
sed -i "/^anew /s/STARTTIME=$came/STARTTIME=$(date +%s)/" queue # it was requeued, and has begun anew
begin
within 20 lines_are effects 3
sleep 2
[ "$(sort effects | tr '\n' ',')" = 'modify longer,requeue returned,suspend paused,' ] ||
  fail "this was done: $(cat effects)"
within 20 shown paused showq -b
kill -TERM "$scheduler"
ended 0
verdict
