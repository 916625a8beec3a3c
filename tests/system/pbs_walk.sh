# Sourced by tests with `family` set, torque or openpbs: the real scheduler in front of the fake PBS
# server (serve, submit), with jobs of all shapes, commands, and a server and a scheduler that are killed.
. "$(dirname "${BASH_SOURCE[0]}")/live_support.sh"

export FAKE_PBS_SOCKET=$MAUIHOMEDIR/pbs.sock

# Root is known by its ports.
auth=NONE trust=
if [ "$(id -u)" -eq 0 ]; then auth=SECUREPORT trust=vouched; fi

serve() {
  rm -f "$FAKE_PBS_SOCKET"
  fake_pbs serve "$1" "$rm_port" "$event_port" 8 4 $trust &
  manager=$!
  within 20 test -S "$FAKE_PBS_SOCKET"
}

configure_pbs() {
  configure
  cat >maui.cfg <<END
$(normal_mode)
LOGLEVEL         3
RMCFG[base]      TYPE=PBS
RMSERVER[0]      localhost
RMPORT[0]        $rm_port
RMCFG[base]      EPORT=$event_port TIMEOUT=1 AUTHTYPE=$auth
RMPOLLINTERVAL   2
NODEACCESSPOLICY SHARED
DEFERTIME        0:00:02
END
  expect 0 '' maui --check-config
}

# is JOB STATE: as the server has it; gone: it keeps nothing of jobs that have ended.
is() { fake_pbs jobs | grep -q "^$1 $2 "; }
over() { is "$1" C || ! fake_pbs jobs | grep -q "^$1 "; }
all_over() { ! fake_pbs jobs | grep -q ' [QRSH] '; }

# ask NODES PROCS: in the words of the family.
ask() {
  if [ "$family" = torque ]; then echo "nodes=$1:ppn=$2"; else echo "select=$1:ncpus=$2 place=scatter"; fi
}
submit() { fake_pbs submit "$@"; }

serve "$family"
configure_pbs
begin
within 20 shown "PBS (" diagnose -R
if [ "$auth" = SECUREPORT ]; then
  capability='^CapEff:[[:space:]]*0000000000000400$'  # CAP_NET_BIND_SERVICE
  grep -q "$capability" "/proc/$scheduler/status" || fail "the scheduler has other capabilities than it needs"
  grep -q '^CapBnd:[[:space:]]*0000000000000000$' "/proc/$scheduler/status" || fail "what it starts may have capabilities"
fi

# A job starts at once, on as many nodes as it asked for, and ends with what it returned.
# shellcheck disable=SC2046  # two words
job=$(submit $(ask 2 2) RUNS=100000)
within 20 is "$job" R
[ "$(fake_pbs nodes | grep -c used=2)" -eq 2 ] || fail "$family: $(fake_pbs nodes)"
within 20 shown "State: Running" checkjob "$job"
expect 0 '' mjobctl -s "$job"
within 20 is "$job" S
expect 0 '' mjobctl -r "$job"
within 20 is "$job" R
expect 0 '' mjobctl -R "$job"
within 20 shown "StartCount: 2" checkjob "$job"
expect 0 '' canceljob "$job"
within 20 over "$job"

# A job that the server holds waits.
# shellcheck disable=SC2046
job=$(submit $(ask 1 1) HOLDS=u RUNS=100)
within 20 shown Hold checkjob "$job"
fake_pbs release "$job" u >/dev/null
within 20 over "$job"

# A node out of service, and back.
expect 0 '' mnodectl -m state=drained n03
within 10 eval 'fake_pbs nodes | grep -q "n03 up,offline"'
expect 0 '' mnodectl -m state=idle n03
within 10 eval 'fake_pbs nodes | grep -q "n03 up used"'

# Two hundred jobs of all shapes, while the server and the scheduler are killed: each runs once.
for i in $(seq 200); do
  # shellcheck disable=SC2046
  submit $(ask $((i % 3 + 1)) $((i % 4 + 1))) RUNS=$((i % 5 * 40 + 20)) >/dev/null
  if [ "$i" = 60 ]; then fake_pbs fault silent_starts 1 >/dev/null; fi
  if [ "$i" = 100 ]; then fake_pbs fault closes_mid_reply 1 >/dev/null; fi
  if [ "$i" = 120 ]; then
    fake_pbs die >/dev/null
    sleep 0.3
    fake_pbs start >/dev/null
  fi
  if [ "$i" = 160 ]; then
    crash
    begin
  fi
done
within 60 all_over
twice=$(fake_pbs started | sort | uniq -d)
[ "$twice" = 1.srv ] || fail "other jobs than that which was requeued ran twice: $twice"
starts=$(fake_pbs started | sort -u | wc -l)
[ "$starts" -eq 202 ] || fail "of 202 jobs $starts ran"
expect 0 '' schedctl -k
wait "$scheduler"
scheduler=
kill "$manager"
wait "$manager" 2>/dev/null
verdict
