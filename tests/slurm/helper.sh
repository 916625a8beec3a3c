# Sourced by tests: a private Slurm with the helper process before it, and what the helper says.
failures=0
slurm=

. "$(dirname "${BASH_SOURCE[0]}")/../system/within.sh"

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

finish() {
  slurm_down
  [ -n "${helper-}" ] && kill -KILL "$helper" 2>/dev/null && wait "$helper" 2>/dev/null
  rm -rf "${work-}"
}
trap finish EXIT

# start_helper BIN NODES PORT [OPTION...]
start_helper() {
  local bin=$1 nodes=$2 port=$3
  shift 3
  work=$(mktemp -d)
  chmod 755 "$work"
  slurm_up "$nodes" "$work/slurm" "$port"
  mkfifo "$work/requests" "$work/replies"
  "$bin/ask_helper" "$bin/maui-rm-slurm" --events "$MAUI_SLURM_EVENTS" "$@" \
    <"$work/requests" >"$work/replies" 2>"$work/helper.err" &
  helper=$!
  exec 8>"$work/requests" 9<"$work/replies"
}

# ask REQUEST: sets `reply`.
ask() {
  echo "$1" >&8
  IFS= read -r -t 60 -u 9 reply || reply="no reply: $(cat "$work/helper.err")"
}

# record JOB: what is told of it, without its name; empty if nothing is.
record() {
  ask "CMD=GETJOBS ARG=0:$1"
  reply=${reply#*"#$1:"}
}

state_is() {
  record "$1"
  [[ $reply == STATE=$2\;* ]] || fail "job $1 is not $2 (line ${BASH_LINENO[0]}): $reply"
}

holder_is() {
  record "$1"
  [[ $reply == STATE=*Hold\;* && $reply == *"held by $2 "* ]] ||
    fail "job $1 is not held by $2 (line ${BASH_LINENO[0]}): $reply"
}

# await_ready JOB: waits, and nothing keeps it from being started.
await_ready() {
  local tries
  for ((tries = 0; tries < 200; ++tries)); do
    record "$1"
    [[ $reply == STATE=Idle\;* && $reply != *WAITREASON=* ]] && return
    sleep 0.1
  done
  fail "job $1 cannot be started (line ${BASH_LINENO[0]}): $reply"
}

# await_state JOB STATE [SECONDS]
await_state() {
  local tries
  for ((tries = 0; tries < ${3-20} * 10; ++tries)); do
    record "$1"
    [[ $reply == STATE=$2\;* ]] && return
    sleep 0.1
  done
  fail "job $1 does not become $2 (line ${BASH_LINENO[0]}): $reply"
}

# says TEXT: the last record holds it.
says() { [[ $reply == *"$1"* ]] || fail "no '$1' (line ${BASH_LINENO[0]}) in: $reply"; }

# start JOB TASKLIST
start() {
  ask "CMD=STARTJOB ARG=$1 TASKLIST=$2"
  [[ $reply == SC=0* ]] || fail "job $1 is not started on $2 (line ${BASH_LINENO[0]}): $reply"
}

# refused PATTERN REQUEST
refused() {
  ask "$2"
  [[ $reply == SC=-* && $reply == *"$1"* ]] || fail "'$2' is not refused with '$1': $reply"
}

# field JOB NAME: as scontrol shows it
field() { scontrol show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -1; }

# Nothing that waits has a priority by which Slurm would start it.
no_priority() {
  local open
  open=$(squeue -h -t pending -O jobid,prioritylong | awk '$2 != 0')
  [ -z "$open" ] || fail "these pass the gate (line ${BASH_LINENO[0]}): $open"
}

verdict() {
  [ "$failures" -eq 0 ] || cat "$work/helper.err" "$slurm/slurmctld.log"
  exit "$((failures > 0))"
}
