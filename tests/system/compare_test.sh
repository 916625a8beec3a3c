# maui compare: two policies on one log, its files, what it expects, and what it says of bad input.
. "$(dirname "$0")/support.sh"
data=$(cd "$(dirname "$0")/../data" && pwd)
cd "$MAUIHOMEDIR" || exit 1
log=$data/kth_excerpt.swf.gz

# Two policies: without backfill, jobs wait longer.
maui compare --workload "$log" --set BACKFILLPOLICY=NONE >out 2>err || fail "compare: $(cat out err)"
[ -s err ] && fail "it says something on standard error: $(cat err)"
grep -q '^3000 jobs from Mon Sep 30 10:38:01 1996 on, 100 nodes, 100 processors$' out || fail "no heading: $(cat out)"
grep -q '^ .* defaults  *BACKFILLPOLICY=NONE$' out || fail "no heads: $(cat out)"
grep -q '^wait, mean .* +.*%$' out || fail "waits are not held side by side: $(cat out)"
[ "$(awk 'length > 80' out | wc -l)" -eq 0 ] || fail "lines are longer than 80: $(cat out)"

# The same input gives the same output.
maui compare -j 1 -w "$log" -s BACKFILLPOLICY=NONE | cmp - out || fail "another order of processes tells otherwise"

# A comparison measures what a simulation of the same configuration measures.
cat >maui.cfg <<END
SERVERMODE              SIMULATION
SERVERPORT              $port
ADMIN1                  $(id -un)
SIMRESOURCETRACEFILE    [NONE]
SIMWORKLOADTRACEFILE    $log
SIMJOBSSUBMISSIONPOLICY NORMAL
SIMSTEPPOLICY           EVENT
BACKFILLPOLICY          BESTFIT
END
chmod go-w . maui.cfg
maui >simulated 2>&1 || fail "the simulation failed: $(cat simulated)"
maui compare --workload "$log" --report report maui.cfg >out 2>err || fail "compare: $(cat out err)"
grep -q 'NOTE:     maui.cfg: no meaning in a comparison, ignored: SIMRESOURCETRACEFILE, SIMWORKLOADTRACEFILE' err ||
  fail "what is ignored is not told: $(cat err)"
awk '$7 == "Completed" || $7 == "Removed" { print $1, $11, $12 }' stats/stats.sim | sort >simulated
awk -F, 'NR > 1 { print $2, $11, $12 }' report/jobs.csv | sort >compared
[ "$(wc -l <compared)" -eq 3000 ] || fail "jobs are missing: $(wc -l <compared)"
cmp simulated compared || fail "a comparison starts jobs at other times than a simulation"

# The files of the report.
python3 - <<'END' || fail "the report is not as it should be"
import csv, json
from html.parser import HTMLParser
report = json.load(open("report/report.json"))
run = report["runs"][0]
rows = [row for row in csv.DictReader(open("report/jobs.csv"))]
waits = sorted(int(row["wait"]) for row in rows)
assert run["measures"]["jobs"] == len(waits) == 3000
assert abs(run["measures"]["wait.mean"] - sum(waits) / len(waits)) < 1e-6
assert run["measures"]["wait.p95"] == waits[2849] and run["measures"]["wait.worst"] == waits[-1]
longest = run["longest"][0]
assert longest["wait"] == waits[-1] and sum(one["seconds"] for one in longest["reasons"]) == waits[-1], longest
assert sum(step["jobs"] for step in run["waits"]) == 3000
assert sum(group["measures"]["jobs"] for group in run["groups"]["user"]) == 3000
table = {(row["grouping"], row["name"], row["measure"]): row["value"] for row in csv.DictReader(open("report/measures.csv"))}
assert abs(float(table["all", "", "wait.mean"]) - run["measures"]["wait.mean"]) < 1e-3

