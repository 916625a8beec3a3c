# maui compare has a real Slurm do the runs of a comparison.
# Usage: slurm_compare_test.sh BIN_DIRECTORY PORT
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/system/support.sh"
. "$source/tests/slurm/private_slurm.sh"
need_slurm "$bin"
finish_slurm() {
  slurm_down
  finish
}
trap finish_slurm EXIT

slurm_gate=$MAUIHOMEDIR/gate  # Slurm alone: nobody else schedules here
mkdir "$slurm_gate"
echo SchedulerType=sched/backfill >"$slurm_gate/slurm.conf.maui"
slurm_up 2 "$MAUIHOMEDIR/slurm" "$port"
cd "$MAUIHOMEDIR" || exit 1
log=$source/tests/data/kth_excerpt.swf.gz

what=(-w "$log" -s "BACKFILLPOLICY=NONE,BESTFIT")
maui compare "${what[@]}" >direct || fail "compare: $(cat direct)"
expect 0 '^3 runs in 3 parts submitted as job [0-9]' maui compare "${what[@]}" --submit parts --submitter 'sbatch -p batch'
ended_in_slurm() { [ -z "$(squeue -h)" ]; }
within 200 ended_in_slurm
maui compare --merge parts | cmp - direct || fail "what Slurm ran differs: $(cat parts/log.*; ls parts)"
[ "$(sinfo -h -o %P)" = 'batch*' ] || fail "there is another partition"
expect 1 'did not accept the jobs: .*[Ii]nvalid partition' maui compare "${what[@]}" --submit other --submitter 'sbatch -p nowhere'
verdict
