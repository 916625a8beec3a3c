# The scheduler before a real Slurm: everything ends, each once, where it was sent, whatever fails.
# Usage: slurm_live_test.sh BIN_DIRECTORY PORT     environment: SLURM_JOBS, SLURM_NODES for a longer one
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/slurm/private_slurm.sh"
. "$source/tests/slurm/private_accounting.sh"
need_slurm "$1"
. "$source/tests/system/support.sh"

nodes=${SLURM_NODES-4} jobs=${SLURM_JOBS-40}
slurm=
if can_account; then account_in_slurm; else echo "Slurm's own accounting is left out: no slurmdbd"; fi

# The words of both on jobs that did not end, when a test has failed.
report() {
  local id
  sinfo -h -N -o '%N %T %C %E'
  for id in $(squeue -h -r -t pending,running,suspended,completing -o %i); do
    scontrol show job "$id"
    [ -n "$scheduler" ] && checkjob "$id"
  done
  [ -n "$scheduler" ] && diagnose -n
  ! can_account || accounted -D -o JobID,JobIDRaw,State,Submit,Start,End,NodeList
  tail -n 400 "$slurm/slurmctld.log"
}
finish_slurm() {
  [ "$failures" -eq 0 ] || report
  slurm_down
  finish
}
trap finish_slurm EXIT
cd "$MAUIHOMEDIR" || exit 1
chmod 755 "$MAUIHOMEDIR"
slurm_up "$nodes" "$MAUIHOMEDIR/slurm" "$2"
export RAN=$MAUIHOMEDIR/ran
: >ran

configure
cat >maui.cfg <<END
$(normal_mode)
LOGLEVEL         3
RMCFG[slurm]     TYPE=SLURM TIMEOUT=6
RMPOLLINTERVAL   2
JOBAGGREGATIONTIME 0
NODEACCESSPOLICY SHARED
DEFERTIME        0:00:02
JOBSYNCTIME      1:00:00
JOBPURGETIME     1:00:00
JOBMAXOVERRUN    0:05:00
SYSCFG           QDEF=standard QLIST=standard,high
QOSCFG[high]     PRIORITY=1000
END
start --foreground

field() { scontrol show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -1; }
field_is() { [ "$(field "$1" "$2")" = "$3" ]; }
hosts() { scontrol show hostnames "$(field "$1" "$2")" | sort | tr '\n' ' '; }
submit() { sbatch -D "$MAUIHOMEDIR" -o /dev/null --parsable -t 10 "$@" || fail "sbatch $*"; }
# The work of jobs: they leave a line, and take a while.
work() { echo "echo \$SLURM_JOB_ID >>$RAN; sleep $1"; }
all_ended() {
  local list
  list=$(IFS=,; echo "$*")
  list=$(squeue -h -j "$list" -t pending,running,suspended,completing) && [ -z "$list" ]
}

# JOB START END NODES of each job that ran, for us and for Slurm.
in_order() { tr ':' '\n' | sort | paste -s -d :; }
ours() {
  cat stats/stats.* | awk 'NF == 44 && $11 > 0 { print $1, $11, $12, $38 }' |
    while read -r job from to hosts; do echo "$job $from $to $(in_order <<<"$hosts")"; done | sort
}
told_by_slurm() {
  export SLURM_TIME_FORMAT=%s
  if can_account; then
    accounted -o JobID,JobIDRaw,Start,End,NodeList
  else
    squeue -h -r -t all -o '%i|%A|%S|%e|%N'
  fi
}
accounted() { sacct -a -X -n -P -S now-1day "$@"; }  # leaves out who has no eligible time
theirs() {
  local job raw from to hosts
  (told_by_slurm) | grep '|n[^|]*$' | while IFS='|' read -r job raw from to hosts; do
    [[ $job == *+* ]] && job=$raw  # a component
    echo "$job $from $to $(scontrol show hostnames "$hosts" | in_order)"
  done | sort
}
agreed() { diff <(ours) <(theirs) >difference; }

within 20 shown Active diagnose -R
shown '(file of events, watched by the helper)' diagnose -R || fail "events: $(diagnose -R)"

# Root's scheduler has no capability, nor has its helper.
for process in "$scheduler" "$(pgrep -P "$scheduler" maui-rm-slurm)"; do
  ! grep '^Cap' "/proc/$process/status" | grep -v ':[[:space:]]*0000000000000000$' ||
    fail "$(cat "/proc/$process/comm") has capabilities"
done

# A job starts within seconds of its submission, on the node that the scheduler says.
job=$(submit --wrap "$(work 3)")
within 20 shown Running checkjob "$job"
node=$(field "$job" NodeList)
shown "$node" checkjob "$job" || fail "checkjob $job does not show $node: $(checkjob "$job")"

