# The end of a simulation: its summary is kept, what took no part is told with the reason, and a run that was ended
# early says so.  Whoever watches at a terminal sees how far it is.
. "$(dirname "$0")/support.sh"
cd "$MAUIHOMEDIR" || exit 1
configure
{ workload 20
  echo "21 1300 -1 0 1 -1 -1 1 1200 -1 5 1 1 -1 -1 -1 -1 -1"
  echo "22 1300 -1 600 9 -1 -1 9 1200 -1 1 1 1 -1 -1 -1 -1 -1"; } >workload.swf
maui >out 2>err || fail "the simulation failed: $(cat out err)"
cmp out stats/summary.txt || fail "the summary that is kept is another: $(cat stats/summary.txt)"
python3 -c 'import json; assert "all" in str(json.load(open("stats/summary.json")))' || fail "summary.json"
grep -q '2 jobs of the workload did not take part' err || fail "it does not count: $(cat err)"
grep -q '1 job never ran: [0-9]*$' err || fail "it does not say why: $(cat err)"
grep -q '1 job requested more processors than the machine has' err || fail "it does not say why: $(cat err)"
grep -q 'unfinished' err && fail "a whole run is called unfinished"

grep -q 'waiting job' err && fail "jobs are said to wait: $(cat err)"

# Jobs that can never start are named.
configure "SYSTEMMAXJOBWALLTIME 0:10:00"
maui >out 2>err || fail "the simulation failed: $(cat out err)"
grep -q '^WARNING:  the simulation ended with 20 waiting jobs: 1, 2, 3, 4, 5 and 15 more$' err ||
  fail "it does not say who waits: $(cat err)"
grep -q 'not submitted' err && fail "jobs are said to be left out: $(cat err)"
# If they fill a queue of constant depth, no other is submitted, and the simulation ends.
for step in INTERVAL EVENT; do
  configure "USERCFG[DEFAULT] MAXPS=600" "SIMJOBSSUBMISSIONPOLICY CONSTANTJOBDEPTH" "SIMSTEPPOLICY $step"
  timeout 60 maui >out 2>err || fail "the simulation failed, or has no end: $(cat out err)"
  grep -q '^WARNING:  the simulation ended with 16 waiting jobs: 1, 2, 3, 4, 5 and 11 more$' err ||
    fail "it does not say who waits: $(cat err)"
  grep -q '^WARNING:  4 jobs of the workload were not submitted: the queue stayed full' err ||
    fail "it does not count those that were not submitted: $(cat err)"
done
configure

# At a terminal the line is written, and taken away again; elsewhere there is none.
grep -q 'of 20 jobs' err && fail "progress is told where nobody watches"
python3 - <<'END' || fail "no progress is told at a terminal"
import os, pty
output = bytearray()
def read(fd):
    data = os.read(fd, 4096)
    output.extend(data)
    return data
status = pty.spawn(["maui"], read)
text = output.decode()
assert os.waitstatus_to_exitcode(status) == 0, text
assert " of 20 jobs" in text and "\r\x1b[K" in text, text
END

# A signal ends it early.
configure "SIMSTOPITERATION 3"
maui >out 2>err &
scheduler=$!
within 20 showq
kill -TERM "$scheduler"
ended 0
grep -q 'the summary covers an unfinished run' err || fail "it does not say that it is unfinished: $(cat err)"
grep -q 'unfinished run' stats/summary.txt || fail "the summary does not say that it is unfinished: $(cat stats/summary.txt)"
grep -q '"unfinished": true' stats/summary.json || fail "nor does summary.json: $(cat stats/summary.json)"

# A log that was cut off ends with a message and status 1.
gzip -c workload.swf | head -c 150 >cut.swf.gz
configure "SIMWORKLOADTRACEFILE cut.swf.gz"
expect 1 'could not be used; see the log\|cut.swf.gz' maui
exit "$failures"
