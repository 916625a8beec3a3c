// --dry-run: nothing is changed by it, and what it foretells is what comes of the command.
#include "cmd/dry_run.h"

#include <fmt/format.h>

#include <random>
#include <set>

#include "cmd/command_fixture.h"
#include "proto/reply_codec.h"
#include "sched/cycle.h"
#include "support/random_cluster.h"

namespace maui::test {
namespace {

const DryRun* dry_run_of(const Reply& reply) {
  return std::visit(
      [](const auto& body) -> const DryRun* {
        if constexpr (requires { body.dry_run; })
          return body.dry_run ? &*body.dry_run : nullptr;
        else
          return nullptr;
      },
      static_cast<const AnyReply&>(reply));
}

class DryRunTest : public CommandTest {
 protected:
  DryRun tried(const std::string& line, const std::string& user = "root") {
    const Reply reply = ask(line, user);
    if (const auto* refusal = std::get_if<Refusal>(&reply))
      ADD_FAILURE() << line << ": " << refusal->reason;
    const auto* found = dry_run_of(reply);
    if (found == nullptr) ADD_FAILURE() << line << " tells of no dry run";
    return found == nullptr ? DryRun{} : *found;
  }
  std::int64_t after(Seconds time) const { return (clock.time + time).raw(); }
};

TEST_F(DryRunTest, AHoldMovesTheJobToNeverAndTheNextJobForward) {
  const auto found = tried("sethold --dry-run b");
  EXPECT_EQ(found.jobs, 2);
  ASSERT_EQ(found.shifts.size(), 1U) << "c fits beside b anyway";
  EXPECT_EQ(found.shifts[0], (JobShift{"b", after(hours(1)), -1, "bob", ""}));
  EXPECT_EQ(found.users, (std::vector<ShiftSummary>{{"bob", 1, 0, 1, 0, 0}}));
  EXPECT_EQ(job("b").holds, 0);
}

TEST_F(DryRunTest, AJobThatTheCommandWouldReleaseIsCounted) {
  ASSERT_TRUE(succeeded(ask("sethold b c")));
  const auto found = tried("releasehold --dry-run b");
  EXPECT_EQ(found.jobs, 1) << "c is held before and after";
  ASSERT_EQ(found.shifts.size(), 1U);
  EXPECT_EQ(found.shifts[0], (JobShift{"b", -1, after(hours(1)), "bob", ""}));
}

TEST_F(DryRunTest, ACancelledJobIsNoNewsButThoseThatGetItsNodesAre) {
  const auto found = tried("canceljob --dry-run a");
  ASSERT_EQ(found.shifts.size(), 2U);
  EXPECT_EQ(found.shifts[0], (JobShift{"b", after(hours(1)), after(Seconds(0)), "bob", ""}));
  EXPECT_EQ(found.shifts[1].job, "c");
  EXPECT_TRUE(job("a").active());
}

TEST_F(DryRunTest, PrioritiesChangeWhoIsFirst) {
  for (const char* line : {"setspri --dry-run 100 d", "mjobctl --dry-run -p 100 d",
                           "mjobctl --dry-run -m priority=100 d"}) {
    begin_anew();
    auto manager = std::make_unique<ScriptedRm>();
    manager->next.nodes = {node_report("n1", procs(2)), node_report("n2", procs(2))};
    manager->next.arrived = {report("a", 4, "amy"), report("b", 4, "bob"), report("d", 4, "amy")};
    run(std::move(manager));
    const auto found = tried(line);
    ASSERT_EQ(found.shifts.size(), 2U) << line;
    EXPECT_EQ(found.shifts[0], (JobShift{"b", after(hours(1)), after(hours(2)), "bob", ""}));
    EXPECT_EQ(found.shifts[1], (JobShift{"d", after(hours(2)), after(hours(1)), "amy", ""}));
    EXPECT_EQ(found.users,
              (std::vector<ShiftSummary>{{"amy", 1, 1, 0, 1, -3600}, {"bob", 1, 0, 1, 1, 3600}}));
    EXPECT_EQ(job("d").system_priority, SystemPriority());
  }
}

TEST_F(DryRunTest, ANodeThatIsDrainedIsWaitedFor) {
  const auto found = tried("mnodectl --dry-run -m STATE=DRAINED n1 n2");
  ASSERT_FALSE(found.shifts.empty());
  EXPECT_GT(found.shifts[0].after, found.shifts[0].before);
  EXPECT_EQ(engine().cluster().node(engine().cluster().find_node("n1")).reported, NodeState::idle);
}

TEST_F(DryRunTest, AJobThatTheManagerCannotCheckpointIsRefusedAsByTheCommand) {
  begin_anew();
  auto manager = std::make_unique<ScriptedRm>();
  manager->next.nodes = {node_report("n1", procs(2))};
  manager->next.arrived = {job_report("a", 1)};
  manager->next.arrived[0].job.resource_manager = "wiki";
  RmRecord record{"wiki"};
  record.no_checkpoints = "it has no command to checkpoint a job";
  manager->kept_records = {record};
  manager->refuses_checkpoints = record.no_checkpoints;
  run(std::move(manager));
  const auto refused = why_not("mjobctl -C a");
  EXPECT_NE(refused.find(record.no_checkpoints), refused.npos) << refused;
  EXPECT_EQ(why_not("mjobctl --dry-run -C a"), refused);
}

TEST_F(DryRunTest, ANodeThatTheManagerCannotChangeIsRefusedAsByTheCommand) {
  begin_anew();
  auto manager = std::make_unique<ScriptedRm>();
  manager->next.nodes = {node_report("n1", procs(2))};
  manager->next.nodes[0].node.resource_manager = "wiki";
  manager->refuses_nodes = "use the resource manager's own command";
  RmRecord record{"wiki"};
  record.no_node_states = *manager->refuses_nodes;
  manager->kept_records = {record};
  run(std::move(manager));
  EXPECT_EQ(why_not("mnodectl -m STATE=DRAINED n1"), "use the resource manager's own command");
  EXPECT_EQ(why_not("mnodectl --dry-run -m STATE=DRAINED n1"),
            "use the resource manager's own command");
}

TEST_F(DryRunTest, AParameterIsTriedWithoutTheDaemonKnowing) {
  const auto found = tried("changeparam --dry-run USERCFG[amy] PRIORITY=1000");
  EXPECT_EQ(found.jobs, 2);
  EXPECT_TRUE(engine().settings().users.empty());
  EXPECT_TRUE(server.configuration().settings().users.empty());
  EXPECT_EQ(why_not("changeparam --dry-run NOSUCH 1"), why_not("changeparam NOSUCH 1"));
  EXPECT_EQ(tried("schedctl --dry-run -m BACKFILLPOLICY NONE").jobs, 2);
}

TEST_F(DryRunTest, TheFileIsTriedAsAReloadWouldReadIt) {
  std::vector<Diagnostic> diagnostics;
  server.in_file = *Configuration::parse(
      "NODEACCESSPOLICY SHARED\nSRCFG[all] PERIOD=INFINITY HOSTLIST=n1,n2 CLASSLIST=nobody\n",
      "file", diagnostics);
  const auto found = tried("schedctl --dry-run -R");
  ASSERT_EQ(found.shifts.size(), 2U);
  EXPECT_EQ(found.shifts[0].after, -1) << "the standing reservation of the file is in its way";
  for (const ReservationId id : engine().cluster().reservations())
    EXPECT_EQ(engine().cluster().reservation(id).kind, ReservationKind::job);
  server.reload_result = Error{"maui.cfg:3: no parameter is called 'NOSUCH'"};
  EXPECT_EQ(why_not("schedctl --dry-run -R"), "maui.cfg:3: no parameter is called 'NOSUCH'");
}

TEST_F(DryRunTest, RightsAndErrorsAreThoseOfTheCommand) {
  for (const char* line :
       {"sethold #a", "canceljob #a", "setspri #1 b", "mnodectl #-m STATE=DOWN n1",
        "changeparam #A B", "runjob #b", "setres #ALL", "releaseres #x", "mjobctl #-c a",
        "sethold #nosuch", "setqos #nosuch b"}) {
    const std::string with(line);
    const auto at = with.find('#');
    const auto wet = with.substr(0, at) + with.substr(at + 1);
    const auto dry = with.substr(0, at) + "--dry-run " + with.substr(at + 1);
    EXPECT_EQ(why_not(dry, "eve"), why_not(wet, "eve")) << line;
    EXPECT_NE(why_not(dry, "eve"), "(done)") << line;
  }
}

TEST_F(DryRunTest, OrdinaryUsersSeeOnlyTheirOwnJobs) {
  const auto found = tried("canceljob --dry-run a", "amy");
  ASSERT_EQ(found.shifts.size(), 1U);
  EXPECT_EQ(found.shifts[0].job, "c");
  ASSERT_EQ(found.users.size(), 1U);
  EXPECT_EQ(found.users[0].name, "amy");
}

TEST_F(DryRunTest, RefusesCommandsThatChangeNothingOrCannotBeTried) {
  EXPECT_EQ(why_not("mjobctl --dry-run -q a"),
            "mjobctl: -q changes nothing and cannot be combined with --dry-run");
  EXPECT_EQ(why_not("schedctl --dry-run -k"), "schedctl: --dry-run requires -m or -R");
  EXPECT_FALSE(server.ended);
  EXPECT_EQ(why_not("showq --dry-run"), "showq has no flag 'dry-run'");
}

TEST_F(DryRunTest, ReportsAJobFromBeyondTheExaminedJobs) {
  auto manager = std::make_unique<ScriptedRm>();
  manager->next.nodes = {node_report("n1", procs(2))};
  for (int i = 0; i < 450; ++i)
    manager->next.arrived.push_back(report(fmt::format("j{:03}", i), 2, "amy"));
  run(std::move(manager));
  const auto found = tried("setspri --dry-run 1000 j449");
  EXPECT_EQ(found.jobs, 400);
  EXPECT_FALSE(found.complete);
  const auto& last = found.shifts.back();
  EXPECT_EQ(last, (JobShift{"j449", kShiftBeyond, after(hours(1)), "amy", ""}));
  EXPECT_EQ(found.shifts[0].after, kShiftBeyond) << "the one that drops out";
  const auto all = tried("setspri --dry-run --jobs=all 1000 j449");
  EXPECT_EQ(all.jobs, 449);
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.shifts.size(), 449U);
  EXPECT_EQ(all.shifts.back(), (JobShift{"j449", after(hours(449)), after(hours(1)), "amy", ""}));
  EXPECT_EQ(tried("setspri --dry-run --jobs=10 1000 j449").jobs, 10);
}

TEST_F(DryRunTest, TheJobsFlagTakesANumberAndNeedsADryRun) {
  EXPECT_EQ(why_not("setspri --dry-run --jobs=none 1 a"),
            "setspri: --jobs: invalid value 'none': expected a number of jobs or ALL");
  EXPECT_EQ(why_not("setspri --dry-run --jobs=0 1 a"),
            "setspri: --jobs: invalid value '0': expected a number of jobs or ALL");
  EXPECT_EQ(why_not("setspri --jobs=10 1 a"), "setspri: --jobs requires --dry-run");
}

// --- properties ---------------------------------------------------------------------

constexpr const char* kSettings[] = {"BACKFILLPOLICY FIRSTFIT",
                                     "BACKFILLPOLICY NONE",
                                     "BACKFILLPOLICY BESTFIT",
                                     "RESERVATIONPOLICY HIGHEST",
                                     "RESERVATIONDEPTH 3",
                                     "USERCFG[amy] MAXJOB=1",
                                     "USERCFG[DEFAULT] MAXPROC=4",
                                     "FSPOLICY DEDICATEDPS",
                                     "FSWEIGHT 10",
                                     "FSUSERWEIGHT 1",
                                     "USERCFG[bob] FSTARGET=50.0",
                                     "SRCFG[day] PERIOD=DAY STARTTIME=3:00:00 HOSTLIST=n0",
                                     "RUNTIMELEARNING PRIORITY",
                                     "RUNTIMELEARNING BACKFILL",
                                     "XFACTORWEIGHT 1",
                                     "PROCWEIGHT 1",
                                     "CREDWEIGHT 1",
                                     "USERWEIGHT 1",
                                     "USERCFG[cid] PRIORITY=500",
                                     "QOSCFG[high] PRIORITY=1000",
                                     "QOSWEIGHT 1",
                                     "USERCFG[cid] QLIST=high,low",
                                     "NODEALLOCATIONPOLICY FIRSTAVAILABLE"};

/// A site, the same for the same number, which has run for a while.
class Site {
 public:
  explicit Site(unsigned seed) : random_(seed) {
    std::string text = "NODEACCESSPOLICY SHARED\nADMIN1 root\nDEFERTIME 1:00:00\n";
    for (const char* line : kSettings)
      if (below(3) == 0) text += std::string(line) + "\n";
    std::vector<Diagnostic> diagnostics;
    auto configuration = Configuration::parse(text, "site", diagnostics);
    if (!configuration) ADD_FAILURE() << diagnostics.front().text();
    server.stand(*configuration);
    auto manager = std::make_unique<ScriptedRm>();
    rm = manager.get();
    engine = std::make_unique<Engine>(
        configuration->settings(), std::move(manager), clock, nobody_,
        [this](const Cluster& cluster, const Settings& settings, Time now) {
          return frozen ? Plan{} : planner_(cluster, settings, now);
        });
    const int nodes = 2 + below(4);
    for (int i = 0; i < nodes; ++i)
      rm->next.nodes.push_back(node_report(fmt::format("n{}", i), procs(1 + below(4), 512)));
    for (int step = 0; step < 3; ++step) {
      for (int i = below(6); i >= 0; --i) rm->next.arrived.push_back(some_job());
      engine->iterate([] {});
      if (below(3) == 0) ask(fmt::format("sethold j{}", below(jobs_)));
      if (below(3) == 0) ask(fmt::format("setres -s +{}:00:00 -d 2:00:00 n{}", below(3), below(2)));
      clock.time = clock.time + Seconds(600 + below(2000));
    }
    engine->iterate([] {});
  }

