# The effect of each parameter of the simulator (guide 16, appendix F), as the real programs show it.
. "$(dirname "$0")/support.sh"

cd "$MAUIHOMEDIR" || exit 1
workload 20 >workload.swf

# ran: a whole simulation, alone; its records are then in `records`, its log in log/maui.log.
ran() {
  rm -rf stats
  start
  ended 0
  grep -v -e '^#' -e '^VERSION' stats/stats.sim >records
}
# field N: that field of all records, each value once.
field() { awk -v n="$1" '{ print $n }' records | sort -u | tr '\n' ' '; }
jobs_shown() { showq | sed -n 's/^Total Jobs: *\([0-9]*\).*/\1/p'; }

# SIMEXITITERATION, and without it the automatic shutdown when everything has run.
configure 'SIMEXITITERATION 5'
ran
logged 'scheduler ends after iteration 5$'
configure
ran
[ "$(wc -l <records)" -eq 20 ] || fail "not every job has run"
[ "$(field 6)" = '1200 ' ] || fail "the limits are $(field 6)"
[ "$(awk '{ print $12 - $11 }' records | sort -u)" = 600 ] || fail "the run times are not 600"

# SIMAUTOSHUTDOWN FALSE: it waits for clients, also at the end.
configure 'SIMAUTOSHUTDOWN FALSE' 'SIMSTOPITERATION 1'
start
expect 0 '' schedctl -S 100I
expect 0 'Total Jobs: 0' showq
expect 0 'modified' changeparam SIMAUTOSHUTDOWN TRUE
expect 0 '' schedctl -r
ended 0

# SIMTIMERATIO: with 1, an iteration an hour after the other takes an hour; with 0, no time.
configure 'SIMTIMERATIO 1' 'RMPOLLINTERVAL 1:00:00'
start
expect 0 '^ *1 Active Job' showq
expect 0 'modified' changeparam SIMTIMERATIO 0
ended 0
grep -v -e '^#' -e '^VERSION' stats/stats.sim >records

# SIMCPUSCALINGPERCENT scales run time and limit.
configure 'SIMCPUSCALINGPERCENT 50'
ran
[ "$(field 6)" = '600 ' ] || fail "the limits are $(field 6)"
[ "$(awk '{ print $12 - $11 }' records | sort -u)" = 300 ] || fail "the run times are not 300"

# SIMSTARTTIME: jobs submitted before it are there at once.
configure 'SIMSTARTTIME 600' 'SIMSTOPITERATION 1' 'RMPOLLINTERVAL 1'
start
[ "$(jobs_shown)" -eq 10 ] || fail "$(jobs_shown) of 10 jobs have come"
expect 0 '' schedctl -k
ended 0

# SIMJOBSSUBMISSIONPOLICY: jobs of 1200 processor-seconds until there are as many as asked for.
depth() { # POLICY DEPTH JOBS
  configure "SIMJOBSSUBMISSIONPOLICY $1" "SIMINITIALQUEUEDEPTH $2" 'SIMSTOPITERATION 1' \
    'RMPOLLINTERVAL 1' 'SIMNODECOUNT 1'
  start
  expect 0 "^Jobs: $3 " showq -i
  expect 0 '' schedctl -k
  ended 0
}
depth CONSTANTJOBDEPTH 7 7
depth CONSTANTPSDEPTH 3000 3

# SIMNODECOUNT and SIMNODECONFIGURATION choose among the nodes.
node() { echo "COMPUTENODE AVAILABLE 0 $1 [NONE] 2048 $2 4500 1 -1 -1 1 AIX R6000 [fast] [batch:1] [ether] 1.0 [NONE] [NONE] [NONE]"; }
{ node n1 512 && node n2 1024 && node n3 512 && node n4 512; } >nodes
processors() { # NUMBER SETTING...
  local number=$1
  shift
  configure 'SIMRESOURCETRACEFILE nodes' 'SIMSTOPITERATION 1' "$@"
  start
  expect 0 "of *$number Processors Active" showq
  expect 0 '' schedctl -k
  ended 0
}
processors 4 'SIMNODECOUNT 0'
processors 2 'SIMNODECOUNT 2'
processors 3 'SIMNODECONFIGURATION UNIFORM'
processors 2 'SIMNODECONFIGURATION UNIFORM' 'SIMNODECOUNT 2'

