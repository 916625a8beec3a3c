# maui-rm-slurm before a real Slurm: what it tells, and what becomes of what it is asked for.
# Usage: slurm_jobs_test.sh BIN_DIRECTORY PORT
set -u
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/slurm/private_slurm.sh"
. "$source/tests/slurm/helper.sh"
need_slurm "$1"
slurm_gather=linux
with_prolog() {
  no_accounting
  printf '#!/bin/sh\n[ ! -e %s/prolog_fails ]\n' "$slurm" >"$slurm/prolog"
  chmod 755 "$slurm/prolog"
  echo "Prolog=$slurm/prolog" >>"$SLURM_CONF"
}
slurm_accounting=with_prolog
start_helper "$1" 4 "$2" --start-within 4 --measure-every 1

submit="sbatch -D /tmp -o /dev/null --parsable"

# runs_on JOB NODE:CPUS...: Slurm's own record of where it runs.
runs_on() {
  local job=$1 got
  shift
  got=$(scontrol -d show job "$job" | sed -n 's/^ *Nodes=\([^ ]*\) CPU_IDs=\([^ ]*\) .*/\1:\2/p' | tr '\n' ' ')
  [ "$got" = "$* " ] || fail "job $job runs on '$got', not '$*' (line ${BASH_LINENO[0]})"
}

# await_use JOB: it is told to have used processor time, and the 20 MB that it holds.
await_use() {
  local tries
  for ((tries = 0; tries < 300; ++tries)); do
    record "$1"
    [[ $reply =~ \;UCPUTIME=[1-9].*\;UMEM=([0-9]+)\; ]] && ((BASH_REMATCH[1] >= 20)) && return
    sleep 0.1
  done
  fail "job $1 is not told to use anything (line ${BASH_LINENO[0]}): $reply"
}

# Nodes.
ask 'CMD=GETNODES ARG=0:ALL'
[[ $reply == 'SC=0 ARG=4#n1:STATE=Idle;'* ]] || fail "nodes: $reply"
says 'CMEMORY=16000;'
says 'CPROC=8;'
says 'CCLASS=[batch:8]'
says 'CRES=gpu:2;'

# The requests of a job.
big=$($submit -N2 -n6 -t 5 --comment=qos:high -A chem --wrap 'sleep 60')
gpus=$($submit -n2 --gres=gpu:1 --mem=500 --wrap 'sleep 60')
late=$($submit -x n1 --begin=now+3600 --wrap true)
await_state "$big" Idle
says ';WCLIMIT=300;TASKS=6;'
says ';TASKPERNODE=3;'
says ';ACCOUNT=chem;'
says ';COMMENT=qos\:high;'
await_state "$gpus" Idle
# One task in place of two, which could not divide the GPU of their node.
says ';TASKS=1;TASKPERNODE=1;DPROCS=2;DMEM=500;DGRES=gpu:1;'
await_state "$late" Idle
says ';EXCLUDE_HOSTLIST=n1;'
says ';STARTDATE='

# A start is on exactly the nodes chosen, evenly; Slurm's first look at its queue takes seconds.
start "$big" n2:n2:n2:n4:n4:n4
start "$gpus" n3
refused already "CMD=STARTJOB ARG=$big TASKLIST=n1:n1:n1:n2:n2:n2"
refused 'no job 9999' 'CMD=STARTJOB ARG=9999 TASKLIST=n1'
refused '2 tasks' "CMD=STARTJOB ARG=$($submit -n2 --wrap true) TASKLIST=n1"
refused expected "CMD=SIGNALJOB ARG=$big ACTION=signal VALUE=SIGNONE"
await_state "$big" Running
says ';TASKLIST=n2:n2:n2:n4:n4:n4;'
runs_on "$big" 'n[2,4]:0-2'
await_state "$gpus" Running
runs_on "$gpus" n3:0-1

# The use of a running job is as Slurm gathers it.
busy=$($submit --wrap 'bytes=$(head -c 20000000 /dev/zero | tr "\\0" x); while :; do :; done')
start "$busy" n1
await_use "$busy"
ask "CMD=CANCELJOB ARG=$busy TYPE=ADMIN"
await_state "$busy" Removed

# A job that comes back waits for us, with its own wishes.
ask "CMD=REQUEUEJOB ARG=$big"
await_ready "$big"
[ "$(field "$big" ReqNodeList)" = '(null)' ] || fail "a requeued job keeps its nodes"
says ';TASKPERNODE=3;'
start "$big" n1:n1:n1:n2:n2:n2
await_state "$big" Running
runs_on "$big" 'n[1-2]:0-2'
scontrol requeue "$big"
await_ready "$big"