  /// Returns a command that may be asked of it, at random.
  std::string some_command() {
    const auto job = fmt::format("j{}", below(jobs_));
    const auto node = fmt::format("n{}", below(3));
    const std::vector<std::string> all{"canceljob " + job,
                                       "canceljob x:j[0-4]",
                                       "sethold " + job,
                                       "sethold -u x:.",
                                       "releasehold " + job,
                                       "releasehold x:.",
                                       "runjob " + job,
                                       "runjob -x " + job,
                                       "runjob -s " + job,
                                       "runjob -c " + job,
                                       "runjob -f " + job,
                                       "setspri 100 " + job,
                                       "setspri -r 50 " + job,
                                       "setqos high " + job,
                                       "mnodectl -m STATE=DRAINED " + node,
                                       "mnodectl -m STATE=DOWN " + node,
                                       "mnodectl modify state=idle " + node,
                                       "setres -s +1:00:00 -d 2:00:00 " + node,
                                       "setres -d 30:00 TASKS==2",
                                       "setres -u amy ALL",
                                       "releaseres x:.",
                                       "releaseres " + job,
                                       "mjobctl -c " + job,
                                       "mjobctl -h " + job,
                                       "mjobctl -u " + job,
                                       "mjobctl -m wclimit=30:00 " + job,
                                       "mjobctl -m qos=low " + job,
                                       "mjobctl -m hold=user " + job,
                                       "mjobctl -p 10 " + job,
                                       "mjobctl -p +10 " + job,
                                       "mjobctl -R " + job,
                                       "mjobctl -s " + job,
                                       "mjobctl -C " + job,
                                       "mjobctl -r " + job,
                                       "mjobctl -x " + job,
                                       "schedctl -R",
                                       "schedctl -m BACKFILLPOLICY NONE",
                                       "changeparam USERCFG[amy] PRIORITY=1000",
                                       "changeparam USERCFG[bob] MAXJOB=1",
                                       "changeparam USERWEIGHT 10",
                                       "changeparam QUEUETIMEWEIGHT 0",
                                       "changeparam PROCWEIGHT 10",
                                       "changeparam FSPOLICY NONE",
                                       "changeparam RUNTIMELEARNING PRIORITY",
                                       "changeparam NODECFG[n0] MAXJOB=1",
                                       "changeparam NODEACCESSPOLICY DEDICATED",
                                       "changeparam SRCFG[night] PERIOD=INFINITY HOSTLIST=n1",
                                       "changeparam REJECTNEGPRIOJOBS TRUE",
                                       "changeparam NOSUCH 1"};
    return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
  }
  static std::string dry(const std::string& line) {
    const auto blank = line.find(' ');
    return line.substr(0, blank) + " --dry-run" + line.substr(blank);
  }

