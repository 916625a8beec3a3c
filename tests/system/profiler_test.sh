# profiler tells of the records of a run what the scheduler itself told at its end, and what a log tells; bad input is named.
. "$(dirname "$0")/support.sh"
data=$(cd "$(dirname "$0")/../data" && pwd)
manual=$(cd "$(dirname "$0")/../../docs/manual" && pwd)/statistics.md
cd "$MAUIHOMEDIR" || exit 1
log=$data/kth_excerpt.swf.gz

# Its sums are those of the scheduler's own statistics.
configure 'SIMSTEPPOLICY EVENT' 'BACKFILLPOLICY BESTFIT' 'USERCFG[DEFAULT] QTTARGET=1:00:00' \
  'PLOTMAXPROC 1024' 'PLOTMINTIME 1' 'PLOTMAXTIME 1000:00:00'
sed -i "s#workload.swf#$log#" maui.cfg
chmod go-w . maui.cfg
maui >out 2>&1 || fail "the simulation failed: $(cat out)"
profiler -C maui.cfg --grid ALL --format json stats/stats.sim >out 2>err && fail "there is a statistic ALL: $(cat out)"
profiler -C maui.cfg --procs 100 -G AVGXFACTOR,QOSDELIVERED --format=json stats/stats.sim >profile.json 2>err ||
  fail "profiler: $(cat err)"
[ -s err ] && fail "it says something on standard error: $(cat err)"
python3 - <<'END' || fail "a profile is not what the scheduler told"
import json
own = json.load(open("stats/summary.json"))
profile = json.load(open("profile.json"))
records = [line.split() for line in open("stats/stats.sim") if not line.startswith(("#", "VERSION"))]
def near(a, b): assert abs(a - b) <= 1e-6 * max(1, abs(b)), (a, b)
assert profile["completed_jobs"] == own["completed_jobs"] == len(records) == 3000
assert profile["backfilled_jobs"] == sum("[BACKFILL]" in r[24] for r in records) > 0
assert profile["successful_jobs"] == own["successful_jobs"]
near(profile["dedicated_proc_hours"], own["dedicated_proc_hours"])
near(profile["wallclock_accuracy"], own["wallclock_accuracy"])
spreads = {row["name"]: row for row in profile["spreads"]}
near(spreads["queue_hours"]["mean"], own["average_queue_hours"])
near(spreads["queue_hours"]["worst"], own["max_queue_hours"])
near(spreads["xfactor"]["mean"], own["average_xfactor"])
near(spreads["bypass"]["mean"], own["average_bypass"])
waits = sorted((int(r[10]) - int(r[8])) / 3600 for r in records)
near(spreads["queue_hours"]["p95"], waits[2849])
near(profile["total_proc_hours"], 100 * (profile["until"] - profile["since"]) / 3600)
users = next(table for table in profile["credentials"] if table["kind"] == "user")
assert sum(row["jobs"] for row in users["rows"]) == 3000
near(sum(row["dedicated_proc_hours"] for row in users["rows"]), own["dedicated_proc_hours"])
xfactor, delivered = profile["grids"]
assert xfactor["samples"] == 3000 and xfactor["outside"] == 0
near(xfactor["overall"], own["average_xfactor"])
near(delivered["overall"], 100 * sum(wait <= 1 for wait in waits) / 3000)
END

# As text, under its other name, and as a command of maui.
mprof stats/stats.sim >out || fail "mprof"
grep -q '^Successful/Completed Jobs: *[0-9]*/3000 ' out || fail "no sums: $(cat out)"
grep -q '^QTime (Hours)  *[0-9.]*  *[0-9.]*  *[0-9.]*  *[0-9.]*  *[0-9.]*$' out || fail "no spread: $(cat out)"
grep -q '^user  *Jobs  *%  *PHReq' out || fail "no users: $(cat out)"
maui profiler stats/stats.sim | cmp - out || fail "maui profiler tells otherwise"
maui mprof stats/stats.sim | cmp - out || fail "maui mprof tells otherwise"

# The manual's examples.
mkdir examples
cp stats/stats.sim examples/stats.2026_11_01
cp "$log" examples/jobs.swf.gz
cp maui.cfg examples
sed -n 's#^    \(profiler .*\)#\1#p' "$manual" | sed 's#stats/stats#stats#; s# -s 2026-11-01 -e 2026-11-08 -u amy,bob# -s 1996-09-30 -e 1996-12-01#' >examples/run
[ "$(wc -l <examples/run)" -ge 4 ] || fail "the manual has no examples"
(cd examples && bash -e run) >out 2>&1 || fail "the manual's examples: $(tail -n 3 out)"

# Only what is asked for, from several files.
user=$(awk '$7 == "Completed" { print $4; exit }' stats/stats.sim)
awk 'NR <= 1500' stats/stats.sim >first
awk 'NR > 1500' stats/stats.sim | gzip >second.gz
jobs=$(awk -v user="$user" '$4 == user' stats/stats.sim | wc -l)
expect 0 "^Successful/Completed Jobs: *[0-9]*/$jobs " profiler -u "$user" first second.gz
expect 0 "^$jobs Jobs$" profiler -u "$user" -l first second.gz
node=$(awk '$7 == "Completed" { split($38, hosts, ":"); print hosts[1]; exit }' stats/stats.sim)
on=$(awk -v node="$node" '{ n = split($38, h, ":"); for (i = 1; i <= n; ++i) if (h[i] == node) ++c } END { print c }' stats/stats.sim)
[ "$(profiler --format json -n "$node" stats/stats.sim | python3 -c 'import json,sys; print(json.load(sys.stdin)["completed_jobs"])')" -ge "$on" ] ||
  fail "of $on jobs on $node some are missing"
late=$(awk '$7 == "Completed" && $11 >= 845000000 && $12 <= 845500000' stats/stats.sim | wc -l)
expect 0 "^Successful/Completed Jobs: *[0-9]*/$late " profiler -s 845000000 -e 845500000 stats/stats.sim
expect 1 'no job in the files' profiler -u nobody stats/stats.sim

# A log tells how large the machine was.
expect 0 '^Dedicated/Total ProcHours:' profiler "$log"
expect 0 '\[ PROCS \]' profiler -b user -G jobcount "$log"

# Wrong usage and bad input.
expect 2 'expected the files to profile' profiler
expect 2 "unknown option '--nosuch'" profiler --nosuch
expect 2 "time 'yesterday': expected" profiler -s yesterday first
expect 2 "invalid value 'node': expected user, group, account, class or qos" profiler -b node first
expect 2 "unknown statistic 'NOSUCH': expected one of AVGXFACTOR" profiler -G NOSUCH first
expect 0 '^Usage: profiler' profiler --help
expect 0 '^.TH PROFILER 1' profiler --man
expect 0 '^profiler version' mprof --version
expect 1 'missing: cannot be read' profiler missing
expect 1 "is a directory" profiler stats
{ cat first; echo "a line of nothing"; } >odd
expect 0 'odd:1501: 4 fields, expected 44' profiler odd
expect 0 '1 line could not be used' profiler odd
head -c 20000 second.gz >cut.gz
expect 1 'unexpected end of file' profiler cut.gz
profiler "$log" --help | awk 'length > 80' | grep . && fail "the help is wider than 80 columns"
exit "$failures"
