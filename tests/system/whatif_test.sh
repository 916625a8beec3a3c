# Trials: commands that are only tried, on the live queue, and scripts that are only asked about.
. "$(dirname "$0")/live_support.sh"

: >ran
serve
configure_live "BACKFILLPOLICY NONE" "CREDWEIGHT 1" "USERWEIGHT 1"
start --foreground

# Both nodes are busy for long; two jobs wait that need both, in this order.
runs=$(limit=3600 submit --tasks 4 "sleep 1000")
within 20 shown "State: Running" checkjob "$runs"
first=$(limit=7200 submit --tasks 4 "echo first >>$RAN")
second=$(limit=7200 submit --tasks 4 "echo second >>$RAN")
within 20 shown "$second" showq
state() {
  showconfig -v
  showhold
  showres --columns name,type,nodes
  showq --columns name,state
  diagnose -n --columns name,state
}
before=$(state)

# dry PATTERN COMMAND...: it says that, and that it changes nothing.
dry() {
  expect 0 "$@"
  expect 0 '^dry run: nothing is changed; the command would reply:$' "${@:2}"
}
dry '^ *1 of the 2 waiting jobs would start\|2 of the 2 waiting jobs would start' setspri --dry-run 100 "$second"
dry "^ *$first .* +" setspri --dry-run 100 "$second"
dry "^ *$second .* -" mjobctl --dry-run -p 100 "$second"
dry "^ *$first .* never" sethold --dry-run -a "$first"
dry "^ *$second .* -" canceljob --dry-run "$first"
dry "^ *$first .* -" canceljob --dry-run "$runs"
dry '0 of the 2' releasehold --dry-run "$first"
dry "^ *$first .* +" setres --dry-run -s +1:30:00 -d 3:00:00 ALL
expect 1 "WIKI has no command to change the state of a node" mnodectl --dry-run -m STATE=DRAINED node1
dry '0 of the 2' changeparam --dry-run BACKFILLPOLICY FIRSTFIT
dry '0 of the 2' schedctl --dry-run -m BACKFILLPOLICY FIRSTFIT
echo "SRCFG[all] PERIOD=INFINITY HOSTLIST=node1 CLASSLIST=nobody" >>maui.cfg
dry "^ *$first .* never" schedctl --dry-run -R
sed -i '$d' maui.cfg

# As a table, as JSON, and refused.
expect 0 '^JOB ' setspri --dry-run 100 "$second" --limit 1
expect 0 'and 1 more' setspri --dry-run 100 "$second" --limit 1
expect 0 '"shifts"' setspri --dry-run 100 "$second" --format=json
expect 1 'no parameter\|unknown\|NOSUCH' changeparam --dry-run NOSUCH 1
expect 1 '--dry-run requires -m or -R' schedctl --dry-run -k
expect 0 'schedctl --dry-run refused' tail -n 1 log/maui.log
dry 'of the first 1 waiting job would' setspri --dry-run --jobs 1 100 "$second"
dry 'of the 2 waiting jobs' setspri --dry-run --jobs ALL 100 "$second"
expect 1 "invalid value 'few': expected a number of jobs or ALL" setspri --dry-run --jobs few 100 "$second"
expect 2 '--jobs requires --dry-run' setspri --jobs 1 100 "$second"

# Nothing of it was done, said to the resource manager, or kept.
after=$(state)
[ "$before" = "$after" ] || fail "something has changed: $(diff <(echo "$before") <(echo "$after"))"
[ -s ran ] && fail "a job has run: $(cat ran)"
shown "$runs.*STATE=Running" wiki_rm jobs || fail "the running job was touched"
grep -q 'parameter .* is changed' log/maui.log && fail "the log says that a parameter was changed"

# A script that is not submitted.
cat >job.sh <<'END'
#!/bin/sh
#SBATCH --nodes=2 --ntasks-per-node=2
#SBATCH --time=2:00:00 --licenses=x
sleep 1
#SBATCH --ntasks=99
END
expect 0 'requires 4 procs for' showstart --script job.sh
expect 0 "Until: job '$runs' ends" showstart --script job.sh
expect 0 "WARNING: '--licenses=x' is ignored" showstart --script job.sh
expect 0 'requires 4 procs' showstart --script - <job.sh
expect 2 "cannot read 'nosuch.sh'" showstart --script nosuch.sh
echo 'echo nothing' >plain.sh
expect 2 'no line begins with #SBATCH or #PBS' showstart --script plain.sh
expect 1 "line 2: -n: invalid value 'x': expected a whole number" showstart --script <(printf '#!/bin/sh\n#SBATCH -n x\n')
expect 0 '^Limited by: insufficient idle procs: 0 of 4' showstart 4@2:00:00

# Why a job waits, what would lift that.
expect 0 "waits until job '$runs' ends: 20" checkjob -v "$first"
expect 0 'waited from .* to now' checkjob -v "$first"
exit "$failures"
