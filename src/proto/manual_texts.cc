#include "proto/manual_texts.h"

#include <algorithm>
#include <array>

namespace maui {
namespace {

constexpr ExampleText kCanceljobExamples[] = {
    {"canceljob 4711 4712", "Cancels two jobs."},
    {"canceljob x:^test", "Cancels every job of yours whose name begins with test."},
    {"canceljob --dry-run 4711",
     "Shows which waiting jobs would start earlier, without cancelling anything."},
};

constexpr ExampleText kChangeparamExamples[] = {
    {"changeparam RESERVATIONDEPTH 4", "From now on, up to four waiting jobs have a reservation."},
    {"changeparam USERCFG[amy] MAXJOB=10", "Changes one attribute of amy and keeps the others."},
    {"changeparam --dry-run BACKFILLPOLICY NONE", "Shows which jobs would start earlier or later."},
};

constexpr ExampleText kCheckjobExamples[] = {
    {"checkjob 4711", "The state of the job; the last lines show why it does not run."},
    {"checkjob -v 4711", "Also the verdict on every node, and until when the job has to wait."},
    {"checkjob -r maintenance.0 4711", "Whether the job may use that reservation."},
};
constexpr ColumnText kCheckjobColumns[] = {
    {"State",
     "Idle, Starting, Running, Suspended, Completed or Removed. A held job is Idle; the line "
     "Holds names its holds: User, System, Batch, Defer."},
    {"Creds", "User, group, account, class and QOS."},
    {"WallTime", "How long it has run, and its wallclock limit."},
    {"Time Queued", "The time since its submission, and how long it was eligible."},
    {"Req[0]", "The first requirement: tasks, partition, and properties of nodes."},
    {"Allocated Nodes", "Each node with the number of tasks on it."},
    {"Bypass", "How often backfill has started another job ahead of it."},
    {"StartCount", "How often it has been started."},
};

constexpr ExampleText kChecknodeExamples[] = {
    {"checknode node003", "The state of the node, with its reservations and jobs."},
    {"checknode -v node003", "The same in more detail."},
};
constexpr ColumnText kChecknodeColumns[] = {
    {"State", "Idle, Running (room for more), Busy, Drained, Draining or Down, and since when."},
    {"Configured Resources", "The resources of the node."},
    {"Utilized", "The resources in use, as the resource manager reports them."},
    {"Dedicated", "The resources that are allocated to jobs."},
    {"Load", "The load that the resource manager reports."},
    {"Total Time", "How long the node has been known, up and active."},
    {"Reservations", "Each reservation with its tasks, start and end."},
    {"JobList", "The jobs on it."},
};

constexpr ExampleText kDiagnoseExamples[] = {
    {"diagnose -p", "How the priority of every waiting job is calculated."},
    {"diagnose -q", "Which jobs are not eligible, and why."},
    {"diagnose -n", "All nodes, with warnings about anything unusual."},
    {"diagnose -f user", "The fairshare use of users."},
    {"diagnose -R", "Whether the resource managers answer, and how fast."},
    {"diagnose -u amy -v", "The limits of amy, and their current use."},
};
constexpr ColumnText kDiagnoseColumns[] = {
    {"PRIORITY", "-p: the sum; an asterisk marks a system priority."},
    {"Cred",
     "-p: the component's contribution in per cent, with the weighted value of each of its "
     "parts in brackets; likewise FS, Serv, Res, Targ and Usage."},
    {"Procs", "-n: free processors, and all processors of the node."},
    {"Memory", "-n: free MB, and all MB of the node; likewise disk and swap."},
    {"Par", "-n, -j: the partition."},
    {"Res", "-n: the number of reservations on the node."},
    {"Min", "-j: the fewest processors that the job can run with."},
    {"QueuedTime",
     "-j: for a waiting job, the time that counts for its priority (JOBPRIOACCRUALPOLICY); for an "
     "active job, also the time since its start."},
    {"ACL", "-r: who may use the reservation."},
    {"CL", "-r: the credentials of the reservation itself."},
    {"%",
     "-f: the share of all use; an asterisk behind the name marks a credential that exceeds its "
     "cap or misses its target by more than five points: below a floor, above a ceiling, or on "
     "either side of a plain target."},
    {"Target", "-f: the target share in per cent, with the sign of its type as in FSTARGET."},
};

constexpr ExampleText kHoldExamples[] = {
    {"sethold -u 4711", "Prevents a job of yours from starting until you release it."},
    {"sethold 4711", "As an administrator: holds of every type, as with -a."},
    {"sethold -a x:^big", "Holds of every type on all jobs whose names begin with big."},
};
constexpr ExampleText kReleaseholdExamples[] = {
    {"releasehold -u 4711", "Releases the user's hold on a job."},
    {"releasehold -a 4711",
     "Releases holds of every type, and resets the counts of failed starts."},
};

constexpr ExampleText kMjobctlExamples[] = {
    {"mjobctl -c 4711", "Cancels the job."},
    {"mjobctl -m wclimit=2:00:00 4711", "Changes its wallclock limit."},
    {"mjobctl -p +100 4711", "Adds 100 to its calculated priority."},
    {"mjobctl -m hold-=user 4711", "Releases the user's hold."},
};

constexpr ExampleText kMnodectlExamples[] = {
    {"mnodectl -m STATE=DRAINED node003", "Starts no more jobs there; running jobs continue."},
    {"mnodectl -m STATE=IDLE node003", "Returns the node to service."},
};

constexpr ExampleText kReleaseresExamples[] = {
    {"releaseres maintenance.0", "Releases the reservation."},
    {"releaseres --dry-run maintenance.0", "Shows which jobs would start earlier."},
};

constexpr ExampleText kResetstatsExamples[] = {
    {"resetstats", "Statistics start again from zero."},
};

constexpr ExampleText kRunjobExamples[] = {
    {"runjob 4711", "Starts the job on nodes that the scheduler chooses."},
    {"runjob -n node003,node004 4711", "Starts it on these nodes."},
    {"runjob -x 4711", "Starts it despite policies and reservations."},
    {"runjob -c 4711", "Clears the holds of failed starts, so that the job can start again."},
};

constexpr ExampleText kSchedctlExamples[] = {
    {"schedctl -s", "Stops scheduling after this iteration; clients are still answered."},
    {"schedctl -r", "Resumes scheduling."},
    {"schedctl -S 60I", "In a simulation: runs sixty iterations before answering."},
    {"schedctl -R", "Reloads maui.cfg."},
    {"schedctl -k", "Ends the scheduler; running jobs continue."},
};

constexpr ExampleText kSetqosExamples[] = {
    {"setqos high 4711", "Gives the job the QOS high."},
};

constexpr ExampleText kSetresExamples[] = {
    {"setres -n maintenance -s 14:00:00_10/17 -d 8:00:00 ALL",
     "Keeps all nodes free of jobs from 14:00 to 22:00 on 17 October."},
    {"setres -u fred:amy -s +2:00:00 -d 1:00:00 node0[1-4]",
     "Four nodes for two users, in two hours."},
    {"setres -g staff -d 4:00:00 -r PROCS=1 TASKS==16",
     "Any sixteen processors for a group, from now on."},
    {"setres -a chem -r PROCS=4:MEM=8192 -d 1:00:00:00 TASKS>=2",
     "At least two tasks of four processors and 8192 MB, for a day."},
};

constexpr ExampleText kSetspriExamples[] = {
    {"setspri 100 4711", "Puts the job ahead of all jobs without a system priority."},
    {"setspri -r 100 4711", "Adds 100 to the job's calculated priority."},
    {"setspri -r -100 4711", "Subtracts 100, so that the job moves down the queue."},
    {"setspri 0 4711", "Removes the system priority."},
};

constexpr ExampleText kShowbfExamples[] = {
    {"showbf", "What is available to your jobs now, and for how long."},
    {"showbf -d 2:00:00 -n 4", "Four nodes that stay free for two hours."},
    {"showbf -c long -a chem", "What is available to jobs of that class and account."},
};
constexpr ColumnText kShowbfColumns[] = {
    {"proc available", "The number of processors that are available now ..."},
    {"for", "... and for how long; no timelimit: no reservation follows."},
};

constexpr ExampleText kShowconfigExamples[] = {
    {"showconfig", "The parameters of release 3.3, with their values."},
    {"showconfig -v", "Every parameter."},
};

constexpr ExampleText kShowgridExamples[] = {
    {"showgrid AVGQTIME", "Average hours queued, by processors and wallclock limit."},
    {"showgrid -t -7:00:00:00 JOBCOUNT",
     "How many jobs of each size and limit ended in the last week."},
};
constexpr ColumnText kShowgridColumns[] = {
    {"PROCS", "Rows: jobs of at most this many processors, and more than the previous row."},
    {"0:02:00",
     "Columns: jobs with at most this limit. Each cell has the statistic and the number of jobs."},
    {"TOTAL", "The last row: all sizes; the last column: all limits."},
};

constexpr ExampleText kShowhistExamples[] = {
    {"showhist", "Your jobs that have ended today."},
    {"showhist -s 2026-11-01 -e 2026-11-08 -c batch", "Jobs of a class that ended in a week."},
    {"showhist --sort -run_time --limit 20 -s -7:00:00:00",
     "The twenty longest jobs of the last seven days."},
    {"showhist -m -s -1:00:00:00", "The use of the machine in the last day."},
};
constexpr ColumnText kShowhistColumns[] = {
    {"CCode", "The exit code."},
    {"Submitted, Started, Ended", "Times in the scheduler's time zone."},
    {"WallTime", "How long it ran."},
};

constexpr ExampleText kShowholdExamples[] = {
    {"showhold", "All jobs that have holds, with their holds."},
    {"showhold 4711", "The holds of one job."},
};

constexpr ExampleText kShowqExamples[] = {
    {"showq", "Active, idle and blocked jobs."},
    {"showq -r -e", "Active jobs, and when they are expected to end."},
    {"showq -i --columns name,user,procs,queued --sort -procs",
     "A table with columns of your choice."},
    {"showq -u amy --format json", "JSON for programs."},
};
constexpr ColumnText kShowqColumns[] = {
    {"JOBNAME", "The name by which the resource manager knows the job."},
    {"USERNAME", "The user who submitted it."},
    {"STATE",
     "Running, Starting, Suspended or Idle; of a held job, UserHold, SystemHold, BatchHold or "
     "Deferred."},
    {"PROC", "Processors that are allocated or requested."},
    {"REMAINING", "The time left until its wallclock limit."},
    {"STARTTIME", "When it started."},
    {"WCLIMIT", "The wallclock limit of a waiting job."},
    {"QUEUETIME", "When it was submitted."},
    {"S", "-r: R: it runs; S: it is starting."},
    {"Par", "-r: the first three letters of the partition."},
    {"Effic", "-r: processor time used, in per cent of the allocated time."},
    {"XFactor",
     "The expansion factor; -r, -i: (time queued + wallclock limit) / wallclock limit, by the time "
     "that counts for priority; -c: (time queued + time run) / wallclock limit."},
    {"Q", "-r, -i: the first two letters of the QOS."},
    {"MHost", "-r: its first node."},
    {"Priority",
     "-i: diagnose -p explains it; an asterisk after the name marks a job with a reservation."},
    {"SystemQueueTime", "-i: since when it has been eligible."},
    {"Total Backlog",
     "-i: processor hours of the waiting jobs, and how long the machine needs for them."},
};

constexpr ExampleText kShowresExamples[] = {
    {"showres", "All reservations, including those of jobs."},
    {"showres -n", "Node by node."},
    {"showres --gantt -d 12:00:00", "Draws the next twelve hours."},
};
constexpr ColumnText kShowresColumns[] = {
    {"Type",
     "Job: of a job. An administrative or standing reservation has the first of these kinds that "
     "its access list names: User, Group, Account; if the list names only others (class, QOS), it "
     "is User; if it is empty, System. diagnose -r and releaseres call all of these User."},
    {"S", "For jobs: R: running, I: idle, S: suspended or starting."},
    {"Start", "Relative to now; negative: it has begun."},
    {"End", "Relative to now; INFINITY: never, or in more than 1,000 hours. Likewise Duration."},
    {"N/P", "Nodes and processors."},
    {"Task", "-n: tasks on the node."},
};

constexpr ExampleText kShowstartExamples[] = {
    {"showstart 4711", "When the job can start at the earliest, and when it ends."},
    {"showstart 16@4:00:00", "When a job of 16 processors and four hours could start."},
    {"showstart --script job.sh",
     "When the job of that script could start, and which smaller jobs could start earlier."},
};
constexpr ColumnText kShowstartColumns[] = {
    {"Earliest start",
     "If all jobs run until their wallclock limits: relative to now, and as a date."},
    {"Earliest completion", "The earliest start plus the wallclock limit."},
    {"Best Partition", "The partition where it can start first."},
};

constexpr ExampleText kShowstateExamples[] = {
    {"showstate", "Which job is on which node."},
    {"showstate --format xml", "For programs of release 3.3."},
};
constexpr ColumnText kShowstateColumns[] = {
    {"(A)", "The letter of a job in the map of frames and slots below."},
    {"[A]",
     "A node: the letter of its job; lower case: assigned but idle. [ ] idle, [!] "
     "drained, [#] down, [*] down with a job, [@] busy without one, [?] unknown."},
};

constexpr ExampleText kShowstatsExamples[] = {
    {"showstats", "The use of the machine, and how long jobs waited."},
    {"showstats -u", "Statistics by user; with a name, of that user only."},
    {"showstats -t 2026-11-01,2026-11-08 -a", "By account, for jobs that ended in that week."},
    {"showstats -n", "How long each node was up and busy."},
};
constexpr ColumnText kShowstatsColumns[] = {
    {"Active", "Now: jobs, processors, and processor hours until their limits."},
    {"PHReq", "Processor hours that completed jobs requested."},
    {"PHDed", "Processor hours that were allocated to jobs."},
    {"FSTgt", "The fairshare target, in per cent."},
    {"AvgXF",
     "Average expansion factor: (time queued + time run) / wallclock limit; MaxXF: the "
     "largest."},
    {"AvgQH", "Average hours queued."},
    {"Effic", "Processor time used, in per cent of the allocated time."},
    {"WCAcc", "Run time in per cent of the limit."},
    {"Available", "-n: per cent of the time in which the node was up; Busy: in which it was busy."},
};

constexpr std::array kCommandTexts = {
    CommandText{.command = "canceljob", .examples = kCanceljobExamples, .see_also = "mjobctl(1)"},
    CommandText{.command = "changeparam",
                .more =
                    "maui.cfg is not changed: edit it as well to make a change permanent. The "
                    "value is read as in a line of maui.cfg, with its quotes and comments. A "
                    "parameter that takes effect only at a restart is refused, with the reason.",
                .examples = kChangeparamExamples,
                .see_also = "showconfig(1), schedctl(1)"},
    CommandText{.command = "checkjob",
                .who = "Users may use it on their own jobs, administrators of all levels on all "
                       "jobs.",
                .columns = kCheckjobColumns,
                .examples = kCheckjobExamples,
                .see_also = "showstart(1), showq(1)"},
    CommandText{.command = "checknode",
                .columns = kChecknodeColumns,
                .examples = kChecknodeExamples,
                .see_also = "diagnose(1)"},
    CommandText{.command = "diagnose",
                .columns = kDiagnoseColumns,
                .examples = kDiagnoseExamples,
                .see_also = "checkjob(1), checknode(1)"},
    CommandText{.command = "mjobctl",
                .who =
                    "Users may use it on their own jobs, administrators of levels 1 and 2 on all "
                    "jobs; only these administrators may start, suspend, resume, requeue and "
                    "checkpoint jobs, set and release holds other than the user's, and use -p, -m "
                    "hold, -m priority and -m wclimit.",
                .examples = kMjobctlExamples,
                .see_also = "canceljob(1), sethold(1), runjob(1), setspri(1)"},
    CommandText{.command = "mnodectl",
                .more =
                    "The scheduler asks the resource manager to change the node: Slurm drains or "
                    "resumes it, with a reason that names the user (sinfo -R), TORQUE and OpenPBS "
                    "set or clear its flag offline, and a NATIVE manager runs its NODEMODIFYURL. "
                    "WIKI has no such command: use the resource manager's own. DOWN is the same as "
                    "DRAINED for all of them.",
                .examples = kMnodectlExamples,
                .see_also = "checknode(1)"},
    CommandText{.command = "releasehold",
                .who = "Users may release the user hold of their own jobs, administrators of "
                       "levels 1 and 2 every hold of every job.",
                .more = "Without -a, -b, -s or -u, an administrator releases holds of every type, "
                        "everybody else the user hold.",
                .examples = kReleaseholdExamples,
                .see_also = "sethold(1), showhold(1)"},
    CommandText{.command = "releaseres",
                .who = "Users may release their own reservations, administrators of "
                       "levels 1 and 2 all reservations.",
                .examples = kReleaseresExamples,
                .see_also = "setres(1), showres(1)"},
    CommandText{
        .command = "resetstats", .examples = kResetstatsExamples, .see_also = "showstats(1)"},
    CommandText{
        .command = "runjob",
        .more = "With -n, the job gets as many nodes of the list as it needs, and no others.",
        .examples = kRunjobExamples,
        .see_also = "checkjob(1)"},
    CommandText{.command = "schedctl", .examples = kSchedctlExamples, .see_also = "changeparam(1)"},
    CommandText{.command = "sethold",
                .who = "Users may place the user hold on their own jobs, administrators of "
                       "levels 1 and 2 every hold on every job.",
                .more = "Without -a, -b, -s or -u, an administrator places holds of every type "
                        "(User, System, Batch and Defer), everybody else the user hold.",
                .examples = kHoldExamples,
                .see_also = "releasehold(1), showhold(1)"},
    CommandText{.command = "setqos",
                .who = "Users may use it on their own jobs, for a QOS that these may use; "
                       "administrators of levels 1 and 2 on all jobs, for any QOS.",
                .examples = kSetqosExamples,
                .see_also = "diagnose(1)"},
    CommandText{
        .command = "setres",
        .who = "Administrators of levels 1 and 2 may use it; with RESCTLPOLICY ANY everybody "
               "may.",
        .more = "EXPRESSION selects nodes or tasks: ALL; TASKS==N, exactly N tasks; TASKS>=N, at "
                "least N tasks; node names separated by commas, with ranges as in "
                "node[01-16]; or a regular expression. -r defines a task; the default is a whole "
                "node. A host expression reserves these "
                "nodes even if jobs run there now. If nobody may use the reservation, it "
                "keeps everybody out. Without -d and -e it lasts forever.",
        .examples = kSetresExamples,
        .see_also = "showres(1), releaseres(1)"},
    CommandText{.command = "setspri",
                .more = "PRIORITY is a whole number from 0 to 1000; with -r, from -1000000000 to "
                        "1000000000. mjobctl -p +N and -p -N do the same as -r.",
                .examples = kSetspriExamples,
                .see_also = "diagnose(1), mjobctl(1)"},
    CommandText{.command = "showbf",
                .more =
                    "User and group are yours unless -u and -g name others. Without -a, -c or -q, "
                    "nodes that reservations keep for any account, class or QOS are included, "
                    "as if the job could have all of them.",
                .columns = kShowbfColumns,
                .examples = kShowbfExamples,
                .see_also = "showstart(1)"},
    CommandText{
        .command = "showconfig", .examples = kShowconfigExamples, .see_also = "changeparam(1)"},
    CommandText{.command = "showgrid",
                .more =
                    "STATISTIC is AVGXFACTOR, MAXXFACTOR, AVGQTIME, AVGBYPASS, MAXBYPASS, "
                    "JOBCOUNT, PHREQUEST, PHRUN, WCACCURACY, BFCOUNT, BFPHRUN, JOBEFFICIENCY or "
                    "QOSDELIVERED. The PLOT parameters of maui.cfg(5) set rows and columns.",
                .columns = kShowgridColumns,
                .examples = kShowgridExamples,
                .see_also = "showstats(1)"},
    CommandText{.command = "showhist",
                .who = "Users see their own jobs, administrators of all levels all jobs.",
                .columns = kShowhistColumns,
                .examples = kShowhistExamples,
                .see_also = "checkjob(1), profiler(1)"},
    CommandText{.command = "showhold",
                .who = "Users see holds of their own jobs, administrators of all levels all holds.",
                .examples = kShowholdExamples,
                .see_also = "sethold(1), checkjob(1)"},
    CommandText{
        .command = "showq",
        .who =
            "Everybody may use it; with -b, -c, -i and -r, users see only their own "
            "jobs. Group, account, class and QOS of a job are only for its owner and "
            "administrators. With DISPLAYFLAGS HIDEBLOCKED, only administrators see blocked jobs "
            "of others.",
        .more = "With -r -e, ExpectedEnd is when the job will probably end, and EarliestEnd "
                "and LatestEnd are the bounds between which nine of ten such jobs end. Like "
                "is the number of earlier, similar jobs on which this is based; 0: none.",
        .columns = kShowqColumns,
        .examples = kShowqExamples,
        .see_also = "checkjob(1), showstart(1)"},
    CommandText{.command = "showres",
                .who = "Users see reservations of jobs, their own, and those that they may use; "
                       "administrators of all levels see all.",
                .columns = kShowresColumns,
                .examples = kShowresExamples,
                .see_also = "setres(1), releaseres(1)"},
    CommandText{.command = "showstart",
                .who = "Everybody may use it; why a job does not start is only for its owner and "
                       "administrators.",
                .more =
                    "For a job of the queue, there may be two more lines. Expected start is when "
                    "it will probably start from its place in the queue, by learned run times. "
                    "Promised start is the latest time at which it starts, by wallclock limits "
                    "alone, as long as it keeps its reservation. For PROCS@DURATION and scripts, "
                    "Limited by is what keeps the job from starting now, Until is what would "
                    "remove that, and lines that begin with \"With\" show smaller requests that "
                    "would start earlier. A job of the queue has the first two lines if it needs "
                    "nodes that are down, since its start rests on their return.",
                .columns = kShowstartColumns,
                .examples = kShowstartExamples,
                .see_also = "checkjob(1), showbf(1)"},
    CommandText{.command = "showstate",
                .columns = kShowstateColumns,
                .examples = kShowstateExamples,
                .see_also = "checknode(1)"},
    CommandText{.command = "showstats",
                .who = "Users may see their own statistics with -u and -l; all else is for "
                       "administrators of all levels.",
                .columns = kShowstatsColumns,
                .examples = kShowstatsExamples,
                .see_also = "showgrid(1), showhist(1)"},
};

}  // namespace

const CommandText* find_command_text(std::string_view command) {
  const auto at = std::find_if(kCommandTexts.begin(), kCommandTexts.end(),
                               [&](const CommandText& text) { return text.command == command; });
  return at == kCommandTexts.end() ? nullptr : &*at;
}

}  // namespace maui
