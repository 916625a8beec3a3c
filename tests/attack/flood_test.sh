# An administrator and an ordinary user ask all the time, while another user of the machine, or
# somebody on the network, does what he can to keep them from it: every question is answered, and the
# figures are said.
# The attackers leave one processor to the others, where there are two.
# ATTACK_SECONDS is how long each attack lasts, ATTACK_JOBS how long the queue is.
. "$(dirname "$0")/../system/support.sh"

[ -n "$(other_user)" ] || { echo "needs root, and programs that another user can run"; exit 77; }
seconds=${ATTACK_SECONDS:-1}
jobs=${ATTACK_JOBS:-1000}
as_third() { runuser -u daemon -- env "MAUIHOMEDIR=$MAUIHOMEDIR" "TZ=$TZ" "PATH=$PATH" "$@"; }

# Prints the processors that this script may use, except the first.
all_but_one() {
  local range
  for range in $(taskset -cp $$ | sed 's/.*: //; s/,/ /g'); do
    seq "${range%-*}" "${range#*-}"
  done | sed 1d | paste -sd ,
}
attackers_on=$(all_but_one)
# attack COMMAND...: runs it where attackers are to run; in a process of its own.
attack() {
  [ -z "$attackers_on" ] || taskset -cp "$attackers_on" $BASHPID >/dev/null
  "$@"
}

# A full machine and a long queue.
awk -v jobs="$jobs" 'BEGIN {
  print "; MaxNodes: 64\n; MaxProcs: 64"
  for (i = 1; i <= jobs; i++) print i, 0, -1, 360000, 1 + i % 64, -1, -1, 1 + i % 64, 400000, -1, 1, 1 + i % 50, 1, -1, -1, -1, -1, -1
}' >"$MAUIHOMEDIR/workload.swf"
http=$(free_port $((port + 1)) 50)
configure "SIMSTOPITERATION 2" "HTTPPORT $http" "CLIENTTIMEOUT 00:00:20" "SIMAUTOSHUTDOWN FALSE" "LOGLEVEL 2"
chmod 755 "$MAUIHOMEDIR"
maui --generate-key >/dev/null || fail "there is no key"
secret=$(awk '$1 == "SECRET" { print $2 }' "$MAUIHOMEDIR/maui-private.cfg")
start
within 60 showq

# try KIND [KIND]: two attackers, and meanwhile an administrator and an ordinary user who ask at the socket, somebody on the
# network who asks at the port, and somebody who looks at the page.
port_of() { [ "$1" = pages ] && echo "$http" || echo "$port"; }
try() {
  local kind pids='' run what="$*" asked=''
  if [ "$what" != none ]; then
    for kind in "$1" "${2-$1}"; do
      run=as_other
      [ "$kind" != numbers ] || run=
      attack $run attacker "$MAUIHOMEDIR" "$(port_of "$kind")" "$kind" "$seconds" >>"$MAUIHOMEDIR/attackers" &
      pids="$pids $!"
    done
  fi
  ask() { # WHO COMMAND...
    local who=$1
    shift
    "$@" >"$MAUIHOMEDIR/honest.$who" &
    asked="$asked $!:$who"
  }
  ask administrator honest "$MAUIHOMEDIR" "$seconds" showstats
  ask user as_third honest "$MAUIHOMEDIR" "$seconds" showstats
  if [ -n "$http" ]; then
    ask network as_third env HONEST_PORT="$port" HONEST_SECRET="$secret" honest "$MAUIHOMEDIR" "$seconds" showstats
    ask page as_third env HONEST_HTTP="$http" honest "$MAUIHOMEDIR" "$seconds" /health
  fi
  for run in $asked; do
    wait "${run%:*}" || fail "$what, ${run#*:}: $(cat "$MAUIHOMEDIR/honest.${run#*:}")"
    printf '%-24s %-14s %s\n' "$what" "${run#*:}" "$(cat "$MAUIHOMEDIR/honest.${run#*:}")"
  done
  # shellcheck disable=SC2086  # a list
  [ -z "$pids" ] || wait $pids
}
for kind in none silent unread partial numbers operands names questions garbage calls pages 'silent calls' 'unread calls' 'pages calls'; do
  # shellcheck disable=SC2086  # one or two
  try $kind
done
cat "$MAUIHOMEDIR/attackers"
grep -h VmHWM "/proc/$scheduler/status"

# None of it has filled the log, which still begins where it began.
logged 'scheduler started'
size=$(stat -c %s "$MAUIHOMEDIR/log/maui.log")
[ "$size" -lt 4000000 ] || fail "the log has $size bytes"
[ ! -e "$MAUIHOMEDIR/log/maui.log.1" ] || fail "the log was rolled away"
# Nor does it where everything is logged.
expect 0 '' changeparam LOGLEVEL 9
as_other attacker "$MAUIHOMEDIR" "$port" questions 2
grown=$(($(stat -c %s "$MAUIHOMEDIR/log/maui.log") - size))
[ "$grown" -lt 100000 ] || fail "the log has grown by $grown bytes at LOGLEVEL 9"
expect 0 'ACTIVE JOBS' showq
kill -TERM "$scheduler"
ended 0

# A user of half as many jobs, of a resource manager, changes all of them over and over: each change is
# on the disk before it is answered.
rm_port=$(free_port $((port + 300)) 7)
echo "jobs $((jobs / 2))" >"$MAUIHOMEDIR/mode"
bad_rm "$rm_port" "$MAUIHOMEDIR/mode" & manager=$!
trap 'kill "$manager"; finish' EXIT
cat >"$MAUIHOMEDIR/maui.cfg" <<END
$(normal_mode)
LOGLEVEL         2
RMCFG[rm]        TYPE=WIKI HOST=127.0.0.1 PORT=$rm_port AUTHTYPE=NONE
END
start --foreground
within 60 shown "Total Jobs: $((jobs / 2)) " showq
http=
try holds
held=$((jobs / 2 - 1)) # one runs
expect 0 "Blocked Jobs: $held" showq
kill -KILL "$scheduler"
wait "$scheduler" 2>/dev/null
start --foreground
within 60 shown "Blocked Jobs: $held" showq
tail -n 1 "$MAUIHOMEDIR/attackers"
grep -h VmHWM "/proc/$scheduler/status"
kill -TERM "$scheduler"
ended 0
verdict
