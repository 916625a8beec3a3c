# The scheduler in front of a real Grid Engine of its own, by etc/native/gridengine: jobs of all shapes run once
# and where they were sent, in the gaps too, and commands are carried out, whoever is killed meanwhile.
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/native/private_gridengine.sh"
in_private_network "$0" "$@"
. "$source/tests/system/live_support.sh"
gridengine_up 3 >"$gridengine/up.out" 2>&1
{
  environment smp '$pe_slots'
  environment mpi '$round_robin'
  environment fill '$fill_up'
  environment fill_2 2
  environment odd '$fill_up'
  environment pair 2
  queue batch 'ge1 ge2 ge3' 4 INFINITY
  queue short ge3 2 0:10:0
} >>"$gridengine/up.out" 2>&1

# The adapter, and where it starts what.
mkdir tools
cat >tools/ge <<END
#!/bin/sh
[ "\$1" != start ] || echo "\$2 \$3" >>"$MAUIHOMEDIR/starts"
exec "$source/etc/native/gridengine" PATH="$PATH" SGE_ROOT="$SGE_ROOT" SGE_CELL=test SGE_QMASTER_PORT=25200 \
  SGE_EXECD_PORT=25201 "\$@"
END
chmod 755 tools/ge
configure
cat >maui.cfg <<END
SERVERMODE       NORMAL
SERVERHOST       localhost
SERVERPORT       $port
ADMIN1           $(id -un)
LOGLEVEL         3
RMCFG[ge]        TYPE=NATIVE TIMEOUT=15
RMCFG[ge]        CLUSTERQUERYURL=exec://ge?nodes WORKLOADQUERYURL=exec://ge?jobs
RMCFG[ge]        JOBSTARTURL=exec://ge?start JOBCANCELURL=exec://ge?cancel JOBREQUEUEURL=exec://ge?requeue
RMCFG[ge]        JOBSUSPENDURL=exec://ge?suspend JOBRESUMEURL=exec://ge?resume
RMCFG[ge]        JOBMODIFYURL=exec://ge?modify NODEMODIFYURL=exec://ge?node
RMPOLLINTERVAL   1
NODEACCESSPOLICY SHARED
BACKFILLPOLICY   FIRSTFIT
DEFERTIME        0:00:02
JOBSYNCTIME      0:00:05
END

# What each run of a job notes: its name, and the host of each of its slots.
cat >noted <<END
#!/bin/sh
[ "\$SGE_TASK_ID" = undefined ] || JOB_ID=\$JOB_ID.\$SGE_TASK_ID
if [ -r "\$PE_HOSTFILE" ]; then
  hosts=\$(awk '{ for (i = 0; i < \$2; ++i) print \$1 }' "\$PE_HOSTFILE" | sort | paste -sd,)
else
  hosts=\$(hostname)
fi
echo "\$JOB_ID \$hosts" >>"$RAN"
exec "\$@"
END
chmod 755 noted . "$MAUIHOMEDIR"
: >"$RAN" && chmod 666 "$RAN"
submit() { # OPTIONS... -- COMMAND...
  local options=()
  while [ "$1" != -- ]; do options+=("$1") && shift; done
  qsub -terse -cwd -b y -j y -o /dev/null -l h_rt=600 "${options[@]}" "$MAUIHOMEDIR/noted" "${@:2}" | cut -d. -f1
}
is() { shown "State: $2" checkjob "$1"; }
ran() { grep -q "^$1 $2\$" "$RAN"; }

begin || exit 1
# The qmaster takes up to a minute to find all its nodes.
within 90 shown 'of *12 Processors' showq

# A wide job waits for one that runs; a small one runs beside it, one that would hold it up does not.
first=$(submit -pe mpi 8 -- sleep 600)
within 20 is "$first" Running
wide=$(submit -pe mpi 12 -- true)
small=$(submit -l h_rt=300 -- true)
late=$(submit -l h_rt=3600 -- true)
within 20 ran "$small" 'ge[123]'
within 20 shown "^$late .*Idle" showq
ran "$late" '.*' && fail "job $late ran before job $wide"
within 10 is "$wide" Idle
expect 0 '' canceljob "$first"
within 20 ran "$wide" ge1,ge1,ge1,ge1,ge2,ge2,ge2,ge2,ge3,ge3,ge3,ge3
within 20 ran "$late" 'ge[123]'

