# Neither checkpoint can be read: the scheduler looks and does nothing until that is accepted, so that
# a job on a system hold is not started behind an administrator's back.
. "$(dirname "$0")/live_support.sh"

write_notify
echo "grep -E '^Cap(Prm|Eff)' /proc/self/status >>\"\$MAUIHOMEDIR/log/capabilities\"" >>notify.sh
configure_live "NOTIFICATIONPROGRAM notify.sh" "JOBAGGREGATIONTIME 0"
sed -i 's/^LOGLEVEL .*/LOGLEVEL 5/' maui.cfg
serve
damage() { printf '!' | dd of="$1" bs=1 seek=100 conv=notrunc 2>/dev/null; }
planned_thrice() { [ "$(grep -c 'iteration .* begins' log/maui.log)" -ge 3 ]; }
begin
held=$(wiki_rm submit --hold yes --limit 600 "echo held >>$RAN")
within 10 checkjob "$held"
expect 0 '' sethold -s "$held"
expect 0 '' sethold -s "$held"
crash
damage maui.ck
damage maui.ck.old
wiki_rm release "$held" >/dev/null

# It stays so however often it is started.
for start in 1 2; do
  : >log/maui.log
  begin
  within 20 planned_thrice
  logged 'TEST: job .* would be started'
  [ ! -e ran ] || fail "start $start: the job was started"
  grep -q 'no checkpoint can be read.*accept the loss with schedctl -r' log/maui.log || fail "start $start: the log does not say what to do"
  expect 1 'no checkpoint can be read' runjob "$held"
  expect 0 'no checkpoint can be read' showq
  expect 1 'no checkpoint can be read' schedctl -r 1:00
  [ "$start" -eq 2 ] && break
  crash
done
within 10 grep -q 'CHECKPOINTFAILURE: no checkpoint can be read' log/notified
within 10 test -s log/capabilities
grep -v ':[[:space:]]*0000000000000000$' log/capabilities && fail "NOTIFICATIONPROGRAM has capabilities"

# Settings made meanwhile stand when the loss is accepted.
expect 0 '' sethold -s "$held"
other=$(wiki_rm submit --limit 600 "echo other >>$RAN")
within 10 checkjob "$other"
expect 0 '' schedctl -r
within 20 grep -q other ran
grep -q held ran && fail "a held job has run"
within 20 test -s maui.ck
[ -e maui.ck.unread.1 ] && [ -e maui.ck.old.unread.1 ] || fail "the damaged files are gone"
crash
begin
expect 0 'System' checkjob "$held"
expect 0 '' releasehold -a "$held"
within 20 grep -q held ran

# If only the newest cannot be read, the one before is used, and people are told of when that is.
within 20 test -s maui.ck.old
crash
damage maui.ck
begin
within 10 grep -q 'CHECKPOINTFAILURE: the checkpoint of .* is used, since a newer one is missing or damaged' log/notified
grep -q 'ALERT: *the checkpoint of .* is used' log/maui.log || fail "the log does not tell that an older checkpoint is used"

# If CHECKPOINTFILE is another place, to which the file was not moved, nothing is known either.
third=$(wiki_rm submit --hold yes --limit 600 "echo third >>$RAN")
within 10 checkjob "$third"
expect 0 '' sethold -s "$third"
kill -TERM "$scheduler"
ended 0
echo 'CHECKPOINTFILE elsewhere/maui.ck' >>maui.cfg
wiki_rm release "$third" >/dev/null
expect 0 "there is no checkpoint '.*/elsewhere/maui.ck', but there is '.*/maui.ck': move it there" maui --check-config
begin
grep -q "ALERT: *CHECKPOINTFILE: there is no checkpoint '.*/elsewhere/maui.ck'" log/maui.log || fail "the log does not tell where the checkpoint is"
within 10 checkjob "$third"
expect 1 'no checkpoint can be read' runjob "$third"
kill -TERM "$scheduler"
ended 0
mkdir -p elsewhere
mv maui.ck maui.ck.old elsewhere/
begin
within 10 checkjob "$third"
expect 0 'System' checkjob "$third"
wiki_rm submit --limit 600 "echo fourth >>$RAN" >/dev/null
within 20 grep -q fourth ran
crash

# Nor if both files are gone, and that of the requests since then is there.
test -e elsewhere/maui.ck.starts || fail "there is no file of requests"
mkdir aside
mv elsewhere/maui.ck elsewhere/maui.ck.old aside/
begin
grep -q "ALERT: *there is '.*maui.ck.starts', but no checkpoint" log/maui.log || fail "the log does not tell that the checkpoint is gone"
expect 1 'no checkpoint can be read' runjob "$third"
kill -TERM "$scheduler"
ended 0
mv elsewhere/maui.ck.starts aside/
cp aside/maui.ck elsewhere/maui.ck.unread.1
begin
grep -q "ALERT: *there is '.*maui.ck.unread.1', but no checkpoint" log/maui.log || fail "the log does not tell of the file that was set aside"
expect 0 '' schedctl -r
within 20 test -s elsewhere/maui.ck
kill -TERM "$scheduler"
ended 0

# A checkpoint of release 3.3 has nothing of this scheduler's: it is set aside, and jobs start.
rm -r maui.ck* elsewhere
sed -i '/^CHECKPOINTFILE/d' maui.cfg
printf '%-10s %20s %d %s\n' Sched '[NONE]' "$(date +%s)" '<sched/>' Sys MAUI "$(date +%s)" '<sys/>' >maui.ck
cp maui.ck old
: >out
: >log/maui.log
expect 0 "maui.ck' is of release 3.3 and is not read: the start renames it" maui --check-config
wiki_rm submit --limit 600 "echo fifth >>$RAN" >/dev/null
begin
within 20 grep -q fifth ran
cmp -s old maui.ck.3.3 || fail "the checkpoint of release 3.3 is gone"
for where in out log/maui.log; do
  [ "$(grep -c "is of release 3.3 and is not read: it was renamed to '.*/maui.ck.3.3'" "$where")" -eq 1 ] ||
    fail "$where does not have one line about the checkpoint of release 3.3"
done
kill -TERM "$scheduler"
ended 0
verdict
