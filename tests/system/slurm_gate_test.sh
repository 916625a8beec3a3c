# The gate (etc/slurm/job_submit.lua): nothing passes it but by maui's word, and holds are kept apart.
# Usage: slurm_gate_test.sh BIN_DIRECTORY FIRST_PORT
set -u
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/slurm/private_slurm.sh"
. "$source/tests/slurm/helper.sh"
need_slurm "$1"
start_helper "$1" 2 "$2"

user="runuser -u nobody --"
submit="sbatch -D /tmp -o /dev/null --parsable"

# Every way in leads to the gate.
one=$($user $submit --wrap true)
$user $submit --priority=100 --wrap true >/dev/null
$user $submit --nice=-10 --wrap true >/dev/null 2>&1
$user $submit --nice=10 --wrap true >/dev/null
array=$($user $submit --array=0-2 --wrap true)
held=$($user $submit --hold --wrap true)
$user srun -D /tmp true >/dev/null 2>&1 &
interactive=$!
state_is "$one" Idle
state_is "$held" Hold

# No setting that people may change opens it for them, nor for root.
$user scontrol update jobid="$one" nice=5
$user scontrol update jobid="$array" nice=5
$user scontrol update jobid="$one" priority=7 2>/dev/null
$user scontrol update jobid="$one" timelimit=5
$user scontrol top "$one" 2>/dev/null
scontrol update jobid="$one" priority=9
scontrol update jobid="$array" nice=-5
scontrol update jobid="$array"_1 nice=2
$user scontrol update jobid="$one" admincomment=mine 2>/dev/null && fail "a user writes our notes"
no_priority

# Whose hold it is decides who releases it.
$user scontrol hold "$one"
holder_is "$one" 'its user'
$user scontrol release "$one"
state_is "$one" Idle
scontrol hold "$one"
$user scontrol hold "$one"
$user scontrol release "$one"
holder_is "$one" 'an administrator'
scontrol release "$one"
state_is "$one" Idle
scontrol update jobid="$one" priority=0 admincomment="maui nodes=1-0 set=1 cpus=1"  # as it ran, for maui
state_is "$one" Idle
$user scontrol hold "$array"
holder_is "${array}_2" 'its user'
scontrol release "$array"
state_is "${array}_2" Idle
scontrol hold "${array}_2"
state_is "${array}_1" Idle
holder_is "${array}_2" 'an administrator'
$user scontrol release "$held"
state_is "$held" Idle

# Holds outlast slurmctld, and the gate stays shut over its start.
scontrol hold "$one"
stop_slurmctld TERM
start_slurmctld
holder_is "$one" 'an administrator'
sleep 1.5  # slurmctld looks for jobs to start each second
no_priority
[ -z "$(squeue -h -t running)" ] || fail "something runs: $(squeue)"

# Components of one job are left to Slurm itself.
several=$($submit --wrap true : --wrap true)
for ((tries = 0; tries < 400; ++tries)); do
  [[ $(squeue -h -t all -j "$several" -o %T | sort -u) == COMPLETED ]] && break
  sleep 0.1
done
[ "$tries" -lt 400 ] || fail "Slurm does not start a job of several components: $(squeue)"

# A job that cannot be scheduled is refused with words for the user.
$submit --contiguous --wrap true 2>&1 | grep -q 'contiguous cannot be used' || fail "--contiguous passes"
$submit --exclusive=mcs --wrap true 2>&1 | grep -q 'maui knows no MCS labels' || fail "--exclusive=mcs passes"
for constraint in 'fast*1&ib*2' '[fast*1&ib*1]&rack*1'; do
  $submit -N3 -C "$constraint" --wrap true 2>&1 | grep -q 'one pair of brackets' || fail "$constraint passes"
done
plain=$($user $submit -C 'fast*1' --wrap true)
$user scontrol update jobid="$plain" features='fast*1&fast*1' 2>/dev/null && fail "another constraint passes"
[ "$(field "$plain" Features)" = 'fast*1' ] || fail "the constraint is $(field "$plain" Features)"
scancel "$plain"
scontrol update partitionname=batch oversubscribe=force:2
$submit --wrap true 2>&1 | grep -q 'several jobs on a processor' || fail "FORCE:2 passes"
scontrol update partitionname=batch oversubscribe=no