class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.pictures = [], set(), [], 0
    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        assert "src" not in found and tag not in ("script", "link", "iframe", "img"), tag
        self.pictures += tag == "svg" and "aria-label" in found
        if "id" in found:
            assert found["id"] not in self.ids, found["id"]
            self.ids.add(found["id"])
        if "href" in found: self.links.append(found["href"])
        if tag not in ("meta",): self.open.append(tag)
    def handle_startendtag(self, tag, attributes): pass
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
page = Page()
page.feed(open("report/index.html").read())
assert page.open == [] and page.pictures >= 4
assert all(link[0] == "#" and link[1:] in page.ids for link in page.links)
assert len(page.links) > 10
END

# Months of other schedulers, with the machine from a listing or from the hosts in the records.
maui compare --print-sacct-command | sed 's/.*--format=//; s/,/|/g' >sacct
for job in $(seq 200); do
  begin=$((1700000000 + job * 60))
  echo "$job|$job|u$((job % 3))|staff|physics|long|normal|x|$begin|$((begin + 5))|$((begin + 605))|COMPLETED|20|1|4|cpu=4,mem=4G|cpu=4,mem=4G,node=1|n$((job % 8 + 1))|20:00.250"
done >>sacct
echo "201|201|u1|staff|physics|long|normal|x|1700000000|Unknown|Unknown|PENDING|20|1|4|cpu=4||None assigned|" >>sacct
for node in $(seq 8); do
  echo "NodeName=n$node CPUTot=8 RealMemory=16000 Gres=(null) State=IDLE Partitions=long"
done >nodes
echo 'NODEACCESSPOLICY SHARED' >shared.cfg
maui compare -w sacct -m nodes shared.cfg -r slurm >out 2>err || fail "sacct: $(cat out err)"
grep -q '^200 jobs from .* on, 8 nodes, 64 processors$' out || fail "sacct: $(cat out)"
grep -q '1 job never ran: ' err || fail "sacct: the job that never ran is not told: $(cat err)"
expect 0 '^200 jobs from .* on, 8 nodes, ' maui compare -w sacct shared.cfg
{ printf '\357\273\277'; sed 's/$/\r/' sacct; } >from-windows
expect 0 '^200 jobs from .* on, 8 nodes, ' maui compare -w from-windows shared.cfg
expect 1 'missing column' sh -c 'cut -d"|" -f1-9 sacct >cut; maui compare -w cut'
for job in $(seq 100); do
  begin=$((1700000000 + job * 60))
  echo "11/14/2023 22:13:20;E;$job.head;user=u1 group=staff jobname=x queue=batch ctime=$begin qtime=$begin etime=$begin start=$((begin + 5)) exec_host=n$((job % 4 + 1))/0-3 Resource_List.walltime=00:20:00 end=$((begin + 605)) Exit_status=0"
done >accounting
expect 0 '^100 jobs from .* on, 4 nodes, ' maui compare -w accounting shared.cfg
maui compare -w accounting,sacct >out 2>&1 && fail "two formats are one workload: $(cat out)"