# Whom others requeue to be held is held, until the hold or a release that came since is the last word.
start "$big" n3:n3:n3:n4:n4:n4
await_state "$big" Running
scontrol requeuehold "$big"
await_state "$big" Hold
for ((tries = 0; tries < 3; ++tries)); do holder_is "$big" 'its user'; done
scontrol release "$big"
await_ready "$big"
start "$big" n1:n1:n1:n2:n2:n2
await_state "$big" Running
scontrol requeuehold "$big"
scontrol release "$big"
await_ready "$big"

# A job whose prolog fails is one that could not be started, though Slurm has begun it: that counts, once,
# and it waits for another start, which Slurm itself would not give it.
unlucky=$($submit --wrap 'sleep 60')
: >"$slurm/prolog_fails"
start "$unlucky" n4
until scontrol show node n4 | grep -q 'Reason=Prolog error'; do sleep 0.1; done
rm "$slurm/prolog_fails"
await_ready "$unlucky"
says ';REJCOUNT=1;'
says 'launch_failed_requeued_held'
scontrol update nodename=n4 state=resume
until scontrol show node n4 | grep -q 'State=IDLE '; do sleep 0.1; done
start "$unlucky" n1
await_state "$unlucky" Running
says ';REJCOUNT=1;'
scancel "$unlucky"
await_state "$unlucky" Removed

# Signalled, suspended, resumed, changed, cancelled, with the exit code of each.
told=$($submit --wrap 'sleep 60')
start "$told" n3
await_state "$told" Running
for ((tries = 0; tries < 20; ++tries)); do  # Slurm drops signals to a job that is not quite there
  ask "CMD=SIGNALJOB ARG=$told ACTION=signal VALUE=SIGTERM"
  [[ $reply == SC=0* ]] || break
  sleep 0.5
done
await_state "$told" Completed
says ';EXITCODE=143;'
ask "CMD=SUSPENDJOB ARG=$gpus"
await_state "$gpus" Suspended
ask "CMD=RESUMEJOB ARG=$gpus"
await_state "$gpus" Running
ask "CMD=MODIFYJOB ARG=$gpus TIMELIMIT=7"
record "$gpus"
says ';WCLIMIT=420;'
ask "CMD=CANCELJOB ARG=$gpus TYPE=ADMIN"
await_state "$gpus" Removed
code=$($submit --wrap 'exit 3')
start "$code" n1
await_state "$code" Completed
says ';EXITCODE=3;'
says ';TASKLIST=n1;'
ask "CMD=CANCELJOB ARG=$late TYPE=ADMIN"
await_state "$late" Removed

# An array's tasks start one by one, as many at once as it says.
array=$($submit --array=0-2%1 --wrap 'sleep 1')
state_is "${array}_1" Idle
says ';WAITREASON=its array has reached its limit of 1 running task'
start "${array}_0" n4
refused 'its array' "CMD=STARTJOB ARG=${array}_1 TASKLIST=n1"
await_state "${array}_0" Completed
await_ready "${array}_1"
start "${array}_1" n4
await_state "${array}_1" Completed

# Dependencies and licences.
first=$($submit -L matlab:1 --wrap 'sleep 1')
second=$($submit -L matlab:1 --wrap true)
after=$($submit -d "afterok:$first" --wrap true)
never=$($submit -d "afternotok:$first" --wrap true)
start "$first" n3
refused matlab "CMD=STARTJOB ARG=$second TASKLIST=n3"
refused afterok "CMD=STARTJOB ARG=$after TASKLIST=n3"
await_state "$first" Completed
await_ready "$second"
await_ready "$after"
# A licence that was taken a moment ago is known to be, though its job does not wait any longer.
for round in 1 2 3 4; do
  taker=$($submit -L matlab:1 --wrap 'sleep 60')
  await_ready "$taker"
  start "$taker" n3
  await_state "$taker" Running
  refused matlab "CMD=STARTJOB ARG=$second TASKLIST=n3"
  scancel "$taker"
done
state_is "$never" Idle
says ';HOLDREASON=its dependency'
gone() { [ -z "$(squeue -h -j "$1" -t running,completing 2>/dev/null)" ]; }
within 30 gone "$taker"
start "$after" n3
await_state "$after" Completed

