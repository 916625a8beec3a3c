# Sourced by the tests: a home directory, a small machine and workload, the scheduler in it.
# Usage of a test: NAME_test.sh BIN_DIRECTORY FIRST_PORT
set -u
bin=$1
# free_port FIRST STEP: the first one that nobody listens on.  Another checkout may be testing on
# this machine.
free_port() {
  local port=$1
  while (exec 3<>"/dev/tcp/localhost/$port") 2>/dev/null; do port=$((port + $2)); done
  echo "$port"
}
port=$(free_port "$2" 50)
export TZ=UTC
unset SERVERHOST SERVERPORT CLIENTTIMEOUT MAUIPARTITION
export MAUIHOMEDIR
MAUIHOMEDIR=$(mktemp -d)
PATH=$bin:$PATH
scheduler=
failures=0

finish() {
  [ -n "$scheduler" ] && kill -KILL "$scheduler" 2>/dev/null
  rm -rf "$MAUIHOMEDIR"
}
trap finish EXIT

# A program that was not built ends the test at once: otherwise each wait for its effect would fail.
command_not_found_handle() {
  echo "FAILED: '$1' is neither built nor installed" >"/proc/$$/fd/2"
  kill -TERM $$
  return 127
}

fail() {
  echo "FAILED in line ${BASH_LINENO[-2]}, after $SECONDS s: $*"
  failures=$((failures + 1))
}

# expect STATUS PATTERN COMMAND...: its exit status, and a pattern that its output and errors hold.
expect() {
  local status=$1 pattern=$2 output got
  shift 2
  output=$("$@" 2>&1)
  got=$?
  [ "$got" -eq "$status" ] || fail "'$*' exits $got, not $status: $output"
  grep -q -- "$pattern" <<<"$output" || fail "'$*' does not say '$pattern': $output"
}

# transcribe LINE: runs the line; prints it, its output and errors, and its exit status.
transcribe() {
  local status
  echo "\$ $1"
  eval "$1" 2>"$MAUIHOMEDIR/stderr"
  status=$?
  if [ -s "$MAUIHOMEDIR/stderr" ]; then
    echo '--- stderr'
    cat "$MAUIHOMEDIR/stderr"
  fi
  echo "--- exit code $status"
}

# A log of `jobs` jobs that come a minute apart on 4 processors, each for ten minutes.
workload() {
  echo "; MaxNodes: 4"
  echo "; MaxProcs: 4"
  local job
  for job in $(seq "$1"); do
    echo "$job $((job * 60)) -1 600 1 -1 -1 1 1200 -1 1 1 1 -1 -1 -1 -1 -1"
  done
}

# The head of a maui.cfg for a scheduler that drives a resource manager.
normal_mode() {
  cat <<END
SERVERMODE       NORMAL
SERVERHOST       localhost
SERVERPORT       $port
ADMIN1           $(id -un)
END
}

configure() {
  cat >"$MAUIHOMEDIR/maui.cfg" <<END
SERVERMODE           SIMULATION
SERVERHOST           localhost
SERVERPORT           $port
ADMIN1               $(id -un)
SIMRESOURCETRACEFILE [NONE]
SIMWORKLOADTRACEFILE workload.swf
SIMJOBSSUBMISSIONPOLICY NORMAL
END
  printf '%s\n' "$@" >>"$MAUIHOMEDIR/maui.cfg"
}

# start: runs the scheduler and waits until its log says that it has started.
under=()  # what runs the scheduler
start() {
  : >"$MAUIHOMEDIR/out"
  mkdir -p "$MAUIHOMEDIR/log"
  : >"$MAUIHOMEDIR/log/maui.log"
  "${under[@]}" maui "$@" >"$MAUIHOMEDIR/out" 2>&1 &
  scheduler=$!
  if ! timeout 60 tail -n +1 --pid=$scheduler -F "$MAUIHOMEDIR/log/maui.log" 2>/dev/null |
    grep -q -m 1 'scheduler started'; then
    fail "the scheduler did not start: $(cat "$MAUIHOMEDIR/out" "$MAUIHOMEDIR/log/maui.log")"
    exit 1
  fi
}

# set_clock SECONDS: sets the clock of programs that are run as "${fake[@]}" PROGRAM, forward or back.
fake=(env "LD_PRELOAD=$bin/shifted_clock.so" "SHIFTED_CLOCK=$MAUIHOMEDIR/offset"
  "ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0")
set_clock() { echo "$1" >"$MAUIHOMEDIR/offset.new" && mv "$MAUIHOMEDIR/offset.new" "$MAUIHOMEDIR/offset"; }

# ended STATUS: waits for the scheduler and checks its exit status.
ended() {
  wait "$scheduler"
  local got=$?
  scheduler=
  [ "$got" -eq "$1" ] || fail "the scheduler exits $got, not $1: $(cat "$MAUIHOMEDIR/out")"
}

# says PATTERN TEXT: a line of the text holds the pattern.
says() { grep -q -- "$1" <<<"$2" || fail "'$1' is not said by: $2"; }

# await PATTERN: waits until the log says it.
await() {
  timeout 60 tail -n +1 --pid="$scheduler" -F "$MAUIHOMEDIR/log/maui.log" 2>/dev/null |
    grep -q -m 1 -- "$1" || fail "the log never says '$1'"
}

# Another user, who can run the programs; without one, what follows is left out.
other_user() {
  [ "$(id -u)" -eq 0 ] && command -v runuser >/dev/null &&
    runuser -u nobody -- test -x "$bin/maui" 2>/dev/null && echo nobody
}
as_other() { runuser -u nobody -- env "MAUIHOMEDIR=$MAUIHOMEDIR" "TZ=$TZ" "PATH=$PATH" "$@"; }

logged() { grep -q -- "$1" "$MAUIHOMEDIR/log/maui.log" || fail "the log does not say '$1'"; }

. "$(dirname "${BASH_SOURCE[0]}")/within.sh"
shown() { "${@:2}" 2>&1 | grep -q -- "$1"; }

# Everything there is to know about a failure that happens once.
show_circumstances() {
  echo "descriptors: $(ulimit -Sn) of $(ulimit -Hn); load: $(cat /proc/loadavg); after $SECONDS s"
  [ ! -s "$MAUIHOMEDIR/out" ] || { echo "the scheduler said:" && cat "$MAUIHOMEDIR/out"; }
  cat "$MAUIHOMEDIR/log/maui.log"
}

# The records of a job that has ended.
record_count() { cat "$MAUIHOMEDIR"/stats/stats.* 2>/dev/null | grep -c "^$1 "; }
recorded_once() { [ "$(record_count "$1")" -eq 1 ]; }

verdict() {
  [ "$failures" -eq 0 ] || show_circumstances
  exit "$failures"
}
