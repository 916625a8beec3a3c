# Things that an ordinary user of the scheduler's machine cannot do (docs/security.md).
. "$(dirname "$0")/support.sh"

[ -n "$(other_user)" ] || { echo "needs root, and programs that another user can run"; exit 77; }
workload 40 >"$MAUIHOMEDIR/workload.swf"
# The lines that the log has of one user are few, so what he only looks at is not to be among them.
configure "SIMSTOPITERATION 20" "LOGLEVEL 2" "CLIENTTIMEOUT 00:01:40" "FEEDBACKPROGRAM feedback"
mkdir -m 755 "$MAUIHOMEDIR/tools"
cat >"$MAUIHOMEDIR/tools/feedback" <<'END'
#!/bin/sh
grep '^Cap' /proc/self/status >>"$MAUIHOMEDIR/capabilities"
END
chmod 755 "$MAUIHOMEDIR/tools/feedback"
chmod 755 "$MAUIHOMEDIR"
maui --generate-key >/dev/null || fail "there is no key"
secret=$(sed -n 's/^SECRET //p' "$MAUIHOMEDIR/maui-private.cfg")
maui >"$MAUIHOMEDIR/out" 2>&1 &
scheduler=$!
within 60 shown '^9 .*Running' showq  # it has come to its last iteration

# He can read the files that commands need, and none that the scheduler has written.
readable=$(as_other find "$MAUIHOMEDIR" -type f -readable -printf '%f\n' 2>/dev/null | sort | tr '\n' ' ')
[ "$readable" = "feedback maui.cfg out workload.swf " ] || fail "others can read: $readable"
[ -s "$MAUIHOMEDIR/log/maui.log" ] || fail "there is no log"
writable=$(as_other find "$MAUIHOMEDIR" ! -type l -writable -printf '%f\n' 2>/dev/null)
[ "$writable" = "maui.sock" ] || fail "others can write to: $writable"

# The queue is everybody's, a job's details are its owner's, the scheduler is its administrators'.
expect 0 'ACTIVE JOBS' as_other showq
expect 0 '"qos": *"DEFAULT"' showq --format=json
as_other showq --format=json | grep -q DEFAULT && fail "others see the QOS of a job"
expect 1 'user nobody is not authorized to check status of job' as_other checkjob 9
expect 1 'user nobody is not authorized to cancel job' as_other canceljob 9
expect 1 'user nobody is not authorized to hold job' as_other sethold 9
expect 1 'not authorized to create reservations' as_other setres -d 600 ALL
for command in 'changeparam LOGLEVEL 9' 'schedctl -k' 'showconfig -v' 'diagnose -j' 'runjob 9' 'mnodectl -m STATE=DOWN n1' \
  'showstate' 'resetstats' 'setspri 1 9' 'checknode n1' 'showgrid AVGXFACTOR'; do
  # shellcheck disable=SC2086  # a command and its arguments
  expect 1 "user 'nobody' is not authorized to run command" as_other $command
done
within 20 grep -q "schedctl refused: user 'nobody'" "$MAUIHOMEDIR/log/maui.log"

# Nobody is shown the secret, and the log does not have it.
for command in 'showconfig -v' 'schedctl -l' 'diagnose -R'; do
  # shellcheck disable=SC2086
  $command | grep -q "$secret" && fail "$command shows the secret"
done
grep -rq "$secret" "$MAUIHOMEDIR/log" "$MAUIHOMEDIR/stats" && fail "the secret is in a file"

# More connections than one user may begin: others are served, and so is he, as soon as he begins no more of them.
coproc holder { as_other crowd --honest 0 --silent 3000 --hold --within 60 showq >"$MAUIHOMEDIR/crowd"; }
holder_pid=$holder_PID holder_input=${holder[1]}
within 60 grep -q 'user nobody begins too many connections' "$MAUIHOMEDIR/log/maui.log"
expect 0 'ACTIVE JOBS' showq
within 20 as_other showq
eval "exec $holder_input>&-"
wait "$holder_pid" || fail "the crowd says: $(cat "$MAUIHOMEDIR/crowd")"

# A program of root keeps no capability, nor has any that it starts.
if [ "$(id -u)" -eq 0 ]; then
  for set in CapPrm CapEff CapBnd; do
    grep -q "^$set:[[:space:]]*0000000000000000$" "/proc/$scheduler/status" || fail "$set is not empty"
    within 20 grep -q "^$set:" "$MAUIHOMEDIR/capabilities"
  done
  grep -v ':[[:space:]]*0000000000000000$' "$MAUIHOMEDIR/capabilities" && fail "a program of the site has capabilities"
fi
kill -TERM "$scheduler"
ended 0

# Nor does any thread of one that holds a lease, which it renews without capabilities.
if [ "$(id -u)" -eq 0 ]; then
  simulation=$(cat "$MAUIHOMEDIR/maui.cfg")
  normal_mode >"$MAUIHOMEDIR/maui.cfg"
  echo 'LEASETIME 0:00:10' >>"$MAUIHOMEDIR/maui.cfg"
  echo 'RMCFG[none] TYPE=WIKI HOST=127.0.0.1 PORT=1 AUTHTYPE=NONE TIMEOUT=1' >>"$MAUIHOMEDIR/maui.cfg"
  expect 0 'is created' maui --create-lease
  chown nobody "$MAUIHOMEDIR/maui.lease"
  maui --foreground >"$MAUIHOMEDIR/out" 2>&1 &
  scheduler=$!
  within 60 showq
  as_other ls "$MAUIHOMEDIR" >"$MAUIHOMEDIR/out.ls" 2>&1 && fail "others can open the home directory, and so lock it"
  expect 0 'ACTIVE JOBS' as_other showq
  grep -q "others may no longer read the directory" "$MAUIHOMEDIR/log/maui.log" || fail "the log does not say so"
  tasks=0
  for status in /proc/"$scheduler"/task/*/status; do
    tasks=$((tasks + 1))
    for set in CapPrm CapEff CapBnd; do
      grep -q "^$set:[[:space:]]*0000000000000000$" "$status" || fail "$set of $status is not empty"
    done
  done
  [ "$tasks" -ge 2 ] || fail "no thread renews the lease"
  renewals() { sed -n 's/.* renewals \([0-9]*\) .*/\1/p' "$MAUIHOMEDIR/maui.lease"; }
  renewed_since() { [ "$(renewals)" -gt "$1" ]; }
  within 20 renewed_since "$(renewals)"
  kill -TERM "$scheduler"
  ended 0
  rm -f "$MAUIHOMEDIR"/maui.lease "$MAUIHOMEDIR"/maui.ck*
  printf '%s\n' "$simulation" >"$MAUIHOMEDIR/maui.cfg"
fi

# Where others could put a link, it does not start.
chmod 777 "$MAUIHOMEDIR"
expect 1 "may be written to by everybody" maui
chmod 755 "$MAUIHOMEDIR"
chmod 644 "$MAUIHOMEDIR/maui-private.cfg"
expect 1 'others can reach this file' maui
sed -i /SECRET/d "$MAUIHOMEDIR/maui-private.cfg"
expect 1 'others can reach' maui --generate-key
verdict