# Slurm ends who stays longer than it said, within its own minute: meanwhile there is enough to do.
overlong=$(submit -t 1 -w n3 --wrap "$(work 600)")
within 20 field_is "$overlong" JobState RUNNING

# Slurm ends by itself who says so, within a minute of its own once the dependency cannot be met any more.
failing=$(submit --wrap 'exit 1')
hopeless=$(submit -d "afterok:$failing" --kill-on-invalid-dep=yes --wrap true)
stubborn=$(submit -d "afterok:$failing" --kill-on-invalid-dep=no --wrap true)

# A limit that is changed while a job runs is the one that counts, and that is shown.
limited=$(submit -t 10 --wrap 'sleep 600')
within 20 shown 'State: Running' checkjob "$limited"
shown 'WallTime: .* of 00:10:00' checkjob "$limited" || fail "$limited begins with $(checkjob "$limited")"
scontrol update jobid="$limited" timelimit=25
within 10 shown 'WallTime: .* of 00:25:00' checkjob "$limited"
shown "^$limited .*Running.* 00:2[345]:" showq || fail "showq goes by the old limit: $(showq)"
scontrol update jobid="$limited" timelimit=5
within 10 shown 'WallTime: .* of 00:05:00' checkjob "$limited"
scancel "$limited"

. "$source/tests/system/slurm_shapes.sh"

# mnodectl drains nodes, and returns them.
expect 0 '' mnodectl -m state=drained n4
field_of_node() { scontrol show node n4 | tr ' ' '\n' | sed -n "s/^$1=//p" | head -1; }
[[ $(field_of_node State) == *DRAIN* ]] || fail "n4 is not drained: $(scontrol show node n4)"
scontrol show node n4 | grep -q 'Reason=maui: mnodectl by root \[root@' || fail "reason: $(scontrol show node n4)"
within 10 shown 'Drain' checknode n4
expect 0 '' mnodectl -m state=idle n4
[[ $(field_of_node State) != *DRAIN* ]] || fail "n4 is drained: $(scontrol show node n4)"
within 10 shown 'Idle' checknode n4

# A node that fails for no time at all would kill the job that is sent there again at once.
brief=$(submit -w n4 --wrap "$(work 2)")
within 30 field_is "$brief" JobState RUNNING
scontrol update nodename=n4 state=down reason=test
scontrol update nodename=n4 state=resume
ends_well "$brief"
field_is "$brief" Restarts 1 || fail "$brief was not restarted"

# Many at once: single tasks, several nodes, whole nodes, GPUs, an array, a chain, a QOS.
all=("$job")
for ((i = 0; i < jobs; ++i)); do
  case $((i % 8)) in
    0) all+=("$(submit -N2 -n4 --wrap "$(work 0.5)")") ;;
    1) all+=("$(submit --exclusive --wrap "$(work 0.2)")") ;;
    2) all+=("$(submit --gres=gpu:1 --wrap "$(work 0.5)")") ;;
    3) all+=("$(submit -n3 --mem=300 --comment=qos:high --wrap "$(work 0.2)")") ;;
    *) all+=("$(submit --wrap "$(work 0.3)")") ;;
  esac
done
array=$(submit --array=0-5%2 --wrap "$(work 0.3)")
one=$(submit --wrap "$(work 1)")
two=$(submit -d "afterok:$one" --wrap "$(work 0.2)")
three=$(submit -d "afterany:$two" --wrap "$(work 0.2)")
all+=("$one" "$two" "$three")

# Held in Slurm, and not to begin yet.
held=$(submit --hold --wrap "$(work 0.2)")
kept=$(submit --begin=now+3600 --wrap "$(work 0.2)")
within 10 shown Hold checkjob "$held"
within 10 checkjob "$kept"
scontrol release "$held"
all+=("$held")

# Slurm's accounts and QOS are ours, too.
if can_account; then
  for entity in 'qos high' 'account chem' 'user root account=chem'; do
    # shellcheck disable=SC2086  # words
    sacctmgr -i add $entity >/dev/null || fail "sacctmgr knows no $entity"
  done
  chemist=$(submit -q high -A chem --wrap "$(work 0.2)")
  all+=("$chemist")
fi

# One node is drained and another fails under its job, which comes back.
long=$(submit -w n1 --wrap "$(work 4)")
within 60 field_is "$long" JobState RUNNING
scontrol update nodename=n2 state=drain reason=test
scontrol update nodename=n1 state=down reason=test
within 20 shown 'Drained\|Draining' checknode n2
within 20 shown Down checknode n1
scontrol update nodename=n1 state=resume
within 120 field_is "$long" JobState RUNNING
[ "$(field "$long" Restarts)" -ge 1 ] || fail "$long was not restarted"
scontrol update nodename=n2 state=resume

