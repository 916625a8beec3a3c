# The history of a scheduler that runs: what showhist, checkjob, showstats -t and showgrid -t tell from it, and that it
# outlives crashes, a full disk, and its own loss or damage.
. "$(dirname "$0")/live_support.sh"

known() { showhist "$@" | grep -q -- "$job"; }
# told JOB: how often the history has it.
told() { showhist --format=json "$1" | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["jobs"]))'; }
told_once() { [ "$(told "$1")" -eq 1 ]; }

# A start that was written down, but not requested when the scheduler was killed, is requested again after JOBSYNCTIME.
configure_live 'JOBAGGREGATIONTIME 0' 'JOBSYNCTIME 0:00:05'
serve
: >out
begin

# How a job ended, what it was, and why it had waited.
job=$(submit --class night 'exit 3')
within 20 known
expect 0 "^$job .* Completed  *3 " showhist
expect 0 '^1 Jobs$' showhist "$job"
expect 0 "^$job " showhist -u "$(id -un)" -s -1:00:00 -e NOW
expect 0 '^0 Jobs$' showhist -u nobody
expect 0 '^0 Jobs$' showhist -n elsewhere
expect 0 '"exit_code": 3' showhist --format=json "$job"
expect 0 '^NAME .*EXIT_CODE' showhist --columns name,exit_code --limit 1
expect 1 "time 'yesterday': expected" showhist -s yesterday
expect 1 'not before the start' showhist -s NOW -e -1:00:00
expect 1 'can be combined only with -s and -e' showhist -m -u amy
held=$(submit --hold yes 'true')
within 10 checkjob "$held"
within 10 shown '^waited from .* to now ' checkjob -v "$held"
# Since when it has waited outlives the scheduler.
since() { checkjob -v "$held" | sed -n 's/^waited from \(.*\) to now .*/\1/p'; }
first_seen=$(since)
sleep 2
kill -TERM "$scheduler"
ended 0
begin
within 10 shown "^waited from $first_seen to now " checkjob -v "$held"
wiki_rm release "$held" >/dev/null
within 20 told_once "$held"
within 10 shown '^waited from .*  job has hold in place' checkjob "$held"

# The records replay as they stand, on the machine that schedctl tells of: its nodes tell of no classes.
expect 0 ' \[\] ' schedctl -n
schedctl -n >nodes
expect 0 '^jobs that ran  *2$' maui compare -w stats/ -m nodes maui.cfg
expect 0 '^met: .*jobs.class=night. == 1' maui compare -w stats/ -m nodes maui.cfg -e 'jobs[class=night] == 1'

# Statistics of a period are those of the jobs in it.
within 10 shown '^Successful/Completed Jobs: *2/2 ' showstats -t -1:00:00
expect 0 "^$(id -un)  *0  *0 .* 2 " showstats -u -t -1:00:00
expect 0 '^Total Samples: *[0-9]' showgrid -t -1:00:00 JOBCOUNT
expect 0 '/0  ' showstats -t 2001-01-01,2001-01-02
expect 1 'can be combined only with one of' showstats -t -1:00:00 -n
expect 1 'expected an end not before' showstats -t 2001-01-02,2001-01-01
expect 1 "unknown statistic 'NOSUCH'" showgrid -t -1:00:00 NOSUCH

# Reservations that are over.
expect 0 '' setres -n maint -s +1 -d 600 'node.*'
within 10 shown maint showres
sleep 2
expect 0 '' releaseres maint.0
within 10 shown '^maint.0 .* administrative' showhist -r

# It does not matter where a scheduler ends.
all=("$job" "$held")
for round in 1 2 3; do
  for i in 1 2 3; do all+=("$(submit "sleep 0.$((RANDOM % 10))")"); done
  sleep "0.$((RANDOM % 10))"
  crash
  begin
done
for one in "${all[@]}"; do within 40 told_once "$one" || fail "$one is told $(told "$one") times"; done

# The database is made anew where it is gone or damaged; nobody may make it anew meanwhile.
first=$job
expect 1 'a running scheduler keeps the history itself' maui history --rebuild
before=$(showhist | grep -v '^from')
crash
rm stats/history.db*
begin
within 20 told_once "$first"
[ "$(showhist | grep -v '^from')" = "$before" ] || fail "made anew it tells otherwise"
crash
rm -f stats/history.db-*
head -c 20000 /dev/urandom >stats/history.db
begin
within 20 told_once "$first"
[ "$(showhist | grep -v '^from')" = "$before" ] || fail "after damage it tells otherwise"
grep -q 'WARNING: *the history is unusable and is rebuilt from its text files' log/maui.log || fail "damage is not told"

# On a full disk everything else goes on, and what was missed is made up for.
prlimit --pid "$scheduler" --fsize=200:unlimited
job=$(submit 'sleep 1')  # and the machine is busy for a second
within 20 shown "$job" showq -c
expect 0 '' showq
prlimit --pid "$scheduler" --fsize=unlimited
within 60 told_once "$job"

# How busy the machine was.
kill -TERM "$scheduler"
ended 0
begin
within 20 shown '"busy_procs"' showhist -m --format=json
kill -TERM "$scheduler"
ended 0

# Without a scheduler.
count=$(maui history | sed -n 's/^\([0-9]*\) jobs.*/\1/p')
[ "$count" -eq $((${#all[@]} + 1)) ] || fail "of $((${#all[@]} + 1)) jobs $count are known"
maui history >was
maui history --rebuild | cmp - was || fail "made anew it holds something else: $(maui history)"
expect 0 '^Usage: maui history' maui history --help
expect 2 'unknown option' maui history --nosuch
expect 0 '^.TH MAUI.*HISTORY 8' maui history --man
expect 0 "/$count  " profiler stats/stats.*
verdict
