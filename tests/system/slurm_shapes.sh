# Sourced by slurm_live_test.sh: every shape that a job can ask for, before the scheduler and Slurm.
# Jobs that ended go into `shaped`.
shaped=()

# where_slurm_has_it JOB: "n1:3 n2:1", the CPUs on each node.
where_slurm_has_it() {
  scontrol -d show job "$1" | sed -n 's/^ *Nodes=\([^ ]*\) CPU_IDs=\([^ ]*\) .*/\1 \2/p' |
    while read -r nodes ids; do
      local count=0 range
      for range in ${ids//,/ }; do count=$((count + ${range#*-} - ${range%-*} + 1)); done
      for node in $(scontrol show hostnames "$nodes"); do echo "$node:$count"; done
    done | sort | tr '\n' ' '
}
# where_we_have_it JOB: the same, of tasks of one CPU.
where_we_have_it() {
  checkjob "$1" | sed -n '/^Allocated Nodes:/,/^$/p' | grep -o '\[n[0-9]*:[0-9]*\]' | tr -d '[]' | sort | tr '\n' ' '
}

# runs_on PLACES OPTION...: such a job, whose name is in `job` then, runs soon, on such nodes with so many CPUs.
runs_on() {
  local places=$1 got
  shift
  job=$(submit "$@" --wrap 'sleep 60')
  shaped+=("$job")
  within 30 field_is "$job" JobState RUNNING || { checkjob "$job"; return 1; }
  got=$(where_slurm_has_it "$job")
  [[ ${got% } =~ ^($places)$ ]] || fail "sbatch $* runs on '$got', not on '$places'"
}
# takes_shape PLACES OPTION...: and where we said.
takes_shape() {
  local job
  runs_on "$@" && within 10 has_it_alike "$job"
  scancel "$job"
}
# takes_joined_shape PLACES OPTION...: what the tasks of a node have together is asked for by one of ours.
takes_joined_shape() {
  local job
  runs_on "$@"
  scancel "$job"
}
has_it_alike() { [ "$(where_slurm_has_it "$1")" = "$(where_we_have_it "$1")" ]; }

# waits_for REASON JOB: as checkjob tells, and it is neither held nor deferred.
waits_for() {
  within 20 shown "$1" checkjob "$2"
  ! shown '^Holds:\|eferred' checkjob "$2" || fail "job $2 is held: $(checkjob "$2")"
}
# held_for REASON JOB
held_for() {
  within 20 shown "$1" checkjob "$2"
  shown '^Holds:.*Batch' checkjob "$2" || fail "job $2 is not held: $(checkjob "$2")"
  scancel "$2"
}
lacks() { ! shown "$@"; }
# seen PATTERN JOB: what its user sees of it.
seen() { squeue -h -j "$2" -O admin_comment:100 | grep -q "^$1"; }
ends_well() { within 60 field_is "$1" JobState COMPLETED; shaped+=("$1"); }

# Node counts have a minimum and a maximum; tasks lie where Slurm puts them.
n='n[1-4]'
takes_shape "$n:5 $n:1 $n:1" -N3 -n7
takes_shape "$n:2 $n:1" -N2-4 -n3
takes_shape "$n:1 $n:1" -N2
takes_shape "$n:4" -N1 -n4
takes_shape "$n:3 $n:3" -N2 -n6
takes_shape "$n:[78] $n:[23]" -n10
takes_shape "$n:2 $n:2 $n:2" -n6 --ntasks-per-node=2
takes_shape "$n:2 $n:2" -n4 --ntasks-per-socket=2
takes_shape "$n:3" -n3 --mem=300

# GPUs that the tasks of a node share, or those of the whole job; memory beside many tasks.
takes_joined_shape "$n:4" -n4 --gres=gpu:1
takes_joined_shape "$n:8 $n:8" -N2 --ntasks-per-node=8 --gres=gpu:1
takes_joined_shape "$n:3" -n3 --gpus=2
takes_joined_shape "$n:2 $n:2" -n4 --gpus=4
takes_joined_shape "$n:[78] $n:[78] $n:[78] $n:[67]" -n30 --mem=100
takes_joined_shape "$n:3" -n3 --mem=16000

# Tasks that cannot be divided evenly, with GPUs of each node or of all; whole nodes of a partition.
takes_joined_shape "$n:3 $n:2" -N2 -n5 --gres=gpu:1
takes_joined_shape "$n:3 $n:2 $n:2" -N3 -n7 --gres=gpu:2
takes_joined_shape "$n:6 $n:5" -n11 --gres=gpu:1
takes_joined_shape "$n:3 $n:2" -N2 -n5 --gpus=3
takes_joined_shape "$n:[68] $n:[24]" -N2 -n5 -c2
scontrol update partitionname=batch oversubscribe=exclusive
takes_joined_shape "$n:8 $n:8" -n9
scontrol update partitionname=batch oversubscribe=no

# Tasks that are counted by the GPU; nodes that are shared with its own user's jobs alone.
takes_joined_shape "$n:2 $n:1" --ntasks-per-gpu=1 -n3
takes_joined_shape "$n:[23] $n:[12] $n:1" --ntasks-per-gpu=1 --gpus=5
takes_joined_shape "$n:2 $n:2 $n:2" --ntasks-per-gpu=2 --gpus=3
takes_joined_shape "$n:1 $n:1 $n:1" --ntasks-per-gpu=1 --gpus=3 -N2-3
takes_joined_shape "n1:1 n2:1 $n:1" --ntasks-per-gpu=1 --gpus=3 -w n1,n2
first=$(submit -w n1 --exclusive=user --wrap 'sleep 60')
within 30 field_is "$first" JobState RUNNING
second=$(runuser -u nobody -- sbatch -D /tmp -o /dev/null --parsable -t 10 -w n1 --wrap 'sleep 60')
takes_shape 'n1:1' -w n1
shown 'cannot run' checkjob "$second" || fail "$second of another user is beside $first: $(checkjob "$second")"
scancel "$first"
within 30 field_is "$second" JobState RUNNING
scancel "$second"
shaped+=("$first" "$second")

# With all the memory of its node, a job has it alone; nobody is sent there.
whole=()
for ((i = 0; i < 3; ++i)); do whole+=("$(submit --mem=0 --wrap 'sleep 60')"); done
for taker in "${whole[@]}"; do within 30 field_is "$taker" JobState RUNNING; done
late=$(submit -N4 --wrap true)
within 20 shown 'cannot run' checkjob "$late"
! grep -e "cannot start job '$late'" -e "job '$late' is not started" log/maui.log ||
  fail "job $late was sent to a node without memory"
scancel "${whole[@]}"
shaped+=("${whole[@]}")
ends_well "$late"

# Constraints: and, or, one of, and counts.
for node in n1 n2; do scontrol update nodename=$node availablefeatures=fast,rack1 activefeatures=fast,rack1; done
for node in n3 n4; do scontrol update nodename=$node availablefeatures=ib,rack2 activefeatures=ib,rack2; done
within 20 shown rack2 checknode n4
takes_shape 'n[34]:1' -C 'ib&rack2'
takes_shape 'n[1-4]:1 n[1-4]:1' -N2 -C 'fast|ib'
takes_shape 'n1:1 n2:1|n3:1 n4:1' -N2 -C '[fast|ib]'
takes_shape 'n[12]:1' -C 'rack1&(fast|ib)'
takes_shape 'n[12]:1 n[34]:1' -N2 -C '[fast*1&ib*1]'
takes_shape 'n[12]:1 n[1-4]:1' -N2 -C 'fast*1'
takes_shape 'n[12]:1 n[34]:1' -N2 -C '[(fast&rack1)*1&ib*1]'
for node in n1 n2 n3 n4; do scontrol update nodename=$node availablefeatures=fast activefeatures=fast; done

# Overcommitted: Slurm runs all tasks on a CPU a node.
takes_shape 'n[1-4]:1' -O -n 20
takes_shape 'n[1-4]:1 n[1-4]:1' -O -N2 -n 20
takes_shape 'n[1-4]:1 n[1-4]:1' -O -N2-3 -n 20

# Nodes that a job excludes; several partitions, of which one is down.
takes_shape 'n4:1' -x 'n[1-3]'
scontrol create partitionname=off nodes=n4 maxtime=5 defmempercpu=100 >/dev/null
takes_shape 'n[1-4]:1' -t 5 -p off,batch
scontrol update partitionname=off state=down
late=$(submit -t 5 -p off --wrap "$(work 0.2)")
waits_for "partition 'off' is down" "$late"
takes_shape 'n[1-4]:1' -t 5 -p off,batch
scontrol update partitionname=off state=up
ends_well "$late"
long=$(submit -t 10 -p off --wrap true)
within 20 seen 'maui: held: .*at most .* minutes' "$long"
held_for 'at most .* minutes' "$long"
scontrol delete partitionname=off

# Licences, and Slurm's own reservations of nodes.
first=$(submit -L matlab:1 --wrap "until [ -e $MAUIHOMEDIR/seen_waiting ]; do sleep 0.2; done; $(work 0.2)")
within 30 field_is "$first" JobState RUNNING
second=$(submit -L matlab:1 --wrap "$(work 0.2)")
waits_for "1 licence 'matlab'" "$second"
touch "$MAUIHOMEDIR/seen_waiting"
ends_well "$first"
ends_well "$second"
scontrol create reservation reservationname=kept nodes=n1,n2 users=root starttime=now duration=60 >/dev/null
within 20 shown kept showres
takes_shape 'n[34]:1 n[34]:1' -N2
takes_shape 'n[12]:1' --reservation=kept
scontrol delete reservationname=kept
# Nobody is sent where maintenance began a moment ago.
scontrol create reservation reservationname=repair nodes=n2,n3,n4 users=root flags=maint,ignore_jobs starttime=now duration=60 >/dev/null
takes_shape 'n1:1' -n1
! grep "job '${shaped[-1]}' is not started" log/maui.log || fail "a start in vain where maintenance has begun"
scontrol delete reservationname=repair
within 20 lacks repair showres
within 20 lacks kept showres

# Components of one job are started by Slurm itself, all at one moment.
several=$(submit -n1 --wrap "$(work 2)" : -n2)
within 60 field_is "$several" JobState COMPLETED

# Users see that their jobs wait for maui, and when these are planned to start, tasks of an array together.
first=$(submit -w n1 --exclusive --wrap 'sleep 60')
within 30 field_is "$first" JobState RUNNING
shaped+=("$first")
second=$(submit -w n1 --exclusive --wrap true)
within 10 seen 'maui: planned to start 20.*, waits since 20' "$second"
seen 'maui: started 20' "$first" || fail "$first is seen as '$(squeue -h -j "$first" -O admin_comment:100)'"
scancel "$second"
second=$(submit --array=1-3 -w n1 --exclusive --wrap true)
within 10 seen 'maui: planned to start 20' "$second"
third=$(submit -w n1 --exclusive --wrap true)
seen 'maui: waits since 20.*, see checkjob' "$third" || fail "$third is seen as '$(squeue -h -j "$third" -O admin_comment:100)'"
[ "$(squeue -h -j "$second" -o %i)" = "${second}_[1-3]" ] || fail "an array is torn: $(squeue -h -j "$second" -o %i)"
scancel "$first" "$second" "$third"

# Why a job waits is told, without a hold.
late=$(submit --begin=now+3600 --wrap true)
within 20 checkjob "$late"
dependent=$(submit -d "afterok:$late" --wrap true)
waits_for "it waits for afterok:$late" "$dependent"
scancel "$late" "$dependent"