# A node of which a part is free takes more.
part=$($submit -n3 --wrap 'sleep 60')
start "$part" n2:n2:n2
await_state "$part" Running
ask 'CMD=GETNODES ARG=0:n2'
says 'STATE=Running;'
scancel "$part"
await_state "$part" Removed

# A start that Slurm cannot carry out is taken back.
full=$($submit -n8 --wrap 'sleep 60')
start "$full" n1:n1:n1:n1:n1:n1:n1:n1
await_state "$full" Running
blocked=$($submit --wrap true)
start "$blocked" n1
await_state "$blocked" Idle
[ "$(field "$blocked" ReqNodeList)" = '(null)' ] || fail "a start that was taken back leaves its node"
[ "$(field "$blocked" Priority)" = 0 ] || fail "a start that was taken back leaves the gate open"

# Nodes that are drained and that fail.
scontrol update nodename=n1 state=drain reason=test
ask 'CMD=GETNODES ARG=0:n1'
says 'STATE=Draining;'
scontrol update nodename=n2 state=drain reason=test
ask 'CMD=GETNODES ARG=0:n2'
says 'STATE=Drained;'
scontrol update nodename=n1 state=down reason=test
await_ready "$full"
ask 'CMD=GETNODES ARG=0:n1'
says 'STATE=Down;'

# slurmctld hangs: that costs a deadline, once.
kill -STOP "$(cat "$slurm/slurmctld.pid")"
refused 'does not answer' 'CMD=GETNODES ARG=0:ALL'
refused 'does not answer' "CMD=STARTJOB ARG=$full TASKLIST=n3:n3:n3:n3:n3:n3:n3:n3"
kill -CONT "$(cat "$slurm/slurmctld.pid")"
await_state "$full" Idle 40

# It is restarted: jobs go on, and wait for us as before.
start "$blocked" n3
await_state "$blocked" Completed
stop_slurmctld TERM
start_slurmctld
await_state "$full" Idle 40
no_priority
for ((tries = 0; tries < 5; ++tries)); do  # the first look at its queue may take it too long
  record "$full"
  [[ $reply == STATE=Running* ]] && break
  [[ $reply == STATE=Idle* ]] && start "$full" n3:n3:n3:n3:n3:n3:n3:n3
  sleep 2
done
await_state "$full" Running
runs_on "$full" n3:0-7
# To a start that breaks a limit of a partition Slurm answers with an error, and carries it out all the
# same: the job runs in another of its partitions, or that start came to nothing, once.
scontrol create partitionname=narrow nodes=ALL state=up >/dev/null
elsewhere=$($submit -p narrow,batch --mem=100 --wrap true)
nowhere=$($submit -p narrow --mem=100 --wrap true)
await_ready "$elsewhere"
await_ready "$nowhere"
scontrol update partitionname=narrow maxmempernode=50
start "$elsewhere" n4
start "$nowhere" n4
grep -q 'Requested partition configuration not available now' "$slurm/slurmctld.log" || fail 'Slurm has no objection'
await_state "$elsewhere" Completed
[[ $reply != *REJCOUNT=* ]] || fail "a start that was carried out counts as refused: $reply"
await_state "$nowhere" Idle
for ((tries = 0; tries < 3; ++tries)); do
  record "$nowhere"
  says ';REJCOUNT=1;'
  says 'MaxMemPerLimit'
done
scancel "$nowhere"

# A slurm.conf without the gate is told.
ask 'CMD=GETWARNINGS ARG=0:ALL'
[[ $reply == 'SC=0 ARG=0#' ]] || fail "warnings: $reply"
expected="gate: slurm.conf has no JobSubmitPlugins=lua with maui's gate: Slurm starts jobs by itself"
"$1/maui-rm-slurm" --check | grep gate: && fail 'the gate is not seen'
grep -v JobSubmitPlugins "$gate/slurm.conf.maui" >"$slurm/etc/without_gate"
sed -i "s|^include .*|include $slurm/etc/without_gate|" "$SLURM_CONF"
stop_slurmctld TERM
start_slurmctld
[[ $("$1/maui-rm-slurm" --check) == "$expected"* ]] || fail "check: $("$1/maui-rm-slurm" --check 2>&1)"
for ((tries = 0; tries < 60; ++tries)); do
  ask 'CMD=GETWARNINGS ARG=0:ALL'
  [[ $reply != *ARG=1#gate:* ]] || break
  sleep 1
done
says 'Slurm starts jobs by itself'
verdict