  Reply ask(const std::string& line) {
    CommandRequest request;
    request.user = "root";
    const auto all = words(line);
    request.command = all.front();
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (all[i].starts_with("--")) {
        request.flags.emplace(all[i].substr(2), "");
      } else if (all[i][0] != '-') {
        request.operands.emplace_back(all[i]);
      } else {
        const Flag* flag = find_flag(*find_command(request.command), all[i].substr(1));
        const bool takes = flag != nullptr && !flag->argument.empty() && i + 1 < all.size();
        const auto letter = all[i].substr(1);
        request.flags.emplace(letter, takes ? all[++i] : std::string_view());
      }
    }
    return execute(*engine, server, request);
  }
  /// The command in earnest, with what a daemon and a resource manager make of it.
  Reply really(const std::string& line) {
    std::vector<std::string> running;
    for (const auto& row : engine->cluster().active())
      running.push_back(engine->cluster().job(row.job).name);
    const auto asked = rm->asked.size();
    auto reply = ask(line);
    if (line.starts_with("changeparam") || line.starts_with("schedctl"))
      engine->set_settings(server.configuration().settings());
    for (auto i = asked; i < rm->asked.size(); ++i)
      for (const auto& name : running)
        if (rm->asked[i] == "cancel " + name)
          rm->next.ended.push_back({name, JobState::removed, clock.time});
    if (!rm->next.ended.empty()) {
      frozen = true;
      engine->iterate([] {});
      frozen = false;
    }
    return reply;
  }

