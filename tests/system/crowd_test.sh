# Very many clients at once, some of them slow, silent or mad, while a large machine is scheduled.
# CROWD is how many; a fifth of them are no good.
. "$(dirname "$0")/support.sh"

crowd=${CROWD:-100}
bad=$((crowd / 5))

# 20,000 nodes, and jobs that come all the time; an iteration a minute of the simulation's time.
awk 'BEGIN {
  print "; MaxNodes: 20000\n; MaxProcs: 20000"
  for (i = 1; i <= 20000; i++) print i, i, -1, 600, 1 + i % 40, -1, -1, 1 + i % 40, 900, -1, 1, 1 + i % 50, 1, -1, -1, -1, -1, -1
}' >"$MAUIHOMEDIR/workload.swf"
configure "SIMAUTOSHUTDOWN FALSE" "SIMTIMERATIO 0" "RMPOLLINTERVAL 00:01:00" "CLIENTTIMEOUT 00:00:05"
maui --generate-key >/dev/null || fail "there is no key"
start


for way in "" "--port $port"; do
  # shellcheck disable=SC2086  # a flag and its value
  expect 0 "answered $((crowd - bad)) of $((crowd - bad))," \
    crowd $way --honest $((crowd - bad)) --silent $((bad / 2)) --slow $((bad / 2)) --within 60 showq
done

# Each of them again and again, beside clients who talk nonsense.
expect 0 "answered 500 of 500," \
  crowd --port "$port" --honest 50 --requests 10 --garbage $bad --within 60 showstats -u
# The log has them, but not more of them than anybody reads.
grep -c 'refused' "$MAUIHOMEDIR/log/maui.log" | grep -qx '[1-9][0-9]\{0,2\}' || fail "refused clients fill the log"
expect 0 'ACTIVE JOBS' showq
kill -TERM "$scheduler"
ended 0
verdict
