# The scheduler in front of etc/native/example/tiny_rm, a resource manager in one file: jobs run once
# and where they were sent, commands are carried out, and programs that fail or hang cost nothing.
. "$(dirname "$0")/live_support.sh"
example=$(cd "$(dirname "$0")/../../etc/native/example" && pwd)/tiny_rm
tiny=$MAUIHOMEDIR/tiny
[ "$(wc -l <"$example")" -lt 60 ] || fail "the example has grown"

# A copy that can be made to fail: it does what the file `ill` says before its own.
mkdir tools
cat >tools/rm <<END
#!/bin/sh
[ ! -e "$MAUIHOMEDIR/ill.\$1" ] || . "$MAUIHOMEDIR/ill.\$1"
deed=\$1
shift
exec "$example" "$tiny" "\$deed" "\$@"
END
chmod 755 tools/rm
ill() { printf '%s\n' "$2" >"ill.new" && mv ill.new "ill.$1"; }
well() { rm -f "ill.$1"; }

configure
cat >maui.cfg <<END
$(normal_mode)
LOGLEVEL         3
RMCFG[tiny]      TYPE=NATIVE TIMEOUT=2
RMCFG[tiny]      CLUSTERQUERYURL=exec://rm?nodes WORKLOADQUERYURL=exec://rm?jobs
RMCFG[tiny]      JOBSTARTURL=exec://\$TOOLSDIR/rm?start JOBCANCELURL=exec://rm?cancel
RMCFG[tiny]      JOBREQUEUEURL=exec://rm?requeue JOBSUSPENDURL=exec://rm?suspend
RMCFG[tiny]      JOBRESUMEURL=exec://rm?resume JOBMODIFYURL=exec://rm?modify NODEMODIFYURL=exec://rm?node
RMPOLLINTERVAL   1
NODEACCESSPOLICY SHARED
DEFERTIME        0:00:02
JOBSYNCTIME      0:00:05
END
expect 0 '' maui --check-config
sed '/JOBSTARTURL/d' maui.cfg >other.cfg
expect 0 'has no JOBSTARTURL' maui --check-config -C "$PWD/other.cfg"
rm other.cfg
submit() { "$example" "$tiny" submit "$@"; }
is() { "$example" "$tiny" jobs | grep -q "^$1 STATE=$2 "; }
begin
within 20 shown 'NATIVE' diagnose -R

# A job runs where it was sent, and is suspended, requeued and cancelled.
job=$(submit -n 2 -t 600 'sleep 300')
within 20 is "$job" Running
within 20 shown 'State: Running' checkjob "$job"
expect 0 '' mjobctl -s "$job"
within 20 is "$job" Suspended
within 20 shown 'State: Suspended' checkjob "$job"
expect 0 '' mjobctl -r "$job"
within 20 is "$job" Running
waits=$(submit -n 4 -t 600 true)
within 20 shown 'State: Idle' checkjob "$waits"
expect 0 '' mjobctl -m wclimit=1200 "$waits"
within 20 grep -q '^1200$' "$tiny/jobs/$waits/limit"
expect 0 '' canceljob "$waits"
within 20 is "$waits" Removed
expect 0 '' mjobctl -R "$job"
within 30 shown 'StartCount: 2' checkjob "$job"
within 20 is "$job" Running
expect 0 '' canceljob "$job"
within 20 is "$job" Removed
within 20 recorded_once "$job"

# The lines by which a program keeps out a scheduler that has been replaced, as the page has them.
awk '/^```sh/ { inside = 1; next } /^```/ { inside = 0 } inside' "$(dirname "$0")/../../docs/resource-managers.md" |
  sed "s,/var/spool/adapter,$PWD," >compare
grep -q 'has asked since' compare || fail "the page is not read"
for generation in 3 4 4; do MAUI_GENERATION=$generation expect 0 '' sh ./compare; done
MAUI_GENERATION=3 expect 1 'generation 3 of the lease is over: generation 4 has asked since' sh ./compare
expect 0 '' sh ./compare # a scheduler without a lease, after which another pair counts from one
MAUI_GENERATION=1 expect 0 '' sh ./compare

# A node that is taken out of service takes no job.
expect 0 '' mnodectl -m state=drained tiny1
within 20 test -e "$tiny/drained.tiny1"
job=$(submit -n 2 true)
within 20 is "$job" Completed
[ "$(cat "$tiny/jobs/$job/hosts")" = tiny2,tiny2 ] || fail "it ran on $(cat "$tiny/jobs/$job/hosts")"
expect 0 '' mnodectl -m state=idle tiny1
within 20 eval '! test -e "$tiny/drained.tiny1"'

# One whose program does not take it out of service goes on taking jobs, and the command says so.
ill node 'echo "no way"; exit 1'
expect 1 "cannot change node 'tiny1': .*/rm exited with status 1: no way" mnodectl -m state=drained tiny1
expect 0 'State: *Idle' checknode tiny1
well node

