// The command table, one row per command (guide appendix G; docs/decisions/setres-flags.md).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "maui/command.h"

namespace maui {
namespace {

constexpr Flag switched(char letter, std::string_view help) {
  return {letter, {}, false, false, help};
}
/// Marks a flag with which the command changes nothing.
constexpr Flag looking(Flag flag) {
  flag.looks = true;
  return flag;
}
constexpr Flag valued(char letter, std::string_view argument, std::string_view help) {
  return {letter, argument, false, false, help};
}
constexpr Flag perhaps(char letter, std::string_view argument, std::string_view help) {
  return {letter, argument, true, false, help};
}

constexpr Flag kDryRun =
    looking({0, {}, false, false, "change nothing; show how jobs' starts would move", "dry-run"});

constexpr Flag kForeseen = {
    0,      "COUNT", false,       false, "with --dry-run: examine this many waiting jobs, or ALL",
    "jobs", false,   kDryRun.name};

constexpr Flag kOnlyDryRun[] = {kDryRun, kForeseen};
constexpr Flag kCheckjob[] = {
    switched('A', "attributes and values in machine-readable form"),
    valued('l', "LEVEL", "apply the limits of this level: HARD, SOFT or OFF"),
    valued('n', "NODE", "evaluate this node only"),
    valued('r', "RES", "show whether the job may use this reservation"),
    switched('v',
             "more detail, and for a waiting job its expected start and the verdict on every node"),
};
constexpr Flag kChecknode[] = {
    switched('A', "attributes and values in machine-readable form"),
    switched('v', "more detail"),
};
constexpr Flag kDiagnose[] = {
    perhaps('a', "ACCOUNT", "accounts: priority, access, limits; with -v also their current use"),
    perhaps('c', "CLASS", "classes, likewise"),
    perhaps('f', "KIND", "use and targets of fairshare; KIND: user, group, account, qos or class"),
    perhaps('g', "GROUP", "groups, likewise"),
    perhaps('j', "JOB", "jobs, with warnings about anything unusual"),
    switched('m', "frames and the nodes in them"),
    valued('l', "LEVEL", "with -q: apply the limits of this level: HARD, SOFT or OFF"),
    perhaps('n', "NODE", "nodes, with warnings about anything unusual"),
    perhaps('p', "JOB", "how the priority of each waiting job is calculated"),
    perhaps('q', "JOB", "which waiting jobs are not eligible, and why"),
    perhaps('Q', "QOS", "QOS: what they grant, their limits, and who may use them"),
    perhaps('r', "RES", "reservations, checked against each other and their owners"),
    switched('R', "resource managers: their states and response times"),
    switched('S', "the scheduler's sockets, and counts of clients' requests"),
    perhaps('u', "USER", "users: priority, access, limits; with -v also their current use"),
    perhaps('t', "PARTITION", "partitions; with -n or -p: only this partition"),
    switched('v', "more detail"),
};
constexpr Flag kHolds[] = {
    switched('a', "holds of every type"),
    switched('b', "the batch hold"),
    switched('s', "the system hold"),
    switched('u', "the user hold"),
    kDryRun,
    kForeseen,
};
constexpr Flag kMjobctl[] = {
    switched('c', "cancel the jobs"),
    switched('C', "checkpoint them: they release their nodes and resume later from the checkpoint"),
    switched('h', "place holds on them, as sethold does without a type"),
    valued('m', "ATTR=VALUE", "set hold, priority, qos or wclimit; hold+=TYPE and hold-=TYPE"),
    valued('p', "[+|-]PRIORITY",
           "set the system priority, from 0 to 1000; with + or -: relative to the calculated "
           "priority"),
    looking(switched('q', "show the state of a job, as checkjob does")),
    switched('r', "resume jobs that are suspended"),
    switched('R', "requeue them: they release their nodes and lose their work"),
    switched('s', "suspend them: they release their nodes until they are resumed"),
    switched('u', "release their holds, as releasehold does without a type"),
    switched('x', "start them now, as runjob does"),
    kDryRun,
    kForeseen,
};
constexpr Flag kMnodectl[] = {
    valued('m', "ATTR=VALUE", "set STATE to IDLE, DRAINED or DOWN"),
    kDryRun,
    kForeseen,
};
constexpr Flag kReleaseres[] = {
    kDryRun,
    kForeseen,
};
constexpr Flag kRunjob[] = {
    switched('c', "clear the batch and defer holds that failed starts have left"),
    switched('f', "start it despite limits, fairshare caps and its batch hold"),
    valued('n', "NODES", "start it only on nodes of this list, separated by commas or colons"),
    valued('p', "PARTITION", "start it in this partition"),
    switched('s', "suspend the job instead"),
    switched('x', "start it despite policies, reservations, dates, dependencies and its host list"),
    kDryRun,
    kForeseen,
};
constexpr Flag kSchedctl[] = {
    switched('k', "end the scheduler after the current iteration"),
    looking(
        perhaps('l', "PARAMETER", "list all parameters with their values, or only this parameter")),
    valued('m', "PARAMETER", "set the parameter to VALUE, as changeparam does"),
    looking(switched('n', "write the nodes as a resource trace for the simulator")),
    perhaps('r', "TIME", "resume scheduling, now or after this time"),
    switched('R', "reload the configuration file"),
    perhaps('s', "N|TIME[I]",
            "stop at iteration N, or at that of a TIME since the first, or after the current one; "
            "I: ignore clients until then"),
    perhaps('S', "N|TIME[I]",
            "stop after N more iterations, or as many as take the TIME, or one; I: ignore clients "
            "until then"),
    kDryRun,
    kForeseen,
};
constexpr Flag kSetres[] = {
    valued('a', "ACCOUNT[:ACCOUNT]...", "accounts that may use it"),
    valued('A', "ACCOUNT[,GROUP[,USER]]", "the account to charge for unused resources"),
    valued('c', "CLASS[:CLASS]...",
           "classes that may use it; with a comma: ACCOUNT,GROUP[,USER], the account to charge"),
    valued('d', "DURATION", "how long it lasts; forever without -d and -e"),
    valued('e', "TIME", "when it ends"),
    valued('f', "FEATURE[:FEATURE]...", "features that its nodes must have"),
    valued('g', "GROUP[:GROUP]...", "groups that may use it"),
    valued('l', "CLASS[:CLASS]...", "classes that may use it"),
    valued('n', "NAME", "the name of the reservation"),
    valued('o', "KIND:NAME", "its owner, such as ACCOUNT:chem; by default the user who creates it"),
    valued('p', "PARTITION", "the partition that its nodes must be in"),
    valued('q', "CLASS[:CLASS]...", "classes that may use it"),
    valued('Q', "QOS[:QOS]...", "QOS whose jobs may use it"),
    valued('r', "ATTR=N[:ATTR=N]...",
           "the resources of a task: PROCS, and MEM, DISK, SWAP in MB; by default a whole node"),
    valued('s', "TIME", "when it begins; by default now"),
    valued('u', "USER[:USER]...", "users who may use it"),
    valued('x', "FLAG[:FLAG]...", "flags of the reservation"),
    kDryRun,
    kForeseen,
};
constexpr Flag kSetspri[] = {
    switched('r', "add PRIORITY, which may be negative, to the job's calculated priority"),
    kDryRun,
    kForeseen,
};
constexpr Flag kShowbf[] = {
    switched('A', "what is available regardless of credentials"),
    valued('a', "ACCOUNT", "as a job of this account"),
    valued('c', "CLASS", "as a job of this class"),
    valued('d', "DURATION", "only what stays free for this long"),
    valued('f', "FEATURE[:FEATURE]...", "only nodes with these features"),
    valued('g', "GROUP", "as a job of this group"),
    valued('m', "[CMP]MEMORY", "only nodes whose memory in MB meets this comparison: >= > == <= <"),
    valued('M', "MEMORY", "as a job whose tasks need a processor and this much memory each, in MB"),
    valued('n', "NODES", "only windows of at least this many nodes"),
    valued('p', "PARTITION", "only this partition"),
    valued('q', "QOS", "as a job of this QOS"),
    valued('r', "PROCS", "only windows of at least this many processors"),
    switched('S', "only nodes with free resources: how much of each is free, and for how long"),
    valued('u', "USER", "as a job of this user"),
    switched('v', "node by node"),
};
constexpr Flag kShowconfig[] = {
    switched('v', "every parameter, including those at their defaults")};
constexpr Flag kShowgrid[] = {
    valued('t', "START[,END]", "only jobs that ended in this period, from the history"),
};
constexpr Flag kShowhist[] = {
    valued('a', "ACCOUNT[,ACCOUNT]...", "only jobs of these accounts"),
    valued('c', "CLASS[,CLASS]...", "only jobs of these classes"),
    valued('e', "TIME", "only what ended by this time; by default now"),
    valued('g', "GROUP[,GROUP]...", "only jobs of these groups"),
    switched('m', "use of the machine, by minute, hour or day"),
    valued('n', "NODE[,NODE]...", "only jobs that ran on any of these nodes"),
    valued('q', "QOS[,QOS]...", "only jobs of these QOS"),
    switched('r', "reservations that have ended"),
    valued('s', "TIME",
           "only what ended at this time or later; by default the last midnight before -e, or, for "
           "named jobs, the beginning of the history"),
    valued('u', "USER[,USER]...", "only jobs of these users"),
};
constexpr Flag kShowq[] = {
    switched('b', "blocked jobs only"),
    switched('c', "jobs that have ended recently"),
    switched('e', "with -r: also when jobs are expected to end"),
    switched('i', "idle jobs only"),
    valued('p', "PARTITION", "this partition only"),
    switched('r', "active jobs only"),
    valued('u', "USER", "this user's jobs only"),
    switched('v', "with -r: also priorities"),
    {'w', "ATTR=NAME[,ATTR=NAME]...", false, true,
     "only jobs with this user, group, acct, class or qos"},
};
constexpr Flag kShowres[] = {
    valued('d', "DURATION", "with --gantt: the length of the chart; by default a day"),
    switched('g', "with -n: the node's name on every line"),
    switched('n', "node by node"),
    switched('o', "only reservations that overlap RES in time"),
    switched('r', "times relative to now, which Start and End are in any case"),
    switched('s', "a summary by type at the end"),
    switched('v', "more detail; with -n, all reservations on the nodes of RES"),
    {0, {}, false, false, "draw a chart of the coming hours, with a row per node", "gantt"},
};
constexpr Flag kShowstart[] = {
    {0, "FILE", false, false, "the job that the #SBATCH or #PBS lines of this script describe",
     "script"},
};
constexpr Flag kShowstate[] = {switched('x', "the same as --format=xml")};
constexpr Flag kShowstats[] = {
    perhaps('a', "ACCOUNT", "by account"),
    perhaps('c', "CLASS", "by class"),
    perhaps('f', "KIND", "fairshare use, as with diagnose -f"),
    perhaps('g', "GROUP", "by group"),
    switched('l',
             "accuracy of wallclock limits and of expected ends and starts, by user and class"),
    perhaps('n', "NODE", "by node, and how the jobs' memory requirements fit the nodes"),
    perhaps('q', "QOS", "by QOS"),
    switched('s', "the summary that showstats prints without flags"),
    switched('S', "with -n: only classes of memory, not individual nodes; alone without effect"),
    valued('t', "START[,END]", "only jobs that ended in this period, from the history"),
    perhaps('u', "USER", "by user"),
    switched('v', "more detail"),
};

constexpr std::array kCommands = {
    CommandSpec{.name = "canceljob",
                .operands = "JOB...",
                .min_operands = 1,
                .max_operands = -1,
                .access = Access::owner,
                .help = "Cancel jobs; x:EXPRESSION selects all jobs whose names match.",
                .flags = kOnlyDryRun,
                .jobs_from = 0},
    CommandSpec{.name = "changeparam",
                .operands = "PARAMETER VALUE...",
                .min_operands = 2,
                .max_operands = -1,
                .access = Access::admin1,
                .help = "Change a parameter until the scheduler ends.",
                .flags = kOnlyDryRun},
    CommandSpec{.name = "checkjob",
                .operands = "JOB",
                .min_operands = 1,
                .max_operands = 1,
                .looks = true,
                .help = "Show the state of a job, and why it does not run.",
                .flags = kCheckjob},
    CommandSpec{.name = "checknode",
                .operands = "NODE",
                .min_operands = 1,
                .max_operands = 1,
                .access = Access::admin3,
                .looks = true,
                .help = "Show the state of a node.",
                .flags = kChecknode},
    CommandSpec{.name = "diagnose",
                .access = Access::admin3,
                .looks = true,
                .help = "Show priority, fairshare, nodes and more, with warnings.",
                .flags = kDiagnose,
                .one_of = "acfgjmnpqQrRSut"},
    CommandSpec{.name = "mdiag",
                .access = Access::admin3,
                .looks = true,
                .help = "Another name for diagnose.",
                .flags = kDiagnose,
                .one_of = "acfgjmnpqQrRSut",
                .same_as = "diagnose"},
    CommandSpec{.name = "mjobctl",
                .operands = "JOB...",
                .min_operands = 1,
                .max_operands = -1,
                .access = Access::owner,
                .help = "Perform one operation on jobs.",
                .flags = kMjobctl,
                .jobs_from = 0,
                .one_of = "cChmpqrRsux"},
    CommandSpec{.name = "mnodectl",
                .operands = "NODE...",
                .min_operands = 1,
                .max_operands = -1,
                .access = Access::admin1,
                .help = "Take nodes into and out of service.",
                .flags = kMnodectl},
    CommandSpec{.name = "releasehold",
                .operands = "JOB...",
                .min_operands = 1,
                .max_operands = -1,
                .access = Access::owner,
                .help = "Release holds of jobs; without a type, all that you may release.",
                .flags = kHolds,
                .jobs_from = 0},
    CommandSpec{.name = "releaseres",
                .operands = "RES...",
                .min_operands = 1,
                .max_operands = -1,
                .access = Access::owner,
                .help = "Release reservations.",
                .flags = kReleaseres},
    CommandSpec{.name = "resetstats", .access = Access::admin1, .help = "Reset all statistics."},
    CommandSpec{.name = "runjob",
                .operands = "JOB",
                .min_operands = 1,
                .max_operands = 1,
                .access = Access::admin2,
                .help = "Start a job now.",
                .flags = kRunjob,
                .jobs_from = 0},
    CommandSpec{.name = "schedctl",
                .operands = "[VALUE...]",
                .max_operands = -1,
                .access = Access::admin1,
                .help = "Stop, step, resume, reconfigure or end the scheduler.",
                .flags = kSchedctl,
                .one_of = "klmnrRsS"},
    CommandSpec{.name = "sethold",
                .operands = "JOB...",
                .min_operands = 1,
                .max_operands = -1,
                .access = Access::owner,
                .help = "Place holds on jobs; without a type, all that you may place.",
                .flags = kHolds,
                .jobs_from = 0},
    CommandSpec{.name = "setqos",
                .operands = "QOS JOB",
                .min_operands = 2,
                .max_operands = 2,
                .access = Access::owner,
                .help = "Set a job's quality of service.",
                .flags = kOnlyDryRun,
                .jobs_from = 1},
    CommandSpec{.name = "setres",
                .operands = "EXPRESSION",
                .min_operands = 1,
                .max_operands = 1,
                .help = "Reserve resources: ALL, TASKS==N, TASKS>=N or a host expression.",
                .flags = kSetres},
    CommandSpec{.name = "setspri",
                .operands = "PRIORITY JOB",
                .min_operands = 2,
                .max_operands = 2,
                .access = Access::admin2,
                .help = "Set a job's system priority; 0 clears it.",
                .flags = kSetspri,
                .jobs_from = 1},
    CommandSpec{.name = "showbf",
                .looks = true,
                .help = "Show what is available immediately.",
                .flags = kShowbf},
    CommandSpec{.name = "showconfig",
                .access = Access::admin3,
                .looks = true,
                .help = "Show the parameters.",
                .flags = kShowconfig},
    CommandSpec{.name = "showgrid",
                .operands = "STATISTIC",
                .min_operands = 1,
                .max_operands = 1,
                .access = Access::admin3,
                .looks = true,
                .help = "Show a statistic of completed jobs by size and wallclock limit.",
                .flags = kShowgrid},
    CommandSpec{.name = "showhist",
                .operands = "[JOB...]",
                .max_operands = -1,
                .looks = true,
                .help = "Show jobs that have ended, from the whole history.",
                .flags = kShowhist},
    CommandSpec{.name = "showhold",
                .operands = "[JOB...]",
                .max_operands = -1,
                .looks = true,
                .help = "Show which jobs have holds."},
    CommandSpec{.name = "showq", .looks = true, .help = "Show the queue.", .flags = kShowq},
    CommandSpec{.name = "showres",
                .operands = "[RES]",
                .max_operands = 1,
                .looks = true,
                .help = "Show reservations.",
                .flags = kShowres},
    CommandSpec{.name = "showstart",
                .operands = "JOB|PROCS@DURATION|--script FILE",
                .min_operands = 1,
                .max_operands = 1,
                .looks = true,
                .help = "Show when an existing or a planned job can start.",
                .flags = kShowstart},
    CommandSpec{.name = "showstate",
                .access = Access::admin3,
                .looks = true,
                .help = "Show which job is on which node.",
                .flags = kShowstate},
    CommandSpec{
        .name = "showstats", .looks = true, .help = "Show usage statistics.", .flags = kShowstats},
};

const CommandSpec* find_row(std::string_view name) {
  const auto at = std::find_if(kCommands.begin(), kCommands.end(),
                               [&](const CommandSpec& row) { return row.name == name; });
  return at == kCommands.end() ? nullptr : &*at;
}

}  // namespace

std::span<const CommandSpec> command_specs() { return kCommands; }

const CommandSpec* find_command(std::string_view name) {
  const CommandSpec* row = find_row(name);
  return row != nullptr && !row->same_as.empty() ? find_row(row->same_as) : row;
}

const Flag* find_flag(const CommandSpec& spec, std::string_view key) {
  for (const Flag& flag : spec.flags) {
    if (flag.letter == 0 ? key == flag.name : key == std::string_view(&flag.letter, 1))
      return &flag;
  }
  return nullptr;
}

bool only_looks(const CommandRequest& request) {
  const auto* spec = find_command(request.command);
  if (spec == nullptr) return true;  // the request will be refused
  return spec->looks ||
         std::any_of(request.flags.begin(), request.flags.end(), [&](const auto& given) {
           const auto* flag = find_flag(*spec, given.first);
           return flag != nullptr && flag->looks;
         });
}

std::string CommandRequest::value(std::string_view flag, std::string_view otherwise) const {
  const auto end = flags.upper_bound(flag);  // equal keys are in order of insertion
  if (end == flags.begin() || std::prev(end)->first != flag) return std::string(otherwise);
  return std::prev(end)->second;
}

}  // namespace maui
