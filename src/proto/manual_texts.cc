#include "proto/manual_texts.h"

#include <algorithm>
#include <array>

namespace maui {
namespace {

constexpr ExampleText kCanceljobExamples[] = {
    {"canceljob 4711 4712", "Cancels two jobs."},
    {"canceljob x:^test", "Cancels every job of yours whose name begins with test."},
    {"canceljob --dry-run 4711",
     "Says which waiting jobs would start earlier, and cancels nothing."},
};

constexpr ExampleText kChangeparamExamples[] = {
    {"changeparam RESERVATIONDEPTH 4", "Four waiting jobs have a reservation from now on."},
    {"changeparam USERCFG[amy] MAXJOB=10", "Changes one attribute of amy, and leaves the others."},
    {"changeparam --dry-run BACKFILLPOLICY NONE", "Says which jobs would start at another time."},
};

constexpr ExampleText kCheckjobExamples[] = {
    {"checkjob 4711", "How the job stands; the last lines say why it does not run."},
    {"checkjob -v 4711", "Also the verdict on every node, and what would lift the reason."},
    {"checkjob -r maintenance.0 4711", "Whether the job may use that reservation."},
};
constexpr ColumnText kCheckjobColumns[] = {
    {"State",
     "Idle, Starting, Running, Suspended, Completed or Removed; a held job is Hold, "
     "SystemHold, BatchHold or Deferred."},
    {"Creds", "User, group, account, class and QOS."},
    {"WallTime", "How long it has run, of its wallclock limit."},
    {"Time Queued", "Since it was submitted, and for how much of that it was eligible."},
    {"Req[0]", "The first requirement: tasks, partition, and what nodes must have."},
    {"Allocated Nodes", "Each node with the number of tasks on it."},
    {"Bypass", "How often backfill has started another job before it."},
    {"StartCount", "How often it was started."},
};

constexpr ExampleText kChecknodeExamples[] = {
    {"checknode node003", "How the node stands, with its reservations and jobs."},
    {"checknode -v node003", "The same in more detail."},
};
constexpr ColumnText kChecknodeColumns[] = {
    {"State", "Idle, Running (room for more), Busy, Drained, Draining or Down, and since when."},
    {"Configured Resources", "What the node has."},
    {"Utilized", "What is used of it, as the resource manager reports."},
    {"Dedicated", "What the scheduler has given to jobs."},
    {"Load", "The load that the resource manager reports."},
    {"Total Time", "How long it has been known, was up, and was at work."},
    {"Reservations", "Whose, with how many tasks, from when to when."},
    {"JobList", "The jobs on it."},
};

constexpr ExampleText kDiagnoseExamples[] = {
    {"diagnose -p", "How the priority of every waiting job came about."},
    {"diagnose -q", "Which jobs are not eligible, and why."},
    {"diagnose -n", "All nodes, with warnings about those that are odd."},
    {"diagnose -f user", "What fairshare has on record of users."},
    {"diagnose -R", "Whether the resource managers answer, and how fast."},
    {"diagnose -u amy -v", "What amy may have at once, and what of that is used."},
};
constexpr ColumnText kDiagnoseColumns[] = {
    {"PRIORITY", "-p: the sum; an asterisk: it was set by hand."},
    {"Cred",
     "-p: per cent that the component contributes, and in brackets the value of each of its "
     "parts, weighted; so for FS, Serv, Res, Targ and Usage."},
    {"Procs", "-n: processors that are free, and that the node has."},
    {"Memory", "-n: MB that are free, and that the node has; so for disk and swap."},
    {"Par", "-n, -j: the partition."},
    {"Res", "-n: how many reservations the node has."},
    {"Min", "-j: fewest processors that it can run with."},
    {"QueuedTime", "-j: how long it has been eligible."},
    {"ACL", "-r: who may use the reservation."},
    {"CL", "-r: what the reservation counts as elsewhere."},
    {"Target", "-f: the share that is aimed at, in per cent; a sign behind it as in FSTARGET."},
};

constexpr ExampleText kHoldExamples[] = {
    {"sethold -u 4711", "Keeps a job of yours from starting until you release it."},
    {"sethold 4711", "As an administrator: holds of every type, as with -a."},
    {"sethold -a x:^big", "Holds of every type on all jobs whose names begin with big."},
};
constexpr ExampleText kReleaseholdExamples[] = {
    {"releasehold -u 4711", "Lets a job go that its user holds."},
    {"releasehold -a 4711", "Lifts holds of every type, and a deferral, which begins anew."},
};

constexpr ExampleText kMjobctlExamples[] = {
    {"mjobctl -c 4711", "Cancels the job."},
    {"mjobctl -m wclimit=2:00:00 4711", "Gives it another wallclock limit."},
    {"mjobctl -p +100 4711", "Adds to what policy makes of its priority."},
    {"mjobctl -m hold-=user 4711", "Releases the user's hold."},
};

constexpr ExampleText kMnodectlExamples[] = {
    {"mnodectl -m STATE=DRAINED node003", "No further job starts there; those that run go on."},
    {"mnodectl -m STATE=IDLE node003", "Takes it into service again."},
};

constexpr ExampleText kReleaseresExamples[] = {
    {"releaseres maintenance.0", "Gives the nodes back."},
    {"releaseres --dry-run maintenance.0", "Says which jobs would start earlier."},
};

constexpr ExampleText kResetstatsExamples[] = {
    {"resetstats", "Statistics count from now on."},
};

constexpr ExampleText kRunjobExamples[] = {
    {"runjob 4711", "Starts the job on nodes that the scheduler chooses."},
    {"runjob -n node003,node004 4711", "Starts it there."},
    {"runjob -x 4711", "Starts it in spite of policies and reservations."},
    {"runjob -c 4711", "Forgets that it could not be started, and tries again."},
};

constexpr ExampleText kSchedctlExamples[] = {
    {"schedctl -s", "Stops scheduling after this iteration; clients are answered."},
    {"schedctl -r", "Goes on."},
    {"schedctl -S 60I", "In a simulation: sixty iterations, and the prompt comes back after them."},
    {"schedctl -R", "Reads maui.cfg again."},
    {"schedctl -k", "Ends the scheduler; jobs go on."},
};

constexpr ExampleText kSetqosExamples[] = {
    {"setqos high 4711", "Gives the job the QOS high, if it may have that."},
};

constexpr ExampleText kSetresExamples[] = {
    {"setres -n maintenance -s 14:00:00_10/17 -d 8:00:00 ALL",
     "Nobody starts what would run into the afternoon of 17 October."},
    {"setres -u fred:amy -s +2:00:00 -d 1:00:00 node0[1-4]",
     "Two users, four nodes, in two hours."},
    {"setres -g staff -d 4:00:00 -r PROCS=1 TASKS==16",
     "A group, any sixteen processors, from now on."},
    {"setres -a chem -r PROCS=4:MEM=8192 -d 1:00:00:00 TASKS>=2",
     "At least two tasks of four processors and 8192 MB, for a day."},
};

constexpr ExampleText kSetspriExamples[] = {
    {"setspri 100 4711", "Puts the job before all that have no such priority."},
    {"setspri -r 100 4711", "Adds 100 to what policy gives the job."},
    {"setspri 0 4711", "Takes it back."},
};

constexpr ExampleText kShowbfExamples[] = {
    {"showbf", "What a job of yours could have at once, and for how long."},
    {"showbf -d 2:00:00 -n 4", "Four nodes that stay free for two hours."},
    {"showbf -c long -a chem", "What a job of that class and account could have."},
};
constexpr ColumnText kShowbfColumns[] = {
    {"proc available", "So many processors could be used at once ..."},
    {"for", "... for so long; no limit: until something else is decided."},
};

constexpr ExampleText kShowconfigExamples[] = {
    {"showconfig", "The parameters that differ from their defaults."},
    {"showconfig -v", "Every parameter."},
};

constexpr ExampleText kShowgridExamples[] = {
    {"showgrid AVGQTIME", "Average hours queued, by processors and wallclock limit."},
    {"showgrid -t -7:00:00:00 JOBCOUNT", "How many jobs of each shape ended in the last week."},
};
constexpr ColumnText kShowgridColumns[] = {
    {"PROCS", "Rows: jobs of at most so many processors, and more than those of the row before."},
    {"0:02:00",
     "Columns: jobs with at most that limit. A field has the statistic, and the number of jobs."},
    {"TOTAL", "All rows together; the last column all limits."},
};

constexpr ExampleText kShowhistExamples[] = {
    {"showhist", "Jobs of yours that have ended today."},
    {"showhist -s 2026-11-01 -e 2026-11-08 -c batch", "Those of a week and a class."},
    {"showhist --sort -run_time --limit 20 -s -7:00:00:00", "The twenty longest of seven days."},
    {"showhist -m -s -1:00:00:00", "How busy the machine was in the last day."},
};
constexpr ColumnText kShowhistColumns[] = {
    {"CCode", "The exit code."},
    {"Submitted, Started, Ended", "Moments in the server's time zone."},
    {"WallTime", "How long it ran."},
};

constexpr ExampleText kShowholdExamples[] = {
    {"showhold", "The jobs that have holds, and which."},
    {"showhold 4711", "Those of one job."},
};

constexpr ExampleText kShowqExamples[] = {
    {"showq", "Jobs that run, that could run, and that are blocked."},
    {"showq -r -e", "What runs, and when it is expected to end."},
    {"showq -i --columns name,user,procs,queued --sort -procs", "A table of your own."},
    {"showq -u amy --format json", "For programs."},
};
constexpr ColumnText kShowqColumns[] = {
    {"JOBNAME", "As the resource manager calls it."},
    {"USERNAME", "Who has submitted it."},
    {"STATE", "Running, Starting, Suspended; Idle, or what holds it."},
    {"PROC", "Processors that it has, or asks for."},
    {"REMAINING", "Until its wallclock limit."},
    {"STARTTIME", "When it began."},
    {"WCLIMIT", "The wallclock limit of a waiting job."},
    {"QUEUETIME", "When it was submitted."},
    {"S", "-r: R runs, S is suspended, P starts."},
    {"Par", "-r: the partition, three letters of it."},
    {"Effic", "-r: processor time that it used, in per cent of what it was given."},
    {"XFactor", "-r, -i: (time queued + wallclock limit) / wallclock limit."},
    {"Q", "-r, -i: the QOS, two letters of it."},
    {"MHost", "-r: its first node."},
    {"Priority",
     "-i: as diagnose -p explains it; an asterisk behind the name: it has a reservation."},
    {"SystemQueueTime", "-i: since when it has been eligible."},
    {"Total Backlog", "-i: processor hours that wait, and how long the machine needs for them."},
};

constexpr ExampleText kShowresExamples[] = {
    {"showres", "All reservations, those of jobs too."},
    {"showres -n", "Node by node."},
    {"showres --gantt -d 12:00:00", "Draws the next twelve hours."},
};
constexpr ColumnText kShowresColumns[] = {
    {"Type", "Job, User (of an administrator, or standing) or System (for nobody)."},
    {"S", "Of a job's: R it runs, I it waits."},
    {"Start", "From now; below zero: it has begun."},
    {"End", "From now; INFINITY: never, or in more than 1,000 hours. So for Duration."},
    {"N/P", "Nodes and processors."},
    {"Task", "-n: tasks on the node."},
};

constexpr ExampleText kShowstartExamples[] = {
    {"showstart 4711", "When the job can start at the earliest, and when it ends."},
    {"showstart 16@4:00:00", "When a job of 16 processors for four hours could."},
    {"showstart --script job.sh",
     "When the job of that script could, and what would start earlier."},
};
constexpr ColumnText kShowstartColumns[] = {
    {"Earliest start", "By the wallclock limits of all jobs: from now, and the moment."},
    {"Earliest completion", "That, and its wallclock limit."},
    {"Best Partition", "Where that is."},
};

constexpr ExampleText kShowstateExamples[] = {
    {"showstate", "Which job is on which node."},
    {"showstate --format xml", "For programs of release 3.3."},
};
constexpr ColumnText kShowstateColumns[] = {
    {"(A)", "The letter of a job in the picture of frames and slots below."},
    {"[A]",
     "A node: the letter of its job; a small one: it is assigned and idle. [ ] idle, [!] "
     "drained, [#] down, [*] down with a job, [@] busy without one, [?] unknown."},
};

constexpr ExampleText kShowstatsExamples[] = {
    {"showstats", "How full the machine is, and how long jobs waited."},
    {"showstats -u", "By user; with a name, one line."},
    {"showstats -t 2026-11-01,2026-11-08 -a", "By account, of what ended in a week."},
    {"showstats -n", "How long each node was up, and busy."},
};
constexpr ColumnText kShowstatsColumns[] = {
    {"Active", "Now: jobs, processors, and processor hours until their limits."},
    {"PHReq", "Processor hours that completed jobs asked for."},
    {"PHDed", "Processor hours that jobs were given."},
    {"FSTgt", "The fairshare target, in per cent."},
    {"AvgXF",
     "Average expansion factor: (time queued + time run) / wallclock limit; MaxXF: the "
     "greatest."},
    {"AvgQH", "Average hours queued."},
    {"Effic", "Processor time used, in per cent of that given."},
    {"WCAcc", "Run time in per cent of the limit."},
    {"Available", "-n: per cent of the time in which the node was up; Busy: at work."},
};

constexpr std::array kCommandTexts = {
    CommandText{.command = "canceljob", .examples = kCanceljobExamples, .see_also = "mjobctl(1)"},
    CommandText{.command = "changeparam",
                .more = "maui.cfg stays as it is: write there, too, what is to last. A parameter "
                        "that counts only from the next start on is refused, with the reason.",
                .examples = kChangeparamExamples,
                .see_also = "showconfig(1), schedctl(1)"},
    CommandText{.command = "checkjob",
                .who = "Everybody may use it on jobs of his own, administrators of all levels on "
                       "all.",
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
                .who = "Everybody may use it on jobs of his own, administrators of levels 1 and 2 "
                       "on all; starting, suspending, resuming, requeueing, checkpointing, "
                       "priorities and other holds than the user's are for these administrators.",
                .examples = kMjobctlExamples,
                .see_also = "canceljob(1), sethold(1), runjob(1), setspri(1)"},
    CommandText{.command = "mnodectl",
                .more = "The scheduler asks the resource manager to change the node.",
                .examples = kMnodectlExamples,
                .see_also = "checknode(1)"},
    CommandText{.command = "releasehold",
                .who = "Everybody may release the user hold of a job of his own, administrators of "
                       "levels 1 and 2 every hold of every job.",
                .more = "Without -a, -b, -s or -u, an administrator releases holds of every type, "
                        "everybody else the user hold.",
                .examples = kReleaseholdExamples,
                .see_also = "sethold(1), showhold(1)"},
    CommandText{.command = "releaseres",
                .who = "Everybody may release reservations that are his own, administrators of "
                       "levels 1 and 2 all.",
                .examples = kReleaseresExamples,
                .see_also = "setres(1), showres(1)"},
    CommandText{
        .command = "resetstats", .examples = kResetstatsExamples, .see_also = "showstats(1)"},
    CommandText{.command = "runjob", .examples = kRunjobExamples, .see_also = "checkjob(1)"},
    CommandText{.command = "schedctl", .examples = kSchedctlExamples, .see_also = "changeparam(1)"},
    CommandText{.command = "sethold",
                .who = "Everybody may place the user hold on a job of his own, administrators of "
                       "levels 1 and 2 every hold on every job.",
                .more = "Without -a, -b, -s or -u, an administrator places holds of every type "
                        "(User, System, Batch and Defer), everybody else the user hold.",
                .examples = kHoldExamples,
                .see_also = "releasehold(1), showhold(1)"},
    CommandText{.command = "setqos",
                .who = "Everybody may use it on jobs of his own, for a QOS that they may have; "
                       "administrators of levels 1 and 2 on all, for any.",
                .examples = kSetqosExamples,
                .see_also = "diagnose(1)"},
    CommandText{
        .command = "setres",
        .who = "Administrators of levels 1 and 2 may use it; with RESCTLPOLICY ANY everybody "
               "may.",
        .more = "EXPRESSION says of what: ALL; TASKS==N, exactly so many tasks; TASKS>=N, at "
                "least so many; names of nodes between commas, with ranges as in "
                "node[01-16], or a regular expression. A task is what -r says, or else a whole "
                "node. A host expression reserves these "
                "nodes whatever runs there now. Without anybody who may use it the "
                "reservation keeps everybody out. Without -d and -e it lasts for ever.",
        .examples = kSetresExamples,
        .see_also = "showres(1), releaseres(1)"},
    CommandText{.command = "setspri", .examples = kSetspriExamples, .see_also = "diagnose(1)"},
    CommandText{.command = "showbf",
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
                .who = "Everybody sees jobs of his own, administrators of all levels all.",
                .columns = kShowhistColumns,
                .examples = kShowhistExamples,
                .see_also = "checkjob(1), profiler(1)"},
    CommandText{.command = "showhold",
                .who = "Everybody sees holds of jobs of his own, administrators of all levels all.",
                .examples = kShowholdExamples,
                .see_also = "sethold(1), checkjob(1)"},
    CommandText{.command = "showq",
                .who =
                    "Everybody may use it; with DISPLAYFLAGS HIDEBLOCKED, blocked jobs of others "
                    "are shown to administrators alone.",
                .columns = kShowqColumns,
                .examples = kShowqExamples,
                .see_also = "checkjob(1), showstart(1)"},
    CommandText{.command = "showres",
                .who = "Everybody sees reservations of jobs, his own, and those that he may use; "
                       "administrators of all levels see all.",
                .columns = kShowresColumns,
                .examples = kShowresExamples,
                .see_also = "setres(1), releaseres(1)"},
    CommandText{.command = "showstart",
                .columns = kShowstartColumns,
                .examples = kShowstartExamples,
                .see_also = "checkjob(1), showbf(1)"},
    CommandText{.command = "showstate",
                .columns = kShowstateColumns,
                .examples = kShowstateExamples,
                .see_also = "checknode(1)"},
    CommandText{.command = "showstats",
                .who = "Everybody may use it with -u and -l, and sees himself; the rest is for "
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
