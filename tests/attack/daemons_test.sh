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
  # Files that an administrator might clear away in despair.
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
# The home directory itself is put back from a copy: the scheduler begins anew in it, and is the only one there.
cp -a "$MAUIHOMEDIR" "$MAUIHOMEDIR.copy" && rm -rf "$MAUIHOMEDIR" && mv "$MAUIHOMEDIR.copy" "$MAUIHOMEDIR"
cd "$MAUIHOMEDIR" || exit 1
await 'has been replaced by another'
within 60 running
kill -0 "$scheduler" 2>/dev/null || fail "the scheduler has ended with its home directory"
timeout 60 maui --foreground >other.0 2>&1
grep -q 'a scheduler is already running' other.0 || fail "in the directory put back, a second scheduler says: $(cat other.0)"
kill -TERM "$scheduler"
ended 0

# If many begin at the same moment, one comes up.
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

# Another user opened the home directory while he could, and keeps its lock.
if [ -z "$(other_user)" ]; then
  echo "needs root, and programs that another user can run: the locks of strangers are left out"
  verdict
fi
configure_live "CRASHMODE RESTART"
# A process of his own holds the lock; or a child, whose parent has ended; or a program of root's, in
# the process that took it.
itself() { as_other flock --no-fork "$MAUIHOMEDIR" sleep 1000 & }
child() { as_other bash -c 'exec 9<"$MAUIHOMEDIR"; flock 9 && exec setsid sleep 1000' & }
set_user_id() { sleep 1000 | as_other flock --no-fork "$MAUIHOMEDIR" su root >/dev/null 2>&1 & }
locked() { ! flock --nonblock "$MAUIHOMEDIR" true; }
free() { ! locked; }
holders() { grep -ls "^lock:.*FLOCK.*:$(stat -c %i "$MAUIHOMEDIR") " /proc/[0-9]*/fdinfo/* 2>/dev/null | cut -d/ -f3 | sort -u; }
leave() {
  # shellcheck disable=SC2046  # a list of processes
  kill $(holders) 2>/dev/null
  within 20 free
}
goes() { [ "$(cat maui.pid 2>/dev/null)" = "$1" ] && showq; }
has_locked_home() { holders | grep -qx "$1"; }

for stranger in itself child set_user_id; do
  chmod 755 "$MAUIHOMEDIR"
  $stranger
  within 20 locked
  expect 0 'has locked the directory .*: the scheduler starts anyway' maui --check-config
  : >log/maui.log
  expect 0 '' maui
  first=$(cat maui.pid)
  within 20 showq
  logged "has locked the directory '$MAUIHOMEDIR': the scheduler runs without that lock"
  expect 1 "already running here (pid $first, command 'maui'" maui
  rm maui.pid
  expect 1 "already running here (pid $first, command 'maui'" maui
  within 20 goes "$first"
  # After a fault, the same process is still the only one.
  : >log/maui.log
  kill -SEGV "$first"
  within 20 grep -q 'continuing from the checkpoint' log/maui.log
  rm -f maui.pid
  expect 1 "already running here (pid $first, command 'maui" maui
  within 20 goes "$first"
  locked || fail "$stranger: the lock was lost"
  leave
  within 20 has_locked_home "$first"
  rm maui.pid
  expect 1 "already running here (pid $first, command 'maui" maui
  as_other test -r "$MAUIHOMEDIR" && fail "others can still open the home directory"
  as_other bash -c "exec 9<'$MAUIHOMEDIR'" 2>/dev/null && fail "others can lock the home directory"
  expect 0 'ACTIVE JOBS' as_other showq
  kill -TERM "$first"
  within 20 free
done
verdict
