# Two head nodes whose home directory is on a GlusterFS volume, of which either has a replica and a third host the last one.
# The one that schedules is killed, stopped for longer than the lease, loses its network or its power, or its mount dies,
# and the other takes over; a replica is lost, the third host's network or that of the one that stands by, and nobody takes
# over. Jobs run once each and are accounted once, and what was acknowledged stands.
# Usage: gluster_test.sh BIN_DIRECTORY FIRST_PORT [ROUNDS]
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/attack/private_gluster.sh"
need_gluster
in_private_network "$0" "$@"
. "$source/tests/attack/accounts.sh"
. "$source/tests/system/live_support.sh"

rounds=${3:-9}
gluster_up >"$lab/up.out" 2>&1
[ "$failures" -eq 0 ] || { cat "$lab/up.out"; exit 1; }

# The commands and the resource manager are outside; the schedulers reach both through their cable.
cat >maui.cfg <<END
SERVERMODE       NORMAL
SERVERHOST       g1,g2
SERVERPORT       $port
LEASETIME        8
ADMIN1           $(id -un)
LOGLEVEL         2
RMCFG[local]     TYPE=WIKI HOST=10.98.0.254 PORT=$rm_port AUTHTYPE=NONE TIMEOUT=3
RMPOLLINTERVAL   1
$(accounts_cfg)
END
at_host g1 cp "$PWD/maui.cfg" /run/home/
expect 0 'a new secret' at_host g1 env MAUIHOMEDIR=/run/home maui --generate-key
expect 0 'is created' at_host g1 env MAUIHOMEDIR=/run/home maui --create-lease
at_host g1 cat /run/home/maui-private.cfg >maui-private.cfg
chmod 600 maui-private.cfg
: >ran
: >acknowledged
wiki_rm serve --port "$rm_port" --nodes 4 --procs 4 --keep 100000 >rm.out &
within 20 test -S "$WIKI_RM_SOCKET"
socat "TCP-LISTEN:$rm_port,bind=10.98.0.254,fork,reuseaddr" "TCP:127.0.0.1:$rm_port" &

process=() # of either host
begin() { # HOST NUMBER: its scheduler stands by, or takes over
  MAUIHOMEDIR=/run/home nsenter --target "$(cat "$lab/g$1.pid")" --net --uts --mount --wdns=/ \
    maui --standby --foreground >>"out.$1" 2>&1 &
  process[$1]=$!
}
serves() { showq --host "g$1:$port"; }
stands_by() { [ "$(grep -c 'standing by' "out.$1")" -gt "$2" ]; }
begin_standby() {
  local before
  before=$(grep -c 'standing by' "out.$1")
  begin "$1"
  within 60 stands_by "$1" "$before"
}
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
generation() { at_host "g$1" tail -n 1 /run/home/maui.lease | awk '{ print $2 }'; }
renewed() { [ "$(at_host "g$1" tail -n 1 /run/home/maui.lease)" != "$2" ]; }

: >out.1
: >out.2
begin 1
within 60 serves 1
begin_standby 2
held=$(wiki_rm submit --hold yes --limit 600 "echo held >>$RAN")
within 20 checkjob "$held"
expect 0 '' sethold -s "$held"
wiki_rm release "$held" >/dev/null

# Commands are given all the time; what was said to be done is remembered.
(
  for ((n = 1; ; ++n)); do
    if setres -n "r$n" -s +10:00:00 -d 60 node1 >/dev/null 2>&1; then echo "r$n" >>acknowledged; fi
    [ -e enough ] && exit
    sleep 1
  done
) &
clients=$!