  /// All that can be seen of it.
  std::vector<std::string> seen() {
    std::vector<std::string> all;
    const auto note = [&](const std::string& line) { all.push_back(encode_reply(ask(line))); };
    for (const char* line :
         {"showq", "showq -i", "showq -b", "showq -c", "showres", "showres -n", "diagnose -p",
          "diagnose -q", "diagnose -j", "diagnose -n", "diagnose -r", "diagnose -f", "diagnose -R",
          "diagnose -u", "diagnose -t", "showstats -v", "showconfig", "showhold", "showbf -v"})
      note(line);
    for (int i = 0; i < jobs_; ++i) note(fmt::format("checkjob -v j{}", i));
    all.push_back(checkpoint_text(engine->cluster(), engine->checkpoint()));
    for (const auto& question : rm->asked) all.push_back(question);
    all.push_back(std::to_string(server.woken));
    return all;
  }
  /// When each waiting job is expected to start, by name.
  std::map<std::string, std::int64_t> expected() {
    const auto trial = engine->trial();
    trial->settle_trial();
    const Cluster& cluster = trial->counted();
    std::map<std::string, std::int64_t> starts;
    for (const auto& line : cluster.waiting()) starts[cluster.job(line.job).name] = -1;
    for (const auto& row : cluster.active())
      starts[cluster.job(row.job).name] = cluster.job(row.job).started.raw();
    const auto forecast = forecast_queue(cluster, trial->settings(), trial->now(), 1000);
    for (const auto& foreseen : forecast.starts)
      starts[cluster.job(foreseen.job).name] =
          foreseen.start >= kForever ? -1 : foreseen.start.raw();
    return starts;
  }
  std::set<std::string> waiting() {
    std::set<std::string> names;
    for (const auto& line : engine->cluster().waiting())
      names.insert(engine->cluster().job(line.job).name);
    return names;
  }
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  std::unique_ptr<Engine> engine;
  ScriptedRm* rm = nullptr;
  HandClock clock;
  RecordingServer server;
  bool frozen = false;

