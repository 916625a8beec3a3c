# A command that changes something is answered "done" when that is on the disk; where it cannot be, it
# is refused and has changed nothing, or says that it is not kept.
. "$(dirname "$0")/live_support.sh"

write_notify
configure_live "NOTIFICATIONPROGRAM notify.sh" "CHECKPOINTINTERVAL 0:00:01"
serve
again() { crash; begin; }
begin
jobs=()
for ((i = 0; i < 4; ++i)); do jobs+=("$(wiki_rm submit --hold yes --limit 600 true)"); done
within 10 checkjob "${jobs[3]}"
not_held() { ! checkjob "$1" | grep -q 'System'; }

# unkept WHAT PATTERN: the disk being so, commands fail with that reason and change nothing.
unkept() {
  expect 1 "nothing was changed, since it cannot be saved.*$2" sethold -s "${jobs[1]}"
  not_held "${jobs[1]}" || fail "$1: a refused command has set a hold"
  expect 1 'cannot be saved' setres -n gone -s +1:00:00 -d 600 'node.*'
  showres | grep -q gone && fail "$1: a refused command has made a reservation"
  expect 1 'cannot be saved' canceljob "${jobs[1]}"
  expect 0 "${jobs[1]}" showq
}

expect 0 '' sethold -s "${jobs[0]}"
chmod a-w .  # as where the directory is another's, or the file system read-only
unkept 'no right to write' 'Permission denied'
within 20 grep -q 'CHECKPOINTFAILURE:.*Permission denied' log/notified
chmod u+w .
expect 0 '' sethold -s "${jobs[2]}"

mv maui.ck kept.ck
mkdir maui.ck
unkept 'a directory in its place' 'not a regular file'
rmdir maui.ck
mv kept.ck maui.ck
if chattr +i maui.ck 2>/dev/null; then  # as root
  unkept 'a file that must not change' 'not permitted'
  chattr -i maui.ck
fi

if command -v prlimit >/dev/null; then
  prlimit --pid "$scheduler" --fsize=200:unlimited  # no file grows: a full disk
  unkept 'a full disk' 'space'
  prlimit --pid "$scheduler" --fsize=unlimited
fi

# Everything that was answered stands, and nothing else.
again
expect 0 'System' checkjob "${jobs[0]}"
expect 0 'System' checkjob "${jobs[2]}"
not_held "${jobs[1]}" || fail "a refused command has its effect after a restart"

# Where the site would rather go on, the answer says so.
expect 0 '' changeparam CHECKPOINTFAILURE CONTINUE
chmod a-w .
expect 0 'will be lost at a restart' sethold -s "${jobs[1]}"
expect 0 'System' checkjob "${jobs[1]}"
expect 0 '' showq
crash
chmod u+w .
begin
not_held "${jobs[1]}" || fail "a change that was said not to be kept is"
expect 0 '' changeparam CHECKPOINTFAILURE CONTINUE
sethold -s "${jobs[1]}" 2>&1 | grep -q 'will be lost at a restart' && fail "a change that is kept is said not to be"
again
expect 0 'System' checkjob "${jobs[1]}"

# The checkpoint may move, also to a directory that is not there yet, but not to a place where it
# could not be written.
expect 0 '' changeparam CHECKPOINTFILE away/maui.ck
within 10 test -s away/maui.ck
[ "$(stat -c %a away)" = 750 ] || fail "others can read the new directory"
expect 1 'maui.cfg/' changeparam CHECKPOINTFILE maui.cfg/maui.ck
echo 'CHECKPOINTFILE maui.cfg/maui.ck' >>maui.cfg
expect 1 'maui.cfg/' schedctl -R
expect 0 'CHECKPOINTFILE  *away/maui.ck' showconfig -v
expect 0 '' sethold -s "${jobs[3]}"

# No scheduler of another home directory uses it meanwhile, whatever files are deleted.
mkdir -m 711 other
there() { MAUIHOMEDIR=$PWD/other "$@"; }
sed -e '/CHECKPOINTFILE/d' -e "s/^SERVERPORT .*/SERVERPORT $(free_port $((port + 900)) 7)/" -e 's/ EPORT=.*//' maui.cfg >other/maui.cfg
cp maui-private.cfg other
cp other/maui.cfg other/own.cfg
echo "CHECKPOINTFILE $PWD/away/maui.ck" >>other/maui.cfg
ours="CHECKPOINTFILE: .*away/maui.ck' is the checkpoint of the scheduler of another home directory (pid $scheduler,"
there expect 1 "$ours" maui --foreground
grep -q "ERROR: .*does not start: $ours" other/log/maui.log || fail "the log does not say why it does not start"
there expect 1 "$ours" maui --check-config
rm -r away
there expect 1 "$ours" maui --foreground
expect 0 'already running' maui --check-config
# One that keeps no checkpoint may run beside it.
sed -i 's/^SERVERMODE .*/SERVERMODE TEST/' other/maui.cfg
there expect 0 'would start' maui --check-config
mv other/own.cfg other/maui.cfg
MAUIHOMEDIR=$PWD/other maui --foreground >other/out 2>&1 &
second=$!
within 20 there showq
there expect 1 "$ours" changeparam CHECKPOINTFILE "$PWD/away/maui.ck"
there expect 0 '' changeparam CHECKPOINTFILE kept/maui.ck
kill -TERM "$scheduler"
ended 0
there expect 0 '' changeparam CHECKPOINTFILE "$PWD/away/maui.ck"
sed -i 's,^CHECKPOINTFILE .*,CHECKPOINTFILE away/maui.ck,' maui.cfg
expect 1 "another home directory (pid $second," maui --foreground
kill -TERM "$second"
wait "$second"
verdict
