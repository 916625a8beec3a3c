# One scheduler in front of wiki_rm, the fake PBS server, programs of the site and, where it is installed,
# a Slurm of the test's own: one order of jobs and one fairshare across all; a job runs where it was submitted and
# nowhere else; one resource manager that hangs holds up nobody.
source=$(cd "$(dirname "$0")/../.." && pwd)
. "$source/tests/system/live_support.sh"
. "$source/tests/slurm/private_slurm.sh"

slurm=
# Its jobs must not have the numbers of another's.
first_number() {
  no_accounting
  echo FirstJobId=5000 >>"$SLURM_CONF"
}
if (need_slurm "$1") >/dev/null; then
  chmod 755 "$MAUIHOMEDIR"
  slurm_accounting=first_number slurm_up 2 "$MAUIHOMEDIR/slurm" "$2"
else
  echo "Slurm is left out: it is not installed"
fi
finish_several() {
  slurm_down
  finish_live
}
trap finish_several EXIT

# Site programs: the example, with jobs of amy and bob.
example=$source/etc/native/example/tiny_rm tiny=$MAUIHOMEDIR/tiny
mkdir tools
cat >tools/rm <<END
#!/bin/sh
[ ! -e "$MAUIHOMEDIR/ill.\$1" ] || exec sleep 100
deed=\$1
shift
"$example" "$tiny" "\$deed" "\$@" >"$MAUIHOMEDIR/said.\$\$"
status=\$?
# The command of a job names its owner.
while read -r job rest; do
  owner=\$(sed -n 's/.*# //p' "$tiny/jobs/\$job/command" 2>/dev/null)
  echo "\$job \$rest" | sed "s/UNAME=[^ ]*/UNAME=\${owner:-root}/"
done <"$MAUIHOMEDIR/said.\$\$"
rm -f "$MAUIHOMEDIR/said.\$\$"
exit \$status
END
chmod 755 tools/rm

serve
pbs_port=$(free_port $((rm_port + 1)) 7) pbs_events=$(free_port $((event_port + 1)) 7)
export FAKE_PBS_SOCKET=$MAUIHOMEDIR/pbs.sock
fake_pbs serve torque "$pbs_port" "$pbs_events" 2 4 &
within 20 test -S "$FAKE_PBS_SOCKET"

configure_live \
  "RMCFG[pbs]       TYPE=PBS HOST=127.0.0.1 PORT=$pbs_port EPORT=$pbs_events TIMEOUT=2 AUTHTYPE=NONE" \
  "RMCFG[tiny]      TYPE=NATIVE TIMEOUT=2 CLUSTERQUERYURL=exec://rm?nodes WORKLOADQUERYURL=exec://rm?jobs" \
  "RMCFG[tiny]      JOBSTARTURL=exec://rm?start JOBCANCELURL=exec://rm?cancel" \
  "${slurm:+RMCFG[slurm]     TYPE=SLURM TIMEOUT=6}" \
  "JOBAGGREGATIONTIME 0" \
  "FSPOLICY DEDICATEDPS" "FSINTERVAL 1:00:00" "FSDEPTH 2" "FSUSERWEIGHT 1000" "FSWEIGHT 1" "QUEUETIMEWEIGHT 0" \
  "USERCFG[DEFAULT] FSTARGET=10" "USERCFG[zoe] PRIORITY=1000" "CREDWEIGHT 1" "USERWEIGHT 1"
expect 0 '' maui --check-config
begin

tiny() { "$example" "$tiny" submit "$@"; }
tiny_is() { "$example" "$tiny" jobs | grep -q "^$1 STATE=$2 "; }
pbs_is() { fake_pbs jobs | grep -q "^$1 $2 "; }
slurm_is() { scontrol show job "$1" | grep -q "JobState=$2"; }
for kind in WIKI 'PBS (TORQUE' NATIVE ${slurm:+SLURM}; do within 20 shown "$kind" diagnose -R; done

