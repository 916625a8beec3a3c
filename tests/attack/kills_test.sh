# The scheduler is killed again and again while jobs come, run and end: fairshare, charges and
# statistics equal the sum of the jobs' records, to the second, and each job has run once.
# ATTACK_SECONDS is how long that goes on.
. "$(dirname "$0")/accounts.sh" # before the test goes to its home directory
. "$(dirname "$0")/../system/live_support.sh"

seconds=${ATTACK_SECONDS:-5}
configure
cat >maui.cfg <<END
$(normal_mode)
LOGLEVEL         2
RMCFG[local]     TYPE=WIKI HOST=127.0.0.1 PORT=$rm_port AUTHTYPE=NONE TIMEOUT=5
RMPOLLINTERVAL   1
JOBSYNCTIME      0:00:30 # an unconfirmed start is settled after that: a WIKI server may answer from older knowledge
$(accounts_cfg)
END
: >ran
: >out
wiki_rm serve --port "$rm_port" --nodes 4 --procs 4 --keep 100000 >rm.out &
within 20 test -S "$WIKI_RM_SOCKET"
begin() {
  maui --foreground >>out 2>&1 &
  scheduler=$!
}
killed() {
  kill -KILL "$scheduler"
  wait "$scheduler" 2>/dev/null
}

kills=0 all=()
end=$((SECONDS + seconds))
begin
while [ "$SECONDS" -lt "$end" ]; do
  for ((i = 0; i < 3; ++i)); do
    all+=("$(wiki_rm submit --account "a$((RANDOM % 3))" --limit 600 "echo \$JOBID >>$RAN; sleep $((RANDOM % 3)).$((RANDOM % 10))")")
  done
  # Half of the time it comes to know something first.
  [ $((RANDOM % 2)) -eq 0 ] || within 60 showq
  sleep "0.0$((RANDOM % 10))"
  killed
  kills=$((kills + 1))
  begin
done
within 60 showq

recorded() { cat stats/stats.* | awk '$0 !~ /^#/ && NF > 20 { print $1 }' | sort | uniq -c; }
all_recorded() { [ "$(recorded | wc -l)" -eq "${#all[@]}" ]; }
within $((60 + ${#all[@]})) all_recorded || fail "$(recorded | wc -l) of ${#all[@]} jobs are recorded"
recorded | awk '$1 != 1' | grep . && fail "these jobs are recorded more than once"
[ "$(sort ran | uniq | wc -l)" -eq "${#all[@]}" ] || fail "$(sort ran | uniq | wc -l) of ${#all[@]} jobs ran"
sort ran | uniq -d | grep . && fail "these jobs ran more than once"

told_alike
echo "kills: $kills; jobs: ${#all[@]}, each once; processor seconds: $told"
kill -TERM "$scheduler"
ended 0
verdict
