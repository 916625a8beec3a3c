# Many schedulers are started on one home directory at once, and files of the one that runs are
# deleted: there is never a second one, and the first goes on.
. "$(dirname "$0")/../system/live_support.sh"

seconds=${ATTACK_SECONDS:-3}
configure_live
serve
: >out
maui --foreground >>out 2>&1 &
scheduler=$!
within 60 showq
job=$(submit 'sleep 1000')
running() { shown 'State: Running' checkjob "$job"; }
within 20 running

tried=0
end=$((SECONDS + seconds))
while [ "$SECONDS" -lt "$end" ] || [ "$tried" -lt 32 ]; do  # each kind of deletion has its turn
  # What an administrator might clear away in despair.
  case $((tried / 8 % 4)) in
    0) ;;
    1) rm -f maui.pid ;;
    2) rm -f maui.sock ;;
    3) rm -f maui.pid maui.sock maui.ck.old ;;
  esac
  others=()
  for ((i = 0; i < 4; ++i)); do
    timeout 60 maui --foreground >"other.$i" 2>&1 & others+=($!)
  done
  for ((i = 0; i < 4; ++i)); do
    wait "${others[i]}"
    status=$?
    [ "$status" -eq 1 ] || fail "a second scheduler ends with $status: $(cat "other.$i")"
    grep -q 'a scheduler is already running' "other.$i" || fail "a second scheduler says: $(cat "other.$i")"
    tried=$((tried + 1))
  done
  kill -0 "$scheduler" 2>/dev/null || { fail "the first scheduler has ended"; break; }
done
# Nor in a container, where the kernel does not say who holds the lock.
if unshare --pid --fork --mount-proc --net true 2>/dev/null; then
  rm -f maui.pid
  timeout 60 unshare --pid --fork --mount-proc --net maui --foreground >other.0 2>&1
  grep -q 'a scheduler is already running' other.0 || fail "in a container, it says: $(cat other.0)"
fi
within 20 showq  # where the socket was lost it is made again
within 20 running
logged 'has been created again'
echo "other schedulers: $tried, none came up"
kill -TERM "$scheduler"
ended 0

# Of many that begin at the same moment, one comes up.
: >"log/maui.log"
others=()
for ((i = 0; i < 6; ++i)); do
  maui --foreground >"other.$i" 2>&1 & others+=($!)
done
within 60 showq
alive() {
  local count=0 one
  for one in "${others[@]}"; do kill -0 "$one" 2>/dev/null && count=$((count + 1)) && scheduler=$one; done
  [ "$count" -eq 1 ]
}
within 60 alive
[ "$(grep -c 'scheduler started' log/maui.log)" -eq 1 ] || fail "several have begun: $(grep 'scheduler started' log/maui.log)"
kill -TERM "$scheduler"
ended 0
verdict