# A job that asks for what there is not runs only where SIMFLAGS have it left out.
job() { # CLASS FEATURES QOS FLAGS COMMENT HOSTS
  echo "job1 1 1 amy staff 600 Completed [$1:1] 1000 1000 1000 1300 [NONE] [NONE] [NONE] >= 0 >= 0 $2 1000 1 -1 $3 $4 [NONE] [NONE] $5 0 300.00 [DEFAULT] 1 0 0 0 0 0 [NONE] [NONE] $6 [NONE] [NONE] [NONE] [NONE]"
}
trace=('SIMRESOURCETRACEFILE nodes' 'SIMWORKLOADTRACEFILE jobs')
waits() { # why the job of the trace does not run
  configure "${trace[@]}" 'SIMAUTOSHUTDOWN FALSE' 'SIMSTOPITERATION 1'
  start
  expect 0 "$1" checkjob -v job1
  showq -r | grep -q job1 && fail "it runs in spite of its demand"
  expect 0 '' schedctl -k
  ended 0
}
runs() { # SETTING...
  configure "${trace[@]}" "$@"
  ran
  [ "$(field 1)" = 'job1 ' ] || fail "with $* it does not run"
}
job nosuch [NONE] [NONE] [NONE] [NONE] [NONE] >jobs
waits 'nosuch'
runs 'SIMFLAGS IGNCLASS'
job batch [nosuch] [NONE] [NONE] [NONE] [NONE] >jobs
waits 'nosuch'
runs 'SIMFLAGS IGNFEATURES'
job batch [NONE] [NONE] [NONE] [NONE] nosuch >jobs
waits "unknown host 'nosuch'"
runs 'SIMFLAGS IGNHOSTLIST'
runs 'SIMIGNOREJOBFLAGS HOSTLIST'
job batch [NONE] high [NONE] ACCESSMODE:DEDICATED [NONE] >jobs
runs
[ "$(field 24)" = 'high:high ' ] || fail "the QOS is $(field 24)"
runs 'SIMFLAGS IGNQOS'
[ "$(field 24)" != 'high:high ' ] || fail "the QOS is heeded"

# Flags of the trace, and what the settings make of them.
flags() { # PATTERN SETTING...
  local pattern=$1
  shift
  configure "${trace[@]}" 'SIMSTOPITERATION 1' "$@"
  start
  expect 0 "$pattern" checkjob -v job1
  expect 0 '' schedctl -k
  ended 0
}
job batch [NONE] [NONE] [RESTARTABLE] [NONE] [NONE] >jobs
flags 'Flags: *RESTARTABLE$'
flags 'Flags: *RESTARTABLE PREEMPTEE' 'SIMDEFAULTJOBFLAGS PREEMPTEE'
flags 'Flags: *PREEMPTEE$' 'SIMDEFAULTJOBFLAGS PREEMPTEE' 'SIMIGNOREJOBFLAGS RESTARTABLE'

# The access that a job asks for is not NODEACCESSPOLICY's, unless SIMFLAGS say so.
job batch [NONE] [NONE] [NONE] ACCESSMODE:SHARED [NONE] >jobs
flags 'NodeAccess: *SHARED' 'NODEACCESSPOLICY DEDICATED'
flags 'NodeAccess: *DEDICATED' 'NODEACCESSPOLICY DEDICATED' 'SIMFLAGS IGNMODE'

# The random delay is seeded: the same delays in each run, and they are there.
workload 20 >workload.swf
configure 'SIMMRRANDOMDELAY 300' 'SIMSTEPPOLICY EVENT'
ran
cp records first
ran
cmp first records || fail "two runs with random delays differ"
configure 'SIMSTEPPOLICY EVENT'
ran
cmp -s first records && fail "SIMMRRANDOMDELAY does nothing"

# A setting without effect is told once, at the start, on the terminal and in the log.
configure 'SIMEXITITERATION 1' 'JOBSIZEPOLICY x'
ran
[ "$(grep -c 'JOBSIZEPOLICY is set but has no effect in this release' out)" -eq 1 ] || fail "the terminal does not say it once"
[ "$(grep -c 'JOBSIZEPOLICY is set but has no effect in this release' log/maui.log)" -eq 1 ] || fail "nor the log"

# A simulation charges nobody, unless MAUIBANKTEST is set: then for all 20 jobs a lien and a debit.
configure 'BANKTYPE FILE'
ran
[ ! -e stats/allocations ] || fail "a simulation charges accounts"
export MAUIBANKTEST=1
ran
unset MAUIBANKTEST
[ "$(grep -c '^RESERVE .* PROCS=1 SECONDS=1200 AMOUNT=1200$' stats/allocations)" -eq 20 ] || fail "20 liens: $(cat stats/allocations)"
[ "$(grep -c '^DEBIT .* PROCS=1 SECONDS=600 AMOUNT=600$' stats/allocations)" -eq 20 ] || fail "20 debits: $(cat stats/allocations)"
# What a chargeable reservation leaves idle is charged until the simulation ends, here after 14 of its hours.
configure 'BANKTYPE FILE' 'SRCFG[phys] HOSTLIST=n1 CLASSLIST=nobody PERIOD=INFINITY CHARGEACCOUNT=phys' \
  'RMPOLLINTERVAL 1:00:00' 'SIMAUTOSHUTDOWN FALSE' 'SIMEXITITERATION 14'
export MAUIBANKTEST=1
ran
unset MAUIBANKTEST
grep -q '^DEBIT .*JOB=phys.* ACCOUNT=phys .*SECONDS=50400 AMOUNT=50400$' stats/allocations || fail "no charge until the end: $(cat stats/allocations)"
# One that cannot be reached neither keeps jobs back nor is forgotten.
configure 'BANKTYPE QBANK' 'BANKSERVER localhost' 'BANKPORT 1'
export MAUIBANKTEST=1
ran
unset MAUIBANKTEST
logged 'ERROR: *the allocation manager failed: cannot connect to localhost:1'
logged 'ALERT: *not sent to the allocation manager: DEBIT'
verdict