kinds=(killed 'lost its network' 'replica lost' stopped 'lost its power' 'third host lost' 'lost its mount' ended 'standby lost its network')
all=() longest=() counts=() active=1
for ((kind = 0; kind < ${#kinds[@]}; ++kind)); do longest+=(0) counts+=(0); done

# keeps_the_lease: whatever happened to another, who schedules goes on.
keeps_the_lease() {
  local line i
  for ((i = 0; i < 10; ++i)); do
    line=$(at_host "g$active" tail -n 1 /run/home/maui.lease)
    within 10 renewed "$active" "$line"
  done
}

for ((round = 1; round <= rounds; ++round)); do
  for ((i = 0; i < 3; ++i)); do
    all+=("$(wiki_rm submit --account "a$((RANDOM % 3))" --limit 600 "echo \$JOBID >>$RAN; sleep $((RANDOM % 5)).$((RANDOM % 10))")")
  done
  sleep "$((RANDOM % 2)).$((RANDOM % 10))"
  kind=$(((round - 1) % ${#kinds[@]}))
  took="" old=${process[active]} other=$((3 - active)) expected=75 takes_over=1 generation=$(generation "$active")
  counts[kind]=$((counts[kind] + 1))
  before=$(milliseconds)
  case ${kinds[kind]} in
    killed) kill -KILL "$old"; expected=137 ;;
    'lost its network') pull_cable "g$active" ;;
    stopped) kill -STOP "$old" ;;
    'lost its power') pull_cable "g$active"; kill -KILL "$old"; kill_at "g$active" gluster; expected=137 ;;
    'lost its mount') kill_at "g$active" 'glusterfs .*/run/home' ;;
    ended) kill -TERM "$old"; expected=0 ;;
    'replica lost') takes_over=0; kill_at "g$active" 'glusterfsd\|glusterd'; keeps_the_lease; at_host "g$active" glusterd ;;
    'third host lost') takes_over=0; pull_cable g3; keeps_the_lease; plug_cable g3 ;;
    'standby lost its network') takes_over=0; pull_cable "g$other"; keeps_the_lease; plug_cable "g$other" ;;
  esac
  if [ $takes_over -eq 1 ]; then
    within 90 serves "$other"
    took=$(($(milliseconds) - before))
    [ "$took" -le "${longest[kind]}" ] || longest[kind]=$took
    case ${kinds[kind]} in
      'lost its network') plug_cable "g$active" ;;
      stopped) kill -CONT "$old" ;;
      'lost its power') plug_cable "g$active"; at_host "g$active" glusterd; remount_home "g$active" ;;
      'lost its mount') remount_home "g$active" ;;
    esac
    wait "$old" 2>/dev/null
    status=$?
    [ "$status" -eq "$expected" ] || fail "round $round (${kinds[kind]}): the old one ends with $status, not $expected: $(tail -3 "out.$active")"
    within 60 all_healed
    begin_standby "$active"
    active=$other
  else
    within 60 all_healed
    [ "$(generation "$active")" = "$generation" ] || fail "round $round (${kinds[kind]}): generation $(generation "$active") after $generation"
  fi
  [ -z "${VERBOSE-}" ] || echo "round $round: ${kinds[kind]}, ${took:-}, generation $(generation "$active"), after $SECONDS s"
  [ "$failures" -lt 5 ] || break
done
: >enough
wait "$clients"

mkdir -p "$lab/seen"
within 30 mount -t glusterfs -o "attribute-timeout=0,entry-timeout=0,auto-invalidation=on,log-file=$lab/seen.log" g3:/home "$lab/seen"
outside=$PWD
cd "$lab/seen" || exit 1
recorded() { cat stats/stats.* | awk '$0 !~ /^#/ && NF > 20 { print $1 }' | sort | uniq -c; }
all_recorded() { [ "$(recorded | wc -l)" -eq "${#all[@]}" ]; }
within $((60 + ${#all[@]})) all_recorded || fail "$(recorded | wc -l) of ${#all[@]} jobs are recorded"
recorded | awk '$1 != 1' | grep . && fail "these jobs are recorded more than once"
[ "$(sort "$RAN" | uniq | wc -l)" -eq "${#all[@]}" ] || fail "$(sort "$RAN" | uniq | wc -l) of ${#all[@]} jobs ran"
sort "$RAN" | uniq -d | grep . && fail "these jobs ran more than once"
grep -q held "$RAN" && fail "a held job has run"
expect 0 'System' checkjob "$held"
showres >"$outside/reservations"
while read -r name; do
  grep -q "^ *$name\b" "$outside/reservations" || fail "reservation $name was acknowledged, and is lost"
done <"$outside/acknowledged"
[ -s "$outside/acknowledged" ] || fail "no command was acknowledged"
told_alike command
for ((kind = 0; kind < ${#kinds[@]}; ++kind)); do
  echo "${kinds[kind]}: ${counts[kind]}, the longest took ${longest[kind]} ms"
done
echo "jobs: ${#all[@]}, each once; acknowledged reservations: $(wc -l <"$outside/acknowledged"), all there; processor seconds: $told"
cd "$outside" || exit 1
mkdir -p log
cp "$lab/seen/log/maui.log" log/
cat out.1 out.2 >out
umount -l "$lab/seen"
[ -z "${KEEP-}" ] || cp -r "$lab/g1/log" "$lab/g2/log" out.1 out.2 log "$KEEP"
kill -TERM "${process[@]}"
verdict
