# Descriptors run short, and then memory: what runs goes on, and nothing is lost.
. "$(dirname "$0")/../system/live_support.sh"

[ -n "$(other_user)" ] || { echo "needs root, and programs that another user can run"; exit 77; }
seconds=${ATTACK_SECONDS:-2}
bad_port=$(free_port $((port + 900)) 7)
descriptors=90
# As the scheduler is started from a shell that may open few files.
maui() {
  ulimit -n "$descriptors"
  exec "$bin/maui" "$@"
}
serve
configure_live "CHECKPOINTINTERVAL 0:00:01" "CLIENTTIMEOUT 0:00:05" "NODEPURGETIME 1:00:00" \
  "RMCFG[bad] TYPE=WIKI HOST=127.0.0.1 PORT=$bad_port AUTHTYPE=NONE TIMEOUT=20"
chmod 755 "$MAUIHOMEDIR"
: >ran
echo fine >mode
bad_rm "$bad_port" "$MAUIHOMEDIR/mode" &
start --foreground
within 20 checknode bad1
expect 0 kept setres -n kept -s +10:00:00 -d 1:00:00 ALL

# Descriptors: connections that nobody needs take none of those for resource managers, checkpoint
# and log.
for _ in 1 2 3; do
  as_other attacker "$MAUIHOMEDIR" "$port" unread "$seconds" >>attackers &
  as_other attacker "$MAUIHOMEDIR" "$port" silent "$seconds" >>attackers &
done
written() { [ maui.ck -nt "$1" ]; }
for round in 1 2 3; do
  job=$(submit "echo $round >>$RAN")
  touch "round$round"
  within 20 grep -q "^$round$" ran
  within 20 written "round$round"
  open=$(find "/proc/$scheduler/fd" -mindepth 1 2>/dev/null | wc -l)
  echo "round $round: job $job ran, $open descriptors of $descriptors"
  [ "$open" -le $((descriptors - 40)) ] || fail "$open descriptors are open"
done
said=$(honest "$MAUIHOMEDIR" "$seconds" showstats) || fail "$said"
echo "$said"
grep -i 'too many open files\|cannot accept' log/maui.log && fail "descriptors have run out"

# Memory.  With a sanitizer a program has terabytes of addresses, and ends where it gets no more.
grep -q asan "/proc/$scheduler/maps" && { echo "without shortage of memory: a sanitizer is in use"; verdict; }
allow() { prlimit --pid "$scheduler" --as="$1:"; }
# The memory that it gets beyond what it has, in MB; no less than it needs to start anew.
allow_more() {
  local size needed=98304
  size=$(($(awk '/^VmSize/ { print $2 }' "/proc/$scheduler/status") + $1 * 1024))
  allow $(((size > needed ? size : needed) * 1024))
}

# The reserve is given back, and nothing is begun until it can be put aside again.
allow_more 8
echo "names 2000" >mode
await 'memory is short: no iteration begins'
echo fine >mode
expect 0 'ACTIVE JOBS' showq
expect 1 'short of memory' as_other showq
allow unlimited
await 'there is enough memory again'
within 20 as_other showq
job=$(submit "echo again >>$RAN")
within 20 grep -q again ran

# More than the reserve at once: it begins anew from its checkpoint, in the same process.
allow_more 8
: >log/maui.log
echo "once 100000" >mode
await 'the scheduler restarts from its checkpoint'
allow unlimited
await 'continuing from the checkpoint'
within 20 showq
expect 0 kept showres
job=$(submit "echo anew >>$RAN")
within 20 grep -q anew ran

# More than there is, and anew at once: it ends, and says why.  The next start has all again.
allow_more 8
: >log/maui.log
echo "names 400000" >mode
ended 1
says 'there is not enough memory' "$(cat out)"
says 'the scheduler ends' "$(cat log/maui.log)"
echo fine >mode
begin
expect 0 kept showres
job=$(submit "echo last >>$RAN")
within 20 grep -q last ran
verdict
