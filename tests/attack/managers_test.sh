# A resource manager answers endlessly, drop by drop, or rubbish, tells of ever new nodes, thousands at
# once, of jobs that each name nearly all nodes or ask for dozens of kinds of them, and of jobs whose
# names are to harm somebody; and somebody rings at EPORT all the time.  Meanwhile clients are answered, and the other resource
# manager's jobs run.
# ATTACK_SECONDS is how long each attack lasts, ATTACK_NODES how many nodes there are at once.
. "$(dirname "$0")/../system/live_support.sh"

seconds=${ATTACK_SECONDS:-2}
nodes=${ATTACK_NODES:-5000}
listed=1000 kinds=100 # nodes that hundreds of jobs exclude, and on which others ask for many kinds
[ "$nodes" -lt 20000 ] || listed=20000 kinds=500
bad_port=$(free_port $((port + 900)) 7)
configure
cat >maui.cfg <<END
$(normal_mode)
LOGLEVEL         2
RMCFG[good]      TYPE=WIKI HOST=127.0.0.1 PORT=$rm_port AUTHTYPE=NONE TIMEOUT=5 EPORT=$event_port
RMCFG[bad]       TYPE=WIKI HOST=127.0.0.1 PORT=$bad_port AUTHTYPE=NONE TIMEOUT=5
RMPOLLINTERVAL   1
JOBAGGREGATIONTIME 0
NODEPURGETIME    2
NODEACCESSPOLICY SHARED
ENABLEMULTIREQJOBS TRUE
END
: >ran
wiki_rm serve --port "$rm_port" --events "$event_port" --nodes 2 --procs 2 >rm.out &
echo fine >mode
bad_rm "$bad_port" "$MAUIHOMEDIR/mode" &
within 20 test -S "$WIKI_RM_SOCKET"
start --foreground
within 20 checknode bad1
memory() { awk '/^VmRSS/ { print $2 }' "/proc/$scheduler/status"; }

# Nothing that everybody is shown has a byte that moves a cursor.
harmless() {
  local text
  text=$(showq 2>&1; showq -i 2>&1; showq -b 2>&1; diagnose -j 2>&1; diagnose -n 2>&1; diagnose -R 2>&1; showres 2>&1)
  LC_ALL=C grep -q $'[\001-\010\013-\037\177]' <<<"$text" && fail "$1: control characters are shown"
  LC_ALL=C grep -q $'[\001-\010\013-\037\177]' log/maui.log && fail "$1: control characters are logged"
}

# try NAME: an honest client while the attack goes on, and a job of the other resource manager.
try() {
  local said job
  job=$(submit "echo $1 >>$RAN")
  said=$(honest "$MAUIHOMEDIR" "$seconds" showstats) || fail "$1: $said"
  echo "$1: $said; $(memory) kB"
  within 180 grep -q "^$1$" ran || fail "$1: the other resource manager's job does not run"
  within 180 recorded_once "$job"
  harmless "$1"
}

# Those that are failures come last: after each the manager is left alone for longer.
for mode in fine hostile "lists $listed" "kinds $kinds" "names 500" "names $nodes" closing silent slow half rubbish flood; do
  echo "$mode" >mode
  try "$mode"
done
echo fine >mode

pids=
for _ in 1 2; do
  attacker "$MAUIHOMEDIR" "$event_port" ring "$seconds" >>attackers &
  pids="$pids $!"
done
try ring
# shellcheck disable=SC2086  # a list
wait $pids
cat attackers
grep -h VmHWM "/proc/$scheduler/status"
size=$(stat -c %s log/maui.log)
[ "$size" -lt 10000000 ] || fail "the log has $size bytes"
kill -TERM "$scheduler"
ended 0
verdict
