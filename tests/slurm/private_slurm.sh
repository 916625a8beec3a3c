# Sourced by tests: a Slurm of one's own on the loopback, with emulated nodes and the gate of etc/slurm.
# Needs root and Debian's packages slurm-wlm, slurmctld and slurmd; a test is skipped without.

readonly SKIPPED=77

skip() {
  echo "SKIPPED: $*"
  exit $SKIPPED
}

# need_slurm BIN: ends the test where there is nothing to test with.
need_slurm() {
  local program
  [ "$(id -u)" -eq 0 ] || skip "only root can run a Slurm of its own"
  for program in slurmctld slurmd sbatch scontrol squeue; do
    command -v $program >/dev/null || skip "$program is not installed (./check --slurm installs it)"
  done
  [ -x "$1/maui-rm-slurm" ] || skip "maui-rm-slurm was not built: libslurm-dev is not installed"
}

# free_ports FIRST COUNT: the first of COUNT ports in a row that nobody listens on.
free_ports() {
  local first=$1 port
  for ((port = first; port < first + $2; ++port)); do
    if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      first=$((port + 1))
    fi
  done
  echo "$first"
}

# slurm_conf NODES FIRST_PORT: sets no limits, so that what runs where is maui's doing alone.
slurm_conf() {
  local host
  host=$(hostname -s)
  cat <<END_OF_CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$2
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$slurm/state
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdPidFile=$slurm/%n.pid
SlurmdSpoolDir=$slurm/%n
SlurmdLogFile=$slurm/%n.log
SlurmdParameters=config_overrides
SlurmdTimeout=60
ReturnToService=1
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/${slurm_gather-none}
JobAcctGatherFrequency=task=1
KillWait=2
Licenses=matlab:1
GresTypes=gpu
include $gate/slurm.conf.maui
NodeName=n[1-$1] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$(($2 + 1))-$(($2 + $1))] CPUs=8 CoresPerSocket=8 RealMemory=16000 TmpDisk=1000 Feature=fast Gres=gpu:2 State=UNKNOWN
PartitionName=batch Nodes=ALL Default=YES MaxTime=INFINITE DefMemPerCPU=100
END_OF_CONF
}

start_slurmctld() {
  slurmctld -f "$SLURM_CONF" "$@" >>"$slurm/out" 2>&1
  until scontrol ping 2>/dev/null | grep -q 'is UP'; do
    sleep 0.05
    [ -e "$slurm/slurmctld.log" ] && ! grep -q fatal "$slurm/slurmctld.log" || break
  done
}

# stop_slurmctld SIGNAL: and waits for its end.
stop_slurmctld() {
  local id
  id=$(cat "$slurm/slurmctld.pid")
  kill -"$1" "$id"
  while kill -0 "$id" 2>/dev/null; do sleep 0.05; done
}

# Slurm's accounting is brought up by private_accounting.sh.
no_accounting() { echo AccountingStorageType=accounting_storage/none >>"$SLURM_CONF"; }

# slurm_up NODES DIRECTORY PORT: brings it up, and sets SLURM_CONF.  PORT is that of the test, which
# has forty others with it.  slurm_gate: another folder for the gate's scripts and slurm.conf.maui.
# slurm_gather: the plugin that gathers what jobs use, such as linux.
slurm_up() {
  local node first
  slurm=$2
  gate=${slurm_gate-$source/etc/slurm}
  mkdir -p "$slurm/etc" "$slurm/state"
  export SLURM_CONF=$slurm/etc/slurm.conf MAUI_SLURM_EVENTS=$slurm/events
  : >"$MAUI_SLURM_EVENTS"
  first=$(free_ports $((20000 + $3 % 300 * 40)) $(($1 + 2)))
  slurm_conf "$1" "$first" >"$SLURM_CONF"
  [ ! -e "$gate/job_submit.lua" ] || cp "$gate"/*.lua "$slurm/etc"
  mknod "$slurm/gpu0" c 1 3 && mknod "$slurm/gpu1" c 1 3
  echo "Name=gpu File=$slurm/gpu[0-1]" >"$slurm/etc/gres.conf"
  printf 'CgroupPlugin=cgroup/v1\nCgroupMountpoint=%s/cgroup\n' "$slurm" >"$slurm/etc/cgroup.conf"
  ${slurm_accounting-no_accounting} $((first + $1 + 1))
  start_slurmctld -i -c
  for ((node = 1; node <= $1; ++node)); do
    mkdir -p "$slurm/n$node"
    slurmd -N "n$node" -f "$SLURM_CONF" -c >>"$slurm/out" 2>&1
  done
  for ((node = 0; node < 200; ++node)); do
    [ "$(sinfo -h -N -t idle -o %N 2>/dev/null | sort -u | wc -l)" -eq "$1" ] && return
    sleep 0.1
  done
  echo "the private Slurm did not come up:"
  cat "$slurm/out" "$slurm/slurmctld.log"
  exit 1
}

# end_steps: ends what slurmd has started for steps of jobs, and their processes, which outlive it.
end_steps() {
  local of id
  for of in $(grep -lszxF "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ); do
    id=${of//[!0-9]/}
    [ "$(cat "/proc/$id/comm" 2>/dev/null)" = slurmstepd ] || grep -qsz '^SLURM_JOB_ID=' "$of" || continue
    kill -KILL "$id" 2>/dev/null
  done
}

# Ends what the files of process ids name, if it still is what it was.
slurm_down() {
  local file id
  [ -n "${slurm-}" ] || return
  timeout 5 scancel --state=pending 2>/dev/null
  timeout 5 scancel -s KILL -f --state=running 2>/dev/null
  for file in "$slurm"/*.pid; do
    id=$(cat "$file" 2>/dev/null)
    case $(cat "/proc/$id/comm" 2>/dev/null) in slurmctld* | slurmd* | mariadbd) kill -KILL "$id" ;; esac
  done
  end_steps
}
