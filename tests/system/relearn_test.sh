# maui --relearn: a site starts with what its statistics files tell of earlier runs, and knows it still
# after a restart without them.
. "$(dirname "$0")/live_support.sh"

# The records of twenty jobs that ran for half of their limits.
configure "SIMAUTOSHUTDOWN TRUE"
workload 20 >old.swf
{ echo "; UnixStartTime: $(($(date +%s) - 864000))"; cat old.swf; } >workload.swf
maui >out 2>&1 || fail "the simulation failed: $(cat out)"
records=$(find stats -name 'stats.*' | head -n 1)
[ "$(grep -c ' Completed ' "$records")" -eq 20 ] || fail "there are no records: $(ls stats)"
cp "$records" earlier
rm -rf stats log maui.ck*

known() { showstats -l | sed -n 's/^run times of \([0-9]*\) kinds\? of jobs of \([0-9]*\) users\? .*/\1 \2/p'; }

configure_live
serve
begin
[ "$(known)" = "0 0" ] || fail "something is known at first: $(showstats -l)"
kill -TERM "$scheduler"
ended 0

# A file that cannot be read is no reason to start without it.
expect 1 'relearn: .*missing' timeout 20 maui --foreground --relearn missing
maui --foreground --relearn earlier,./earlier,workload.swf,earlier >>out 2>&1 &
scheduler=$!
within 10 showq
logged "run times of 20 jobs were learned from 'earlier'"
logged "run times of 20 jobs were learned from 'workload.swf'"
logged "'./earlier' is the same file as 'earlier': its jobs count once"
logged "'earlier' is given more than once: its jobs count once"
learned=$(known)
[ "${learned#* }" = 1 ] || fail "one user is known by two files: $learned"
[ "${learned% *}" -ge 5 ] || fail "five kinds of jobs are known at least: $learned"
kill -TERM "$scheduler"
ended 0
begin
[ "$(known)" = "$learned" ] || fail "what was learned is forgotten: $(known), not $learned"

# A run that is older than HISTORYAGE is not learned, and that is said.  Where nothing else is told, as
# where no file is named, what is known is kept.
kill -TERM "$scheduler"
ended 0
expect 1 'relearn: these files have no jobs' timeout 20 maui --foreground --relearn old.swf
logged "20 jobs of 'old.swf' ended longer ago than HISTORYAGE"
expect 1 'relearn: .* is a directory' timeout 20 maui --foreground --relearn .
begin
[ "$(known)" = "$learned" ] || fail "it was lost: $(known), not $learned"

# A time without learning forgets nothing.
kill -TERM "$scheduler"
ended 0
echo "RUNTIMELEARNING NONE" >>maui.cfg
begin
kill -TERM "$scheduler"
ended 0
sed -i '$d' maui.cfg
begin
[ "$(known)" = "$learned" ] || fail "NONE has it forgotten: $(known), not $learned"

# A file that is lost is a cold start.
kill -TERM "$scheduler"
ended 0
rm -f maui.ck*
begin
[ "$(known)" = "0 0" ] || fail "it is known without the checkpoint: $(known)"

# The accounting of another scheduler tells of its jobs, too.
now=$(date +%s)
cat >sacct <<END
JobIDRaw|User|JobName|Submit|Start|End|State|TimelimitRaw|AllocCPUS
1|amy|mesh|$((now - 9000))|$((now - 8000))|$((now - 7000))|COMPLETED|120|2
2|amy|mesh|$((now - 9000))|$((now - 8000))|$((now - 7500))|NODE_FAIL|120|2
END
kill -TERM "$scheduler"
ended 0
maui --foreground --relearn sacct >>out 2>&1 &
scheduler=$!
within 10 showq
logged "run times of 1 job were learned from 'sacct'"
[ "$(known)" = "7 1" ] || fail "a job is of seven kinds: $(known)"

# Damaged records are passed over, one by one.
kill -TERM "$scheduler"
ended 0
{
  head -n 6 "earlier"
  head -c 4000 /dev/urandom | tr -d '\n\0'
  echo
  tail -n 3 "earlier"
} >damaged
maui --foreground --relearn damaged >>out 2>&1 &
scheduler=$!
within 10 showq
logged 'run times of [1-9][0-9]* jobs\? were learned from'
kill -TERM "$scheduler"
ended 0
verdict
