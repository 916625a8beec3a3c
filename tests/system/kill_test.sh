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
verdict
