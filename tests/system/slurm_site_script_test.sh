# A site's own job_submit.lua goes on beside the gate: it is asked first, what it refuses is refused, and what it
# says of priorities opens the gate for nobody.
# Usage: slurm_site_script_test.sh BIN_DIRECTORY FIRST_PORT
set -u
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/slurm/private_slurm.sh"
. "$source/tests/slurm/helper.sh"
need_slurm "$1"
work=$(mktemp -d)
chmod 755 "$work"
mkdir "$work/gate"
cp "$source"/etc/slurm/* "$work/gate"
cat >"$work/gate/job_submit.site.lua" <<'END'
function slurm_job_submit(job, partitions, uid)
  if job.comment == "forbidden" then
    slurm.log_user("the site forbids it")
    return slurm.ERROR
  end
  if job.comment == "broken" then error("the site's script breaks") end
  job.account = "chosen"
  job.priority = 77
  return slurm.SUCCESS
end
function slurm_job_modify(change, job, partitions, uid)
  if change.comment == "forbidden" then return slurm.ERROR end
  change.priority = 78
  return slurm.SUCCESS
end
return slurm.SUCCESS
END
slurm_gate=$work/gate slurm_up 1 "$work/slurm" "$2"

user="runuser -u nobody --"
submit="sbatch -D /tmp -o /dev/null --parsable"

one=$($user $submit --wrap true)
[ "$(field "$one" Account)" = chosen ] || fail "the site's script is not asked: account $(field "$one" Account)"
$user $submit --comment=forbidden --wrap true 2>&1 | grep -q 'the site forbids it' || fail "what the site forbids passes"
broken=$($user $submit --comment=broken --wrap true)
grep -q "job_submit.site.lua: .*the site's script breaks" "$slurm/slurmctld.log" || fail "slurmctld's log does not say what breaks"
$user scontrol update jobid="$one" comment=forbidden 2>/dev/null && fail "a change that the site forbids passes"
[ -z "$(field "$one" Comment)" ] || fail "a change that the site forbids is made"
$user scontrol update jobid="$one" timelimit=5 || fail "what the site allows is refused"
sleep 1.5 # slurmctld looks for jobs to start each second
for job in "$one" "$broken"; do
  [ "$(field "$job" Priority)" = 0 ] || fail "the site's script opens the gate for $job: priority $(field "$job" Priority)"
done
[ -z "$(squeue -h -t running)" ] || fail "something runs: $(squeue)"

# Requests of maui itself are not the site's to refuse.
scontrol update jobid="$one" admincomment=maui comment=forbidden || fail "maui's own request is refused"
[ "$(field "$one" Comment)" = forbidden ] || fail "maui's own request is lost"
exit "$failures"