# Records of our own, of several days, on the hosts that they name.
mkdir month
awk '$7 == "Completed"' stats/stats.sim | head -n 1500 >month/stats.1996_09_30
awk '$7 == "Completed"' stats/stats.sim | tail -n +1501 | sed 's/ g[0-9]* / [NONE] /' >month/stats.1996_10_20
days=$(cat month/* | wc -l)
expect 0 "^$days jobs from .* on, 100 nodes, 100 processors" maui compare -w month
mkdir empty
expect 1 'the directory contains no files' maui compare -w empty

# Workloads that might have been tell what may be chance.
workload 200 | awk '$1 + 0 > 50 { $2 += 604800 * int($1 / 50) + $1 * 10 } { print }' >small.swf
maui compare -w small.swf -s 'USERCFG[u1]=MAXPROC=2' --resample 20 >out || fail "resample: $(cat out)"
grep -q 'nine of ten of 20 resampled workloads' out || fail "no intervals: $(cat out)"
grep -q '^  wait, mean .* to ' out || fail "no interval of the mean wait: $(cat out)"
workload 20 >week.swf
maui compare -w week.swf -s BACKFILLPOLICY=NONE --resample 20 --report week >out || fail "resample: $(cat out)"
grep -q 'is unknown: no user has jobs in two weeks' out || fail "what is drawn is the same, and this is not said: $(cat out)"
grep -q 'is unknown: no user has jobs in two weeks' week/index.html || fail "the page does not say that nothing is drawn"
grep -q 'nine of ten' out && fail "bounds are told where nothing was drawn: $(cat out)"
expect 2 'expected a number from 20' maui compare -w small.swf --resample 3

# The expectation sets the exit status.
few=$MAUIHOMEDIR/few.swf
zcat "$log" | awk '/^;/ || ++jobs <= 600' >"$few"
expect 0 '^met: BACKFILLPOLICY=NONE: wait.mean > base' \
  maui compare -w "$few" -s BACKFILLPOLICY=NONE -e 'wait.mean > base'
expect 3 '^NOT MET: BACKFILLPOLICY=NONE: wait.p95 <= 1.05 \* base' \
  maui compare -w "$few" -s BACKFILLPOLICY=NONE -e 'utilisation > 1' -e 'wait.p95 <= 1.05 * base'
expect 0 '^NOTE: .*FSTARGET=20: every job ran at the same time as with defaults' \
  maui compare -w "$few" -s 'GROUPCFG[g1]=FSTARGET=20'
expect 1 "no job of user 'nobody' ran" maui compare -w "$few" -e 'wait.mean[user=nobody] < 5'
says '^wait, mean' "$(maui compare -w "$few" -e 'wait.mean[user=nobody] < 5' 2>/dev/null)"
expect 3 "no job of user 'nobody' ran" maui compare -w "$few" -e 'wait.mean[user=nobody] < 5' -e 'jobs < 5'
expect 3 '^NOT MET: defaults: jobs < 5' maui compare -w "$few" -e 'wait.mean[user=nobody] < 5' -e 'jobs < 5'
workload 20 | awk '!/;/ { $15 = 1 + $1 % 2 } { print }' >queues.swf
expect 0 '^met: defaults: jobs.class=q1. == 10' maui compare -w queues.swf -e 'jobs[class=q1] == 10'
expect 0 '^met: defaults: jobs.class=long. == 200' maui compare -w sacct -e 'jobs[class=long] == 200'

# Wrong usage, and input that cannot be used or is damaged.
expect 2 '^ERROR:    --workload must name the jobs' maui compare maui.cfg
expect 2 "unknown option '--nosuch'" maui compare --nosuch
expect 2 'NOSUCH' maui compare -w "$log" -s NOSUCH=1
expect 2 'set BACKFILLPOLICY=FURSTFIT' maui compare -w "$log" -s BACKFILLPOLICY=FURSTFIT
expect 2 'set SIMSTEPPOLICY: it has no meaning' maui compare -w "$log" -s SIMSTEPPOLICY=EVENT
expect 2 "expect: 'wait.men < 5': expected" maui compare -w "$log" -e 'wait.men < 5'
expect 0 '^Usage: maui compare' maui compare --help
expect 0 '^.TH MAUI.*COMPARE 8' maui compare --man
expect 1 'missing.swf: cannot be read' maui compare -w missing.swf
expect 1 'missing.cfg' maui compare -w "$log" missing.cfg
echo 'BACKFILLPOLICY FURSTFIT' >bad.cfg
expect 1 'bad.cfg:1: .*FURSTFIT' maui compare -w "$log" bad.cfg
expect 1 '/bin/ls: is not a text file' maui compare -w "$log" /bin/ls
expect 1 'expected a file: a pipe can be read only once' maui compare -w <(gzip -dc "$log")
head -c 20000 "$log" >cut.swf.gz
expect 1 'unexpected end of file' maui compare -w cut.swf.gz
{ gzip -dc "$log" | head -n 200; printf '999999 1 2'; } >cut.swf
expect 1 "the file ends within this line" maui compare -w cut.swf
{ workload 20; printf '21 1260 -1 600 1 -1 -1 1 1200 -1 1'; } >cut.swf
expect 1 "cut.swf:23: 11 fields, expected 18; the file ends within this line" maui compare -w cut.swf
expect 1 'unknown format: expected ' maui compare -w /bin/ls
expect 1 '/bin/ls: unknown format of a list of nodes: expected ' maui compare -w "$log" -m /bin/ls
{ workload 20; echo "21 nonsense"; echo "22 1400 -1 600 99 -1 -1 99 1200 -1 1 1 1 -1 -1 -1 -1 -1"; } >odd.swf
expect 0 'odd.swf:23: 2 fields' maui compare -w odd.swf
expect 0 'job 22 requests 99' maui compare -w odd.swf
expect 1 "the directory .* cannot be made\|cannot be written" maui compare -w "$log" --report /proc/nowhere
maui compare -w "$log" --report "$log" 2>/dev/null | grep -q . && fail "it runs before it looks where its report goes"

# A job that no configuration can start is named.
{ workload 5; echo "6 400 -1 600 4 -1 -1 4 1200 -1 1 1 1 -1 -1 -1 -1 -1"; } >large.swf
echo 'USERCFG[u1] MAXPROC=2' >small.cfg
expect 0 'small.cfg: 1 job never started' maui compare -w large.swf small.cfg
: >plain.cfg
expect 3 '^NOT MET: small.cfg: neverstarted <= base (1 against 0)' \
  maui compare -w large.swf plain.cfg small.cfg -e 'wait.mean <= base + 1:00:00:00'
grep -e '^;' -e '^6 ' large.swf >alone.swf
expect 1 'small.cfg: no job ran' maui compare -w alone.swf small.cfg

# A resource manager does the runs: what was submitted is told of as if it had been run here.
mkdir managers
cat >managers/sbatch <<'END'
#!/bin/sh
# Takes the array, as Slurm would.
printf '%s\n' "$@" >"$(dirname "$0")/sbatch.words"
echo 4711
END
run_array() {
  local word last log script task
  while read -r word; do
    case $word in --array=0-*) last=${word#--array=0-} ;; --output=*) log=${word#--output=} ;; esac
    script=$word
  done <managers/sbatch.words
  for task in $(seq 0 "$last"); do SLURM_ARRAY_TASK_ID=$task sh "$script" >"${log%%%a}$task" 2>&1; done
}
cat >managers/qsub <<'END'
#!/bin/sh
# As PBS would: OpenPBS unless TORQUE is set.
[ "$1" != --version ] || { if [ -n "$TORQUE" ]; then echo "Version: 6.1.2"; else echo "pbs_version = 22.05.11"; fi; exit; }
printf '%s\n' "$@" >"$(dirname "$0")/qsub.words"
for word; do case $word in 0-*) last=${word#0-} ;; esac; script=$word; done
for task in $(seq 0 "$last"); do
  if [ -n "$TORQUE" ]; then PBS_ARRAYID=$task sh "$script"; else PBS_ARRAY_INDEX=$task sh "$script"; fi
done
echo "12[].server"
END
printf '#!/bin/sh\necho "invalid partition specified" >&2; exit 1\n' >managers/refuses
chmod +x managers/*
echo 'RESERVATIONDEPTH 4' >"deep 'one'.cfg"
what=(-w "$few" -s BACKFILLPOLICY=NONE "deep 'one'.cfg")
maui compare "${what[@]}" >direct 2>/dev/null || fail "compare: $(cat direct)"
expect 0 'submitted as job 4711' maui compare "${what[@]}" --submit parts --submitter "$PWD/managers/sbatch -p short"
run_array
says '^short$' "$(cat managers/sbatch.words)"
says '^--array=0-1$' "$(cat managers/sbatch.words)"
(cd / && maui compare --merge "$MAUIHOMEDIR/parts" 2>/dev/null) | cmp - direct || fail "what is merged differs: $(cat parts/log.*)"
expect 0 '^wait, mean' maui compare --merge parts --report merged
[ -s merged/index.html ] || fail "no report of what was merged"
python3 - <<'END' || fail "reasons of winners and losers are not as they should be"
import json
changes = [run["changes"] for run in json.load(open("merged/report.json"))["runs"] if "changes" in run]
jobs = [job for one in changes for job in one["winners"] + one["losers"]]
assert jobs and any(one["losers"] for one in changes)
for job in jobs:
    for when in "before", "after":
        assert sum(reason["seconds"] for reason in job["reasons" + when]) == job[when], job
END
grep -q '<th[^>]*>why</th>' merged/index.html || fail "the page does not say why jobs won or lost"
expect 3 'not met\|wait.mean' maui compare --merge parts --expect 'wait.mean <= 0'
expect 0 'as job 12' env PATH="$PWD/managers:$PATH" maui compare "${what[@]}" --submit openpbs --submitter qsub
says '^-J$' "$(cat managers/qsub.words)"
maui compare --merge openpbs 2>/dev/null | cmp - direct || fail "what PBS ran differs"
expect 0 'as job 12' env TORQUE=1 maui compare "${what[@]}" --submit torque --submitter "$PWD/managers/qsub"
says '^-t$' "$(cat managers/qsub.words)"
maui compare --merge torque 2>/dev/null | cmp - direct || fail "what TORQUE ran differs"
expect 1 "did not accept the jobs: invalid partition" maui compare "${what[@]}" --submit other --submitter "$PWD/managers/refuses"
expect 1 'is not empty' maui compare "${what[@]}" --submit parts --submitter "$PWD/managers/sbatch"
expect 1 'missing.swf: cannot be read' maui compare -w missing.swf --submit fresh --submitter "$PWD/managers/sbatch"
rm parts/outcome.1
expect 1 "part 1 has not written .*outcome.1" maui compare --merge parts
expect 0 'submitted as job 4711' maui compare -w small.swf -s BACKFILLPOLICY=NONE --resample 20 --submit drawn --submitter managers/sbatch
run_array
expect 0 'nine of ten of 20' maui compare --merge drawn
head -c -4 drawn/outcome.5 >cut && mv cut drawn/outcome.5
expect 1 "drawn/outcome.5' is damaged: expected a line of" maui compare --merge drawn
echo -interrupted >drawn/outcome.5
expect 0 'resampled workload 2 is left out: BACKFILLPOLICY=NONE: interrupted' maui compare --merge drawn
expect 0 'nine of ten of 19' maui compare --merge drawn
head -c 300 openpbs/outcome.0 >cut && mv cut openpbs/outcome.0
expect 1 'line' maui compare --merge openpbs
echo 'RESERVATIONDEPTH 5' >"deep 'one'.cfg"
expect 1 'has changed since --submit' maui compare --merge torque
expect 1 'a file written by --submit' maui compare --merge nowhere
expect 2 'expected no other workload' maui compare --merge parts -w "$log"
expect 2 'needs --merge' maui compare -w "$log" --part 1

# Whoever is in a hurry gets what there is, and is told that it is not all.
for copy in $(seq 40); do
  zcat "$log" | awk -v copy="$copy" '/^;/ { if (copy == 1) print; next } { $1 += copy * 100000; $2 += copy * 9000000; print }'
done >long.swf
maui compare -w long.swf -s BACKFILLPOLICY=NONE >out 2>err &
comparing=$!
begun() { [ "$(pgrep -c -P "$comparing")" -ge 1 ]; }
within 20 begun
kill -INT "$comparing"
wait "$comparing"
[ $? -eq 1 ] || fail "an interrupted comparison does not exit with 1"
grep -q 'interrupted' err || fail "it does not say that it was interrupted: $(cat out err)"
maui compare -w "$log" -s BACKFILLPOLICY=NONE --resample 10000 --processes 1 >out 2>err &
comparing=$!
seen=
third_run_has_begun() {
  seen="$seen $(pgrep -P "$comparing")"
  # shellcheck disable=SC2086  # a list of processes
  [ "$(printf '%s\n' $seen | sort -u | wc -l)" -ge 3 ]
}
within 60 third_run_has_begun
kill -INT "$comparing"
wait "$comparing"
grep -q 'interrupted: [0-9]* of 10000 resampled' err || fail "it does not say how many workloads were drawn: $(cat err)"
exit "$failures"