# The file of events has what it needs from its owner alone, is bounded, and is missed by name.
for ((i = 0; i < 7000; ++i)); do echo 1234567890; done >>"$MAUI_SLURM_EVENTS"
$submit --wrap true >/dev/null
[ "$(stat -c %s "$MAUI_SLURM_EVENTS")" -lt 100 ] || fail "the file of events grows"
mv "$MAUI_SLURM_EVENTS" "$MAUI_SLURM_EVENTS.old"
mkdir "$MAUI_SLURM_EVENTS"
$submit --wrap true >/dev/null
rmdir "$MAUI_SLURM_EVENTS"
mv "$MAUI_SLURM_EVENTS.old" "$MAUI_SLURM_EVENTS"
grep -q 'maui gate:.*cannot be written' "$slurm/slurmctld.log" || fail "slurmctld does not miss the file"

# Without the gate, what waited for maui, which is stopped, is given back, and what people hold is not.
kill -INT "$interactive" 2>/dev/null
kill -STOP "$(pgrep -P "$helper")"  # it would close the gate before jobs that are open
kept=$($user $submit --hold --wrap true)
part=$($user $submit --array=0-3 --wrap true)
scontrol hold "${part}_2"
$user scontrol hold "${part}_1"
scontrol create partitionname=closed nodes=ALL state=up >/dev/null
shut=$($user $submit -p closed --wrap true)  # Slurm holds it, and says that it does not
scontrol hold "$shut"
echo 'PartitionName=closed Nodes=ALL State=INACTIVE' >>"$SLURM_CONF"
stop_slurmctld TERM
sed -i '/slurm.conf.maui/d' "$SLURM_CONF"
start_slurmctld
export MAUI_RM_SLURM=$1/maui-rm-slurm
waiting=$("$source/etc/slurm/release_waiting" --list)
for job in "$held" "$array"; do [[ $waiting == *"$job"* ]] || fail "$job is not listed: $waiting"; done
for job in "$one" "$kept" "$part" "${part}_1" "${part}_2" "$shut"; do
  [[ $'\n'$waiting$'\n' != *$'\n'"$job"$'\n'* ]] || fail "$job is listed, and held"
done
"$source/etc/slurm/release_waiting"
for ((tries = 0; tries < 100; ++tries)); do
  waiting=$("$source/etc/slurm/release_waiting" --list)
  [ -n "$waiting" ] || break
  sleep 0.1
done
[ -z "$waiting" ] || fail "these still wait for maui: $waiting: $(scontrol show job)"
[ "$(squeue -h -r -j "$one,$kept,${part}_1,${part}_2" -O prioritylong | sort -u | tr -d ' ')" = 0 ] ||
  fail "holds are gone: $(squeue -r)"
# Whose hold it is decides as before who releases it.
$user scontrol release "$kept" "${part}_1"
for job in "$one" "${part}_2" "$shut"; do
  [ "$(field "$job" Reason)" = JobHeldAdmin ] || fail "the administrator's hold of $job is $(field "$job" Reason)"
  $user scontrol release "$job" 2>/dev/null && fail "a user releases the administrator's hold of $job"
  [ "$(field "$job" Priority)" = 0 ] || fail "the administrator's hold of $job is gone"
done
[ "$(squeue -h -r -j "$kept,${part}_1" -O prioritylong | grep -cx ' *0 *')" = 0 ] || fail "a user's own hold stays"
[ -s "$MAUI_SLURM_EVENTS" ] || fail "the gate has told of no event"

# A job that people hold when the gate is put in stays held, and is theirs to release, also where Slurm does not let
# the holds of jobs be changed, since their partition is inactive.
scontrol update partitionname=closed state=up
resting=$($user $submit -p closed --hold --wrap true)
old=$($user $submit --hold --wrap true)
others=$($user $submit --begin=now+900 --wrap true)
many=$($user $submit --hold --array=0-1 --wrap true)
scontrol hold "$others"
[[ $'\n'$("$source/etc/slurm/release_waiting" --list)$'\n' != *$'\n'"$old"$'\n'* ]] || fail "$old is listed"
stop_slurmctld TERM
echo "include $gate/slurm.conf.maui" >>"$SLURM_CONF"
start_slurmctld
kill -CONT "$(pgrep -P "$helper")"
for ((tries = 0; tries < 2; ++tries)); do
  holder_is "$old" 'its user'
  holder_is "$others" 'an administrator'
  holder_is "${many}_1" 'its user'
  holder_is "$resting" 'its user'
done
scontrol update partitionname=closed state=up
for ((tries = 0; tries < 2; ++tries)); do holder_is "$resting" 'its user'; done
$user scontrol release "$old" "$resting"
state_is "$old" Idle
state_is "$resting" Idle
$user scontrol release "$others" 2>/dev/null
holder_is "$others" 'an administrator'
scontrol release "$others"
state_is "$others" Idle
verdict
