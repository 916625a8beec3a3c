# The scheduler in front of a real Grid Engine of its own, by etc/native/gridengine: jobs of all shapes run
# where they were sent, in the gaps too, and commands are carried out.
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/native/private_gridengine.sh"
need_gridengine
in_private_network "$0" "$@"
. "$source/tests/native/gridengine_site.sh"

# A wide job waits for one that runs; a small one runs beside it, one that would hold it up does not.
first=$(submit -pe mpi 8 -- sleep 600)
within 60 is "$first" Running
wide=$(submit -pe mpi 12 -- true)
small=$(submit -l h_rt=300 -- true)
late=$(submit -l h_rt=3600 -- true)
within 60 ran "$small" 'ge[123]'
within 60 shown "^$late .*Idle" showq
ran "$late" '.*' && fail "job $late ran before job $wide"
within 60 is "$wide" Idle
expect 0 '' canceljob "$first"
within 60 ran "$wide" ge1,ge1,ge1,ge1,ge2,ge2,ge2,ge2,ge3,ge3,ge3,ge3
within 60 ran "$late" 'ge[123]'

# Requests of users to queues, and layouts that Grid Engine can be trusted with.
job=$(submit -q 'short,batch@ge2' -- sleep 600)
within 60 is "$job" Running
within 60 ran "$job" 'ge[23]'
two=$(submit -pe fill 6 -- true)
within 60 ran "$two" ge1,ge1,ge2,ge2,ge3,ge3
job2=$(submit -pe odd 6 -- true)
within 60 shown 'without a odd_N' checkjob "$job2"
expect 0 '' canceljob "$job2"

# Commands.
expect 0 '' mjobctl -s "$job"
within 60 is "$job" Suspended
expect 0 '' mjobctl -r "$job"
within 60 is "$job" Running
expect 0 '' mjobctl -R "$job"
within 60 shown 'StartCount: 2' checkjob "$job"
within 60 is "$job" Running
expect 0 '' canceljob "$job"
held=$(submit -h -- true)
within 60 shown 'Holds: *User' checkjob "$held"
expect 0 '' mjobctl -m wclimit=1200 "$held"
within 60 shown 'h_rt=1200' qstat -j "$held"
qhold -h o "$held" >/dev/null
qrls -h u "$held" >/dev/null
within 60 shown 'Holds: *System' checkjob "$held"
qrls -h o "$held" >/dev/null
within 60 ran "$held" 'ge[123]'

# A node that is taken out of service takes no job; an order of jobs, and a time to begin.
expect 0 '' mnodectl -m state=drained ge1
within 60 shown '^ge1 STATE="Drained"' tools/ge nodes
before=$(submit -pe smp 4 -- sleep 600)
after=$(submit -pe pair 4 -hold_jid "$before" -a "$(date -d '+3 seconds' +%Y%m%d%H%M.%S)" -- true)
within 60 shown "waits for job $before" checkjob "$after"
within 60 is "$before" Running
expect 0 '' canceljob "$before"
within 60 ran "$after" ge2,ge2,ge3,ge3
expect 0 '' mnodectl -m state=idle ge1
within 60 shown '^ge1 STATE="Idle"' tools/ge nodes

verdict