# What a user asks of queues, and layouts that Grid Engine can be trusted with.
job=$(submit -q 'short,batch@ge2' -- sleep 600)
within 20 is "$job" Running
ran "$job" 'ge[23]' || fail "it ran on $(grep "^$job " "$RAN")"
two=$(submit -pe fill 6 -- true)
within 20 ran "$two" ge1,ge1,ge2,ge2,ge3,ge3
job2=$(submit -pe odd 6 -- true)
within 20 shown 'without a odd_N' checkjob "$job2"
expect 0 '' canceljob "$job2"

# Commands.
expect 0 '' mjobctl -s "$job"
within 20 is "$job" Suspended
expect 0 '' mjobctl -r "$job"
within 20 is "$job" Running
expect 0 '' mjobctl -R "$job"
within 30 shown 'StartCount: 2' checkjob "$job"
within 20 is "$job" Running
expect 0 '' canceljob "$job"
held=$(submit -h -- true)
within 20 shown 'Holds: *User' checkjob "$held"
expect 0 '' mjobctl -m wclimit=1200 "$held"
within 20 shown 'h_rt=1200' qstat -j "$held"
qhold -h o "$held" >/dev/null
qrls -h u "$held" >/dev/null
within 20 shown 'Holds: *System' checkjob "$held"
qrls -h o "$held" >/dev/null
within 20 ran "$held" 'ge[123]'

# A node that is taken out of service takes no job; an order of jobs, and a time to begin.
expect 0 '' mnodectl -m state=drained ge1
within 20 shown '^ge1 STATE="Drained"' tools/ge nodes
before=$(submit -pe smp 4 -- sleep 1)
after=$(submit -pe pair 4 -hold_jid "$before" -a "$(date -d '+3 seconds' +%Y%m%d%H%M.%S)" -- true)
within 20 shown "waits for job $before" checkjob "$after"
within 30 ran "$after" ge2,ge2,ge3,ge3
expect 0 '' mnodectl -m state=idle ge1
within 20 shown '^ge1 STATE="Idle"' tools/ge nodes

# A hundred jobs of all shapes, while the qmaster and the scheduler are killed.
qconf -mattr queue slots 8 batch >/dev/null
long=$(submit -- sleep 600)
within 20 is "$long" Running
begun=$(wc -l <"$RAN") recorded=$(grep -c '^[0-9]' <(cat stats/stats.*))
for i in $(seq 18); do
  for shape in '' '-pe smp 3' '-pe mpi 2' '-pe pair 2'; do
    # shellcheck disable=SC2086  # several words
    submit $shape -N "n$i" -- true >/dev/null
  done
done
submit -t 1-20 -tc 3 -- true >/dev/null
submit -t 1-15:2 -pe mpi 2 -- true >/dev/null
some_ran() { [ "$(wc -l <"$RAN")" -gt "$begun" ]; }
within 20 some_ran
kill_qmaster
within 40 shown 'GET[A-Z]*:' diagnose -R
expect 0 'State: Running' checkjob "$long"
within 20 start_qmaster
# The daemons of the nodes report to it within half a minute; jobs on their way to them are not lost.
all_are_up() { [ "$(tools/ge nodes | grep -c 'STATE="\(Idle\|Running\|Busy\)"')" -eq 3 ]; }
within 90 all_are_up
crash
begin
all_ran() { [ "$(wc -l <"$RAN")" -ge $((begun + 100)) ]; }
# A job that was on its way when the qmaster died is sent to its nodes again after five minutes.
within 480 all_ran
expect 0 '' canceljob "$long"
all_recorded() { [ "$(cat stats/stats.* | grep -c '^[0-9]')" -eq $((recorded + 101)) ]; }
within 30 all_recorded

# Each ran once but those that were requeued, and where it was sent.
twice=$(cut -d' ' -f1 "$RAN" | sort | uniq -d)
[ "$twice" = "$job" ] || fail "these ran twice: $twice"
sort -u starts | while read -r name hosts; do
  echo "$name $(tr , '\n' <<<"$hosts" | sort | paste -sd,)"
done | sort -u >sent
sort -u "$RAN" | comm -23 - sent >elsewhere
[ ! -s elsewhere ] || fail "these ran elsewhere: $(cat elsewhere)"
twice=$(cat stats/stats.* | awk '/^[0-9]/ { print $1 }' | sort | uniq -d)
[ -z "$twice" ] || fail "these are recorded twice: $twice"
verdict