 private:
  JobReport some_job() {
    constexpr const char* kUsers[] = {"amy", "bob", "cid"};
    constexpr const char* kAccounts[] = {"chem", "phys"};
    auto made =
        job_report(fmt::format("j{}", jobs_++), 1 + below(5), Seconds(1800 * (1 + below(8))));
    made.user = kUsers[below(3)];
    made.account = kAccounts[below(2)];
    made.job.submitted = clock.time;
    return made;
  }

  std::mt19937 random_;
  Nobody nobody_;
  Planner planner_ = cycle_planner();
  int jobs_ = 0;
};

TEST(DryRunProperty, NothingIsChangedByIt) {
  int tried = 0;
  for (unsigned seed = 0; seed < rounds(20); ++seed) {
    Site site(seed), twin(seed);
    ASSERT_EQ(site.seen(), twin.seen()) << "seed " << seed << ": the sites are the same";
    for (int i = 0; i < 6; ++i) {
      const auto line = Site::dry(site.some_command());
      const auto before = site.seen();
      tried += dry_run_of(site.ask(line)) != nullptr ? 1 : 0;
      ASSERT_EQ(site.seen(), before) << "seed " << seed << ": " << line;
    }
    // The next decisions, by planners that were kept.
    for (int step = 0; step < 2; ++step) {
      for (Site* each : {&site, &twin}) {
        each->clock.time = each->clock.time + minutes(20);
        each->engine->iterate([] {});
      }
      ASSERT_EQ(site.seen(), twin.seen()) << "seed " << seed << ", in the iteration after them";
    }
  }
  EXPECT_GT(tried, static_cast<int>(rounds(20)) * 2) << "most commands can be given";
}

