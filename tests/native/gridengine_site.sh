# Sourced by tests of etc/native/gridengine, in a private network: a Grid Engine with three nodes of four slots,
# a scheduler in front of it, and what each run of a job notes in $RAN: its name, and the host of each of its slots.
. "$source/tests/system/live_support.sh"
gridengine_up 3 >"$lab/up.out" 2>&1
{
  environment smp '$pe_slots'
  environment mpi '$round_robin'
  environment fill '$fill_up'
  environment fill_2 2
  environment odd '$fill_up'
  environment pair 2
  queue batch 'ge1 ge2 ge3' 4 INFINITY
  queue short ge3 2 0:10:0
} >>"$lab/up.out" 2>&1

# The adapter, and where it starts what.
mkdir tools
cat >tools/ge <<END
#!/bin/sh
[ "\$1" != start ] || echo "\$2 \$3" >>"$MAUIHOMEDIR/starts"
exec "$source/etc/native/gridengine" PATH="$PATH" SGE_ROOT="$SGE_ROOT" SGE_CELL=test SGE_QMASTER_PORT=25200 \
  SGE_EXECD_PORT=25201 "\$@"
END
chmod 755 tools/ge
configure
cat >maui.cfg <<END
$(normal_mode)
LOGLEVEL         3
RMCFG[ge]        TYPE=NATIVE TIMEOUT=15
RMCFG[ge]        CLUSTERQUERYURL=exec://ge?nodes WORKLOADQUERYURL=exec://ge?jobs
RMCFG[ge]        JOBSTARTURL=exec://ge?start JOBCANCELURL=exec://ge?cancel JOBREQUEUEURL=exec://ge?requeue
RMCFG[ge]        JOBSUSPENDURL=exec://ge?suspend JOBRESUMEURL=exec://ge?resume
RMCFG[ge]        JOBMODIFYURL=exec://ge?modify NODEMODIFYURL=exec://ge?node
RMPOLLINTERVAL   1
NODEACCESSPOLICY SHARED
BACKFILLPOLICY   FIRSTFIT
DEFERTIME        0:00:02
JOBSYNCTIME      0:00:05
END

# The first step of each run of a job.
cat >noted <<END
#!/bin/sh
[ "\$SGE_TASK_ID" = undefined ] || JOB_ID=\$JOB_ID.\$SGE_TASK_ID
if [ -r "\$PE_HOSTFILE" ]; then
  hosts=\$(awk '{ for (i = 0; i < \$2; ++i) print \$1 }' "\$PE_HOSTFILE" | sort | paste -sd,)
else
  hosts=\$(hostname)
fi
echo "\$JOB_ID \$hosts" >>"$RAN"
exec "\$@"
END
chmod 755 noted . "$MAUIHOMEDIR"
: >"$RAN" && chmod 666 "$RAN"
submit() { # OPTIONS... -- COMMAND...
  local options=()
  while [ "$1" != -- ]; do options+=("$1") && shift; done
  qsub -terse -cwd -b y -j y -o /dev/null -l h_rt=600 "${options[@]}" "$MAUIHOMEDIR/noted" "${@:2}" | cut -d. -f1
}
is() { shown "State: $2" checkjob "$1"; }
ran() { grep -q "^$1 $2\$" "$RAN"; }
begin || exit 1
# The qmaster takes up to a minute to find all its nodes.
within 90 shown 'of *12 Processors' showq