# Each runs on nodes of its own resource manager, however much room others have.
for i in 1 2 3; do
  submit --tasks 1 "echo wiki >>$RAN" >/dev/null
  fake_pbs submit nodes=1:ppn=2 RUNS=100 USER=amy >/dev/null
  tiny -t 60 "echo tiny >>$RAN # bob" >/dev/null
  [ -z "$slurm" ] || sbatch -D "$MAUIHOMEDIR" -o /dev/null --parsable -t 10 --wrap "echo slurm >>$RAN" >>slurm_jobs
done
expected=$((${slurm:+3} + 6))
within 60 lines_are "$RAN" "$expected"
all_pbs_over() { [ "$(fake_pbs jobs | grep -c ' C ')" -eq 3 ]; }
within 30 all_pbs_over
for kind in wiki tiny ${slurm:+slurm}; do
  [ "$(grep -c "$kind" "$RAN")" -eq 3 ] || fail "$kind: $(sort "$RAN" | uniq -c)"
done
[ "$(fake_pbs jobs | grep -c 'on=n0[12]/')" -eq 3 ] || fail "PBS: $(fake_pbs jobs)"
all_recorded() { [ "$(cat stats/stats.* | awk 'NF == 44 && !/^#/' | wc -l)" -eq $((expected + 3)) ]; }
within 30 all_recorded
# A record names nodes of one of them alone.
own_nodes() { cat stats/stats.* | awk 'NF == 44 && !/^#/ { print $38 }' | tr ':' '\n' | sort -u; }
own_nodes >nodes
grep -qvE '^(n0[12]|tiny[12]|node[0-9]+|n[12])$' nodes && fail "strange nodes: $(cat nodes)"

# The time that amy used in PBS counts against her with the programs of the site: bob, who came later, is first.
blocker=$(tiny -n 4 -t 600 'sleep 300 # root')
within 20 tiny_is "$blocker" Running
used=$(fake_pbs submit nodes=2:ppn=4 RUNS=600000 USER=amy walltime=1:00:00)
within 20 pbs_is "$used" R
within 20 shown '^amy' diagnose -f
hers=$(tiny -n 4 -t 60 'sleep 300 # amy')
within 20 shown "$hers" showq
his=$(tiny -n 4 -t 60 'sleep 300 # bob')
within 20 shown "$his" showq
# One order for all: zoe's in PBS, which cannot start, stands before both.
zoes=$(fake_pbs submit nodes=2:ppn=4 RUNS=100 USER=zoe walltime=1:00:00)
within 20 shown "$zoes" showq
order() { diagnose -p | awk '{ print $1 }' | grep -nxE "${zoes//./\\.}|$hers|$his" | sed 's/.*://' | tr '\n' ' '; }
in_order() { [ "$(order)" = "$zoes $his $hers " ]; }
within 30 in_order || fail "the order is '$(order)', not '$zoes $his $hers': $(diagnose -p)"
expect 0 '' canceljob "$blocker"
within 30 tiny_is "$his" Running
within 20 shown 'State: Running' checkjob "$his"
tiny_is "$hers" Idle || fail "both run: $("$example" "$tiny" jobs)"
pbs_is "$zoes" Q || fail "zoe's job runs where there is no room"

# One that hangs holds up nobody, neither programs nor servers.
touch ill.jobs ill.start
fake_pbs fault no_answers 1 >/dev/null
for i in 1 2 3; do submit --tasks 1 "echo after >>$RAN" >/dev/null; done
[ -z "$slurm" ] || sbatch -D "$MAUIHOMEDIR" -o /dev/null --parsable -t 10 --wrap "echo after >>$RAN" >>slurm_jobs
within 30 lines_are "$RAN" $((expected + 3 + ${slurm:+1}+0))
within 20 shown 'Down' diagnose -R
expect 0 'State: Running' checkjob "$his"
expect 0 'State: Running' checkjob "$used"
rm -f ill.jobs ill.start
fake_pbs fault no_answers 0 >/dev/null
within 60 canceljob "$his"  # which is refused as long as its manager counts as down
within 90 tiny_is "$hers" Running
fake_pbs end "$used" 0 >/dev/null
within 60 pbs_is "$zoes" C
expect 0 '' schedctl -k
wait "$scheduler"
scheduler=
verdict