# A command whose program fails, or hangs, fails, and the job goes on.
job=$(submit -t 600 'sleep 300')
within 20 shown 'State: Running' checkjob "$job"
for deed in cancel suspend requeue modify; do ill $deed 'echo "not yours"; exit 3'; done
said='.*/rm exited with status 3: not yours'
expect 1 "cannot cancel job '$job': $said" canceljob "$job"
expect 1 "cannot suspend job '$job': $said" mjobctl -s "$job"
expect 1 "cannot requeue job '$job': $said" mjobctl -R "$job"
expect 1 "cannot change job '$job': $said" mjobctl -m wclimit=1200 "$job"
expect 0 'WallTime: .* of *00:10:00' checkjob "$job"
ill cancel 'sleep 100'
expect 1 'not known whether that was done: .*longer than 2000 ms' canceljob "$job"
expect 0 'State: Running' checkjob "$job"
for deed in cancel suspend requeue modify; do well $deed; done
expect 0 '' canceljob "$job"
within 20 recorded_once "$job"
expect 0 '' setres -n pause ALL
job=$(submit true)
within 20 shown 'State: Idle' checkjob "$job"
ill start 'echo "no licence"; exit 75'
expect 1 "cannot start job '$job': .*/rm exited with status 75: no licence" runjob -x "$job"
expect 0 'State: Idle' checkjob "$job"
ill start 'sleep 100'
expect 1 "the request to start job '$job' was not answered.* known whether that was done: .*longer than 2000 ms" runjob -x "$job"
within 30 shown 'State: Idle' checkjob "$job"
well start
expect 0 '' releaseres pause.0
within 30 is "$job" Completed

# The example calls its nodes idle whatever runs there: they take jobs until they are full.
four=
for i in 1 2 3 4; do
  job=$(submit -t 600 'sleep 300') four="$four $job"
  within 20 shown 'State: Running' checkjob "$job"
done
for job in $four; do expect 0 '' canceljob "$job"; done
for job in $four; do within 20 recorded_once "$job"; done

# A start that is refused says why, and is made later.
ill start 'echo "the licence server sleeps"; exit 75'
job=$(submit true)
within 20 shown 'the licence server sleeps' checkjob "$job"
within 20 shown 'the licence server sleeps' diagnose -R
well start
within 30 is "$job" Completed

# A start that hangs is no failed start; others of it are asked again.
ill start 'rm -f "'"$MAUIHOMEDIR"'/ill.start"; sleep 100'
job=$(submit true)
within 20 shown 'cannot tell whether job .* was started' cat log/maui.log
within 30 is "$job" Completed
within 20 recorded_once "$job"

# A query that fails, hangs, or tells half: what runs stays, and nothing is lost.
long=$(submit -t 600 'sleep 300')
within 20 is "$long" Running
within 20 shown 'State: Running' checkjob "$long"
ill jobs 'echo "the master is away" >&2; exit 1'
within 20 shown 'the master is away' diagnose -R
expect 0 'State: Running' checkjob "$long"
ill jobs 'sleep 100'
within 20 shown 'longer than 2000 ms' diagnose -R
expect 0 'State: Running' checkjob "$long"
ill jobs 'echo "WARNING: no list today"; exit 0'
within 40 shown 'invalid line' cat log/maui.log
expect 0 'State: Running' checkjob "$long"
well jobs
within 60 shown 'it answers again' cat log/maui.log

# Forty jobs, while the scheduler is killed: each runs once.  The program looks at all of them each
# time, so the next scheduler has more patience with it.
sed -i 's/TIMEOUT=2$/TIMEOUT=20/' maui.cfg
echo "echo x >>$RAN" >work
for i in $(seq 40); do
  submit -n $((i % 2 + 1)) -t 60 "sh $MAUIHOMEDIR/work" >/dev/null
  [ "$i" != 20 ] || { crash; begin; }
done
within 240 lines_are "$RAN" 40
within 20 shown 'State: Running' checkjob "$long"
# With the thirteen before; the long one still runs.
all_recorded() { [ "$(cat stats/stats.* | awk 'NF == 44 && !/^#/' | wc -l)" -eq 51 ]; }
within 90 all_recorded
lines_are "$RAN" 40 || fail "$(wc -l <"$RAN") of 40 jobs ran"
expect 0 '' canceljob "$long"
within 20 is "$long" Removed

# A scheduler that is to end finishes its iteration: a job that it starts is started.
ill start 'touch "'"$MAUIHOMEDIR"'/starting"; sleep 3'
job=$(submit -t 600 'sleep 300')
within 20 test -e starting
expect 0 '' schedctl -k
ended 0
is "$job" Running || fail "the start of job $job was cut short"
"$example" "$tiny" cancel "$job"
verdict