# A job that ends is accounted once.
for job in "$one" "$two" "$three"; do within 60 recorded_once "$job"; done
for ((i = 0; i < 6; ++i)); do within 60 recorded_once "${array}_$i"; done

# The helper dies; slurmctld is restarted; the scheduler is killed and started again.
kill -KILL "$(pgrep -P "$scheduler" maui-rm-slurm)"
stop_slurmctld TERM
start_slurmctld
restarts=$(date +%s)
kill -KILL "$scheduler"
wait "$scheduler" 2>/dev/null
start --foreground

within $((60 + jobs)) all_ended "${all[@]}" "$array" "$long"
for job in "${all[@]}"; do
  runs=$(grep -c -x "$job" ran)  # again only where its node failed
  [ "$runs" -eq $(($(field "$job" Restarts) + 1)) ] || fail "job $job ran $runs times"
  field_is "$job" JobState COMPLETED || fail "job $job ended as $(field "$job" JobState)"
  [ "$(hosts "$job" NodeList)" = "$(hosts "$job" ReqNodeList)" ] ||
    fail "job $job ran on $(hosts "$job" NodeList), not on $(hosts "$job" ReqNodeList)"
done

# Killed, slurmctld knows what it last saved: who runs, and who waits.
saved() { [ "$slurm/state/job_state" -nt "$slurm/now" ]; }
touch "$slurm/now"
last=$(submit --hold --wrap "$(work 0.2)")
within 20 saved
stop_slurmctld KILL
start_slurmctld
restarts+=" $(date +%s)"
within 20 field_is "$last" JobState PENDING
scontrol release "$last"
within 30 recorded_once "$last"
within 150 recorded_once "$overlong"
# It is over for us while Slurm still cleans up behind it.
within 20 field_is "$overlong" JobState TIMEOUT ||
  fail "$overlong ended as $(field "$overlong" JobState)"

within 100 field_is "$hopeless" JobState CANCELLED
field_is "$hopeless" Reason DependencyNeverSatisfied || fail "$hopeless ended for $(field "$hopeless" Reason)"
field_is "$stubborn" JobState PENDING || fail "a job that stays whatever its dependency is $(field "$stubborn" JobState)"
held_for 'can never be met' "$stubborn"

[ "$(field "$kept" JobState)" = PENDING ] || fail "a job for later has started"
open=$(squeue -h -t pending -O jobid,prioritylong | awk '$2 != 0')
[ -z "$open" ] || fail "these pass the gate: $open"
expect 0 '' canceljob "$kept"
within 10 field_is "$kept" JobState CANCELLED

# Slurm's records and ours are of one mind: of each job one, when it ran and where.
within 20 agreed || fail "our records (<) and those of Slurm (>) differ: $(cat difference)"
count=$(wc -l < <(ours)) expected=$((${#all[@]} + ${#shaped[@]} + 2 + 6 + 3 + 2))
[ "$count" -eq "$expected" ] || fail "there are records of $count jobs, not of $expected"

if can_account; then
  # Slurm keeps every run of a job that came back; nobody stayed longer than Slurm lets stay.
  runs_on_n1() { sacct -X -n -D -j "$long" -o NodeList | grep -c n1; }
  twice() { [ "$(runs_on_n1)" -eq 2 ]; }
  within 30 twice || fail "Slurm accounts $(runs_on_n1) runs of $long"
  # It looks at limits each half minute, counted anew from each of its restarts.
  late=$(SLURM_TIME_FORMAT=%s accounted -o JobID,Start,End,TimelimitRaw |
    awk -F'|' -v restarts="$restarts" '{
      due = $2 + 60 * $4
      for (i = split(restarts, at, " "); i > 0; --i)
        if (at[i] > due && at[i] < $3) due = at[i]
      if ($3 > due + 60) print
    }')
  [ -z "$late" ] || fail "these exceed their limits: $late"
  row=$(sacct -X -n -P -j "$chemist" -o QOS,Account)
  [ "$row" = 'high|chem' ] || fail "Slurm has '$row' for QOS and account of $chemist"
  row=$(cat stats/stats.* | awk -v job="$chemist" '$1 == job { print $24, $26 }')
  [ "$row" = 'high:high chem' ] || fail "we have '$row' for QOS and account of $chemist"
fi
kill -TERM "$scheduler"
ended 0
verdict
