# Two schedulers of one home directory, as on two hosts that mount it: the one that has the lease is
# killed, stopped for longer than the lease, kept from writing, ended, or its disk hangs for longer than
# the lease, again and again, while jobs come, run and end, and commands are given.  The other takes
# over each time, and what the one before asks for late is refused; each job runs once and is accounted
# once; what was acknowledged stands; statistics, fairshare and charges equal those of one scheduler that
# was never interrupted: the sum of the jobs' records.  At last its disk is slow, and it is kept from the
# resource manager but not from the lease.
# Usage: takeovers_test.sh BIN_DIRECTORY FIRST_PORT [TAKEOVERS]
. "$(dirname "$0")/accounts.sh" # before the test goes to its home directory
. "$(dirname "$0")/../system/live_support.sh"

takeovers=${3:-5}
ports=("$port" "$(free_port $((port + 100)) 50)")
configure
cat >maui.cfg <<END
SERVERMODE       NORMAL
SERVERHOST       localhost:${ports[0]},localhost:${ports[1]}
SERVERPORT       $port
LEASETIME        2
ADMIN1           $(id -un)
LOGLEVEL         2
RMCFG[local]     TYPE=WIKI HOST=127.0.0.1 PORT=$rm_port AUTHTYPE=NONE TIMEOUT=5
RMPOLLINTERVAL   1
$(accounts_cfg)
END
expect 0 'a new secret' maui --generate-key
expect 0 'is created' maui --create-lease
: >ran
: >acknowledged
wiki_rm serve --port "$rm_port" --nodes 4 --procs 4 --keep 100000 >rm.out &
within 20 test -S "$WIKI_RM_SOCKET"

process=() # of either host
begin() { # HOST: its scheduler stands by, or takes over
  LD_PRELOAD=$bin/cut_off.so CUT_OFF=$PWD/cut.$1 ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0 \
    maui --standby --foreground --host "localhost:${ports[$1]}" --port "${ports[$1]}" >>"out.$1" 2>&1 &
  process[$1]=$!
  scheduler=${process[$1]}
}
# Through the network: the socket in the home directory is that of whoever bound it last.
ask() { "$@" --keyfile maui-private.cfg; }
serves() { showq --keyfile maui-private.cfg --host "localhost:${ports[$1]}"; }
stands_by() { [ "$(grep -c 'standing by' "out.$1")" -gt "$2" ]; }
begin_standby() { # HOST
  local before
  before=$(grep -c 'standing by' "out.$1")
  begin "$1"
  within 60 stands_by "$1" "$before"
}
generation() { tail -n 1 maui.lease | awk '{ print $2 }'; }
milliseconds() { echo $(($(date +%s%N) / 1000000)); }

: >out.0
: >out.1
begin 0
within 60 serves 0
begin_standby 1
held=$(wiki_rm submit --hold yes --limit 600 "echo held >>$RAN")
within 20 ask checkjob "$held"
expect 0 '' ask sethold -s "$held"
wiki_rm release "$held" >/dev/null

# Commands are given all the time; what was said to be done is remembered.
(
  for ((n = 1; ; ++n)); do
    if ask setres -n "r$n" -s +10:00:00 -d 60 node1 >/dev/null 2>&1; then echo "r$n" >>acknowledged; fi
    [ -e enough ] && exit
    sleep 1
  done
) &
clients=$!

all=() longest=0 counts=(0 0 0 0 0) active=0
for ((round = 1; round <= takeovers; ++round)); do
  for ((i = 0; i < 2; ++i)); do
    all+=("$(wiki_rm submit --account "a$((RANDOM % 3))" --limit 600 "echo \$JOBID >>$RAN; sleep $((RANDOM % 3)).$((RANDOM % 10))")")
  done
  sleep "0.$((RANDOM % 10))"
  old=${process[active]} other=$((1 - active))
  how=$(((round - 1) % 5))
  [ "$takeovers" -le 5 ] || how=$((RANDOM % 5))
  counts[how]=$((counts[how] + 1))
  before=$(milliseconds)
  case $how in
    0) kill -KILL "$old" ;;
    1) kill -STOP "$old" ;;
    2) prlimit --pid "$old" --fsize=0 ;; # it can write nothing any more, the lease included
    3) kill -TERM "$old" ;;
    4) : >"cut.$active.disk" ;;
  esac
  within 60 serves "$other"
  took=$(($(milliseconds) - before))
  [ "$took" -le "$longest" ] || longest=$took
  [ "$took" -le 10000 ] || fail "takeover $round ($how) took $took ms"
  expect 0 'SC=-700 .*of the lease is over' ask_rm "CMD=STARTJOB ARG=$held GENERATION=$(($(generation) - 1)) TASKLIST=node1"
  [ "$how" -ne 1 ] || kill -CONT "$old"
  rm -f "cut.$active.disk" # what it had begun to write is written late
  wait "$old" 2>/dev/null
  status=$?
  case $how in
    0) expected=137 ;;
    1 | 2 | 4) expected=75 ;;
    3) expected=0 ;;
  esac
  [ "$status" -eq "$expected" ] || fail "takeover $round ($how): the old one ends with $status, not $expected: $(tail -3 "out.$active")"
  begin_standby "$active"
  active=$other
  scheduler=${process[active]}
  [ "$failures" -lt 5 ] || break