TEST(DryRunProperty, PredictsTheEffectOfTheCommand) {
  int tried = 0, moved = 0;
  for (unsigned seed = 0; seed < rounds(300); ++seed) {
    Site site(seed), twin(seed);
    const auto line = site.some_command();
    const Reply dry = site.ask(Site::dry(line));
    Reply wet = twin.really(line);
    const auto* found = dry_run_of(dry);
    if (found == nullptr) {
      EXPECT_EQ(encode_reply(dry), encode_reply(wet)) << "seed " << seed << ": " << line;
      continue;
    }
    ++tried;
    auto foretold = site.expected();
    const auto waiting = site.waiting();
    for (const auto& shift : found->shifts) {
      EXPECT_EQ(foretold[shift.job], shift.before) << "seed " << seed << ": " << line;
      foretold[shift.job] = shift.after;
      ++moved;
    }
    const auto real = twin.expected();
    for (const auto& name : waiting) {
      if (!real.contains(name)) continue;
      EXPECT_EQ(foretold[name], real.at(name)) << "seed " << seed << ": " << line << ", " << name;
    }
    std::visit(
        [&](auto& body) {
          if constexpr (requires { body.dry_run; }) body.dry_run = *found;
        },
        static_cast<AnyReply&>(wet));
    EXPECT_EQ(encode_reply(dry), encode_reply(wet)) << "seed " << seed << ": " << line;
  }
  EXPECT_GT(tried, static_cast<int>(rounds(300)) / 2);
  EXPECT_GT(moved, static_cast<int>(rounds(300)) / 2);
}

}  // namespace
}  // namespace maui::test
