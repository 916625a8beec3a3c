# Before a Slurm that has nothing to do, neither the scheduler nor its helper keeps the machine busy: the
# scheduler sleeps between polls, also when it is stopped, and the helper but for its look each second.
# Usage: slurm_idle_test.sh BIN_DIRECTORY PORT
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/slurm/private_slurm.sh"
need_slurm "$1"
. "$source/tests/system/support.sh"
. "$source/tests/system/idle_support.sh"
slurm=
finish_slurm() {
  slurm_down
  finish
}
trap finish_slurm EXIT
cd "$MAUIHOMEDIR" || exit 1
chmod 755 "$MAUIHOMEDIR"
slurm_up 2 "$MAUIHOMEDIR/slurm" "$2"
configure
cat >maui.cfg <<END
$(normal_mode)
RMCFG[slurm]     TYPE=SLURM
RMPOLLINTERVAL   0:10:00
NODEACCESSPOLICY SHARED
END
start --foreground
within 20 shown Active diagnose -R

# A job that runs and one that waits are nothing to do.
running=$(sbatch -D "$MAUIHOMEDIR" -o /dev/null --parsable -t 10 --wrap 'sleep 600')
waiting=$(sbatch -D "$MAUIHOMEDIR" -o /dev/null --parsable -t 10 --hold --wrap true)
within 20 shown Running checkjob "$running"
within 20 shown Hold checkjob "$waiting"
helper=$(pgrep -P "$scheduler" maui-rm-slurm)
is_idle "the scheduler before Slurm" "$scheduler"
# Each look asks slurmctld for what has changed, a connection a question, from a thread of its own.
is_idle "the helper for Slurm" "$helper" 20 10

expect 0 '' schedctl -s
is_idle "a scheduler that is stopped" "$scheduler"
is_idle "the helper of one that is stopped" "$helper" 20 10
kill -TERM "$scheduler"
ended 0
verdict
