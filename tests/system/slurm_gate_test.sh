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

# What people may change opens it for none of them, and not for root.
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
kill -INT "$interactive" 2>/dev/null
[ -s "$MAUI_SLURM_EVENTS" ] || fail "the gate has told of no event"
verdict
