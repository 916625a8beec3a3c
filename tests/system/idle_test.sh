# A scheduler that has nothing to do sleeps: the scheduler between two polls, with many nodes, too, and a simulation that
# is stopped.
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/system/live_support.sh"
. "$source/tests/system/idle_support.sh"

ready() { shown Active diagnose -R; }

# Many nodes, a job that runs, one that waits, and a reservation to come.
nodes=20000 procs=2
serve --nodes $nodes
configure_live "RMPOLLINTERVAL 0:10:00" "RMCFG[local] TIMEOUT=60"
start --foreground
within 60 ready
submit --tasks 100 'sleep 300' >/dev/null
within 60 shown 'Active Jobs: *1 ' showq
submit --tasks $((nodes * procs)) 'sleep 300' >/dev/null
within 60 shown 'Idle Jobs: *1 ' showq
expect 0 '' setres -s +1:00:00 -d 1:00:00 TASKS==1
within 60 ready
is_idle "the scheduler between two polls" "$scheduler"
rm maui.sock
within 20 ready  # long before the next poll
kill -TERM "$scheduler"
ended 0

# Its checkpoint is lost, and nobody has accepted that yet.
for lost in maui.ck maui.ck.old; do
  [ ! -e "$lost" ] || echo damaged >"$lost"
done
start --foreground
within 60 ready
is_idle "the scheduler whose checkpoint is lost" "$scheduler"
kill -TERM "$scheduler"
ended 0
kill -KILL "$manager"

# A simulation that is stopped.
workload 100 >workload.swf
configure "SIMSTOPITERATION 3"
start --foreground

is_idle "a simulation that is stopped" "$scheduler"
kill -TERM "$scheduler"
ended 0
verdict