done

# A disk that is slow, but not too slow, is no reason to take over.
renewed() { [ "$(tail -n 1 maui.lease)" != "$1" ]; }
before=$(generation)
echo 50 >"cut.$active.disk"
for ((i = 0; i < 20; ++i)); do
  line=$(tail -n 1 maui.lease)
  within 10 renewed "$line"
done
all+=("$(wiki_rm submit --account a1 --limit 600 "echo \$JOBID >>$RAN")")
slow=${all[-1]}
ran() { grep -q -x "$slow" ran; }
within 60 ran
rm "cut.$active.disk"
[ "$(generation)" = "$before" ] || fail "a slow disk made somebody take over: generation $(generation) after $before"

# One that reaches the lease but not the resource manager decides nothing, answers, and keeps the lease;
# who ends it has the other take over.
python3 -c '
import socket, time
mute = socket.create_server(("127.0.0.1", 0))
print(mute.getsockname()[1], flush=True)
time.sleep(100000)' >mute.port &
mute=$!
within 20 test -s mute.port
echo "$rm_port $(cat mute.port)" >"cut.$active.net"
is_silent() { [ "$(grep -c 'no answer from' log/maui.log)" -gt "$1" ]; }
silences=$(grep -c 'no answer from' log/maui.log)
within 60 is_silent "$silences"
all+=("$(wiki_rm submit --account a1 --limit 600 "echo \$JOBID >>$RAN")")
slow=${all[-1]}
within 60 is_silent $((silences + 2))
ran && fail "a job was started by a scheduler that does not reach the resource manager"
expect 0 '' ask setres -n cut -s +10:00:00 -d 60 node1
echo cut >>acknowledged
[ "$(generation)" = "$before" ] || fail "the lease is lost with the resource manager"
kill -TERM "${process[active]}"
wait "${process[active]}"
rm "cut.$active.net"
kill "$mute"; wait "$mute"
active=$((1 - active))
scheduler=${process[active]}
within 60 serves "$active"
within 60 ran
begin_standby $((1 - active))
scheduler=${process[active]}
: >enough
wait "$clients"

[ "${counts[1]}" -eq 0 ] || grep -q 'this scheduler ends and writes nothing more' out.0 out.1 ||
  fail "nobody says why it ended"
recorded() { cat stats/stats.* | awk '$0 !~ /^#/ && NF > 20 { print $1 }' | sort | uniq -c; }
all_recorded() { [ "$(recorded | wc -l)" -eq "${#all[@]}" ]; }
within $((60 + ${#all[@]})) all_recorded || fail "$(recorded | wc -l) of ${#all[@]} jobs are recorded"
recorded | awk '$1 != 1' | grep . && fail "these jobs are recorded more than once"
[ "$(sort ran | uniq | wc -l)" -eq "${#all[@]}" ] || fail "$(sort ran | uniq | wc -l) of ${#all[@]} jobs ran"
sort ran | uniq -d | grep . && fail "these jobs ran more than once"
grep -q held ran && fail "a held job has run"
expect 0 'System' ask checkjob "$held"
ask showres >reservations
while read -r name; do
  grep -q "^ *$name\b" reservations || fail "reservation $name was acknowledged, and is lost"
done <acknowledged
[ -s acknowledged ] || fail "no command was acknowledged"

told_alike ask
echo "takeovers: $((round - 1)): killed ${counts[0]}, stopped ${counts[1]}, kept from writing ${counts[2]}, ended ${counts[3]}, disk hung ${counts[4]}; the longest took $longest ms; jobs: ${#all[@]}, each once; acknowledged reservations: $(wc -l <acknowledged), all there; processor seconds: $told"

kill -TERM "${process[1 - active]}"
wait "${process[1 - active]}"
kill -TERM "$scheduler"
ended 0
verdict
