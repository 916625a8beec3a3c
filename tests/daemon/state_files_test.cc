// Every file that a scheduler goes on from, with names of every byte: each name is read again as it
// was, and none adds a line.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "bank/allocation_file.h"
#include "bank/allocation_lines.h"
#include "base/percent.h"
#include "base/text.h"
#include "daemon/clients/seen_messages.h"
#include "daemon/files/checkpoint_file.h"
#include "daemon/files/fairshare_files.h"
#include "daemon/files/lock_file.h"
#include "daemon/files/secret_file.h"
#include "daemon/files/statistics_file.h"
#include "daemon/logging/log.h"
#include "daemon/temporary_directory.h"
#include "engine/accounts/fairshare_text.h"
#include "engine/checkpoint/checkpoint.h"
#include "history/history_index.h"
#include "history/history_query.h"
#include "history/recorded_job.h"
#include "sim/workload_trace.h"

namespace maui {
namespace {

/// Each byte alone, between letters and at both ends, and what would be a line or a word of its
/// own.
std::vector<std::string> hostile_names() {
  std::vector<std::string> names{"domain users",
                                 "\nUser root 999999999\n",
                                 "a\nTOTAL 5",
                                 "%20",
                                 "%",
                                 "[NONE]",
                                 "[DEFAULT]",
                                 "# Complete Until: 1",
                                 "a] [b:2",
                                 "m\xc3\xbcller",
                                 "\xef\x9c\x81",
                                 "\xef\x9f\xbf\xff",
                                 "\xed\xa0\x80",
                                 "\xf4\x90\x80\x80",
                                 "\xc0\xaf\xe2\x80",
                                 "VERSION 230\n#",
                                 "VERSION",
                                 "VERSION2",
                                 "\",\"holds\":0,\"",
                                 "n[1-3],n9:2"};
  for (int byte = 0; byte < 256; ++byte) {
    const std::string character(1, static_cast<char>(byte));
    names.insert(names.end(), {character, "x" + character + "y", character + "z" + character});
  }
  return names;
}

struct StateFiles : testing::Test {
  const std::string& name() const { return name_; }
  template <class Test>
  void for_each_name(Test test) {
    for (const std::string& name : hostile_names()) {
      SCOPED_TRACE(testing::PrintToString(name));
      name_ = name;
      test();
      if (HasFatalFailure()) return;
    }
  }
  static auto lines_of(const std::string& text) {
    return std::count(text.begin(), text.end(), '\n');
  }
  /// A job of that name whose every credential is called so, and that ran on a node called so.
  JobId job(Cluster& cluster) const {
    Node node;
    node.name = name();
    node.reported = NodeState::idle;
    node.configured = Resources(8, 8192, 8192, 8192);
    node.partition = cluster.partitions.intern("DEFAULT");
    const ClassId job_class = cluster.classes.intern(name());
    node.configured.set(cluster.initiator(job_class), 8);
    const NodeId where = cluster.add_node(std::move(node));
    Job made;
    made.name = made.resource_manager = made.executable = made.qos_requested = name();
    made.required_reservation = made.node_set = made.application_data = name();
    made.submitted = made.queued = made.eligible_since = Time(1000);
    made.credentials.user = cluster.users.intern(name());
    made.credentials.group = cluster.groups.intern(name());
    made.credentials.account = cluster.accounts.intern(name());
    made.credentials.qos = cluster.qos.intern(name());
    made.credentials.job_class = job_class;
    made.holds = static_cast<std::uint8_t>(Hold::system);
    made.hold_reason = HoldReason{name()};
    Request request;
    Requirement& requirement = request.requirements.front();
    requirement.per_task = Resources(1);
    requirement.per_task.set(cluster.initiator(job_class), 1);
    requirement.job_class = job_class;
    requirement.features = {cluster.features.intern(name())};
    requirement.network = requirement.architecture = requirement.operating_system = name();
    request.limit = Seconds(600);
    request.host_list = {where};
    const JobId id = cluster.add_job(std::move(made), std::move(request));
    cluster.start_job(id, {{where, 1, 0}}, Time(2000));
    return id;
  }

 private:
  std::string name_;
};

TEST_F(StateFiles, AFairshareFileKeepsEveryName) {
  for_each_name([this] {
    Cluster names;
    FairshareWindow window;
    window.start = Time(7200);
    window.length = Seconds(3600);
    window.total = 10;
    for (const auto kind : {CredentialKind::user, CredentialKind::group, CredentialKind::account,
                            CredentialKind::qos, CredentialKind::job_class})
      window.used[kind] = {5};
    names.users.intern(name());
    names.groups.intern(name());
    names.accounts.intern(name());
    names.qos.intern(name());
    names.classes.intern(name());
    const auto text = fairshare_text(names, window, Time(7300));
    EXPECT_EQ(lines_of(text), 9);
    Cluster again;
    const auto file = read_fairshare_text(text, Time(7200), Seconds(3600), again);
    EXPECT_TRUE(file.problems.empty()) << file.problems.front();
    EXPECT_EQ(file.window.total, 10);
    EXPECT_EQ(file.complete_until, Time(7300));
    for (const auto kind : {CredentialKind::user, CredentialKind::group, CredentialKind::account,
                            CredentialKind::qos, CredentialKind::job_class})
      EXPECT_EQ(file.window.used[kind], std::vector<double>{5});
    EXPECT_EQ(again.users.find(name()).index(), 0U);
    EXPECT_EQ(again.groups.find(name()).index(), 0U);
    EXPECT_EQ(again.accounts.find(name()).index(), 0U);
    EXPECT_EQ(again.qos.find(name()).index(), 0U);
    EXPECT_EQ(again.classes.find(name()).index(), 0U);
  });
}

TEST_F(StateFiles, AStatisticsFileKeepsEveryName) {
  for_each_name([this] {
    Cluster cluster;
    const JobId id = job(cluster);
    cluster.end_job(id, JobState::completed, Time(2300));
    const auto record = write_workload_record(cluster, cluster.job(id));
    EXPECT_EQ(lines_of(record), 0);
    ASSERT_EQ(words(record).size(), 44U) << record;
    const auto read = parse_workload_record(record, NodeAccess::shared);
    ASSERT_TRUE(read) << read.error().what << '\n' << record;
    const JobReport& report = read->report;
    EXPECT_EQ(report.name, name());
    EXPECT_EQ(report.user, name());
    EXPECT_EQ(report.group, name());
    EXPECT_EQ(report.account, name());
    EXPECT_EQ(report.qos, name());
    EXPECT_EQ(report.job_class, name());
    EXPECT_EQ(report.features.at(0), std::vector<std::string>{name()});
    EXPECT_EQ(report.host_list, std::vector<std::string>{name()});
    EXPECT_EQ(report.job.executable, name());
    EXPECT_EQ(report.job.resource_manager, name());
    EXPECT_EQ(report.job.required_reservation, name());
    EXPECT_EQ(report.job.node_set, name());
    EXPECT_EQ(report.job.application_data, name());
    EXPECT_EQ(report.request.requirements.front().network, name());
    EXPECT_EQ(report.request.requirements.front().architecture, name());
    EXPECT_EQ(report.request.requirements.front().operating_system, name());
    EXPECT_EQ(report.job.submitted, Time(1000));
  });
}

TEST_F(StateFiles, ACheckpointKeepsEveryName) {
  PlotSettings plot;  // as small as possible: it is written for each name
  plot.proc_scale = plot.time_scale = 1;
  for_each_name([&] {
    Cluster cluster;
    const JobId id = job(cluster);
    Checkpoint before;
    before.when = Time(2100);
    before.jobs.push_back(checkpointed(cluster, cluster.job(id), Time(2100)));
    before.jobs.back().qos = name();
    before.ended.push_back({Time(2000), name(), Time(1000), name()});
    before.heard[name()] = Time(2100);
    before.statistics.restart_grid(plot, Time(0));
    before.statistics.users[cluster.users.find(name())].jobs = 3;
    AllocationRequest charge;
    charge.job = charge.user = charge.account = name();
    before.charges.push_back(charge);
    Reservation reserved;
    reserved.name = reserved.host_expression = reserved.owner = reserved.charge_account = name();
    reserved.start = Time(3000);
    reserved.end = Time(4000);
    reserved.features = {cluster.features.find(name())};
    AccessCriterion may;
    may.kind = AccessKind::group;
    may.value = static_cast<std::int64_t>(cluster.groups.find(name()).index());
    reserved.access.criteria.push_back(may);
    before.reservations.push_back({reserved, {{name(), 1, 0}}, {}});
    RunTimeHistory runs;
    runs.learn({name(), name(), 2, Seconds(60)}, Seconds(30), Time(2000));
    before.learned = {runs.kept(), {}, {}};

    Cluster names;
    const auto read = read_checkpoint_text(checkpoint_text(cluster, before), plot, names);
    ASSERT_TRUE(read) << read.error().what;
    ASSERT_EQ(read->jobs.size(), 1U);
    const CheckpointedJob& memory = read->jobs.front();
    EXPECT_EQ(memory.name, name());
    EXPECT_EQ(memory.hold_reason.text, name());
    EXPECT_EQ(memory.qos, name());
    ASSERT_TRUE(memory.run);
    EXPECT_EQ(memory.run->user, name());
    EXPECT_EQ(memory.run->group, name());
    EXPECT_EQ(memory.run->account, name());
    EXPECT_EQ(memory.run->job_class, name());
    EXPECT_EQ(memory.run->qos, name());
    EXPECT_EQ(memory.run->job.resource_manager, name());
    EXPECT_EQ(memory.run->task_list, std::vector<std::string>{name()});
    EXPECT_EQ(read->ended.at(0).name, name());
    EXPECT_EQ(read->learned->rings, before.learned->rings);
    EXPECT_EQ(read->heard.count(name()), 1U);
    EXPECT_EQ(read->charges.at(0).account, name());
    ASSERT_TRUE(names.users.find(name()).valid());
    EXPECT_EQ(read->statistics.users.count(names.users.find(name())), 1U);
    ASSERT_EQ(read->reservations.size(), 1U);
    const CheckpointedReservation& kept = read->reservations.front();
    EXPECT_EQ(kept.terms.name, name());
    EXPECT_EQ(kept.terms.host_expression, name());
    EXPECT_EQ(kept.terms.owner, name());
    EXPECT_EQ(kept.shares.at(0).node, name());
    EXPECT_EQ(names.features[kept.terms.features.at(0)], name());
    ASSERT_EQ(kept.terms.access.criteria.size(), 1U);
    EXPECT_EQ(names.groups.find(name()).index(),
              static_cast<std::size_t>(kept.terms.access.criteria.front().value));
  });
}

TEST_F(StateFiles, AnAllocationFileKeepsEveryName) {
  for_each_name([this] {
    AllocationRequest charge;
    charge.deed = AllocationDeed::debit;
    charge.job = charge.user = charge.group = charge.account = charge.job_class = charge.qos =
        name();
    charge.node_types = {{name(), 2}};
    const auto line = allocation_line(charge);
    EXPECT_EQ(lines_of(line), 0);
    EXPECT_EQ(words(line).size(), 13U) << line;
    const auto debit = run_in(line);
    ASSERT_TRUE(debit);
    EXPECT_EQ(percent_unescaped(debit->identity.job), name());
  });
}

// The records, what stands beside them, and the database that is made of both.
TEST_F(StateFiles, TheHistoryKeepsEveryName) {
  const TemporaryDirectory directory;
  std::ofstream records(directory / "stats.2026_11_01"), events(directory / "history.2026_11_01");
  for_each_name([&] {
    Cluster cluster;
    const JobId id = job(cluster);
    cluster.end_job(id, JobState::completed, Time(2300));
    records << write_workload_record(cluster, cluster.job(id)) << '\n';
    for (const history::Event& event :
         {history::Event(history::JobEnding{name(), Time(1000), Time(2300), 7, {}}),
          history::Event(history::PastReservation{name(), name(), Time(1), Time(9), 2, 4})}) {
      const auto line = history::event_line(event);
      EXPECT_EQ(lines_of(line), 0);
      const auto read = history::parse_event_line(line);
      ASSERT_TRUE(read) << read.error().what << '\n' << line;
      EXPECT_TRUE(*read == event);
      events << line << '\n';
    }
  });
  records.close();
  events.close();
  history::HistoryIndex index(directory.path(), [](const std::string& line) { FAIL() << line; });
  index.begin();
  while (index.go_on(std::chrono::milliseconds(5), Time(0))) {
  }
  ASSERT_TRUE(index.done());
  for_each_name([&] {
    const auto known = history::find_job(index.reader(), name(), name());
    ASSERT_TRUE(known && *known);
    EXPECT_EQ((*known)->exit_code, 7);
    EXPECT_EQ((*known)->job.name, name());
    for (const auto kind : kCredentialKinds) EXPECT_EQ((*known)->job.who[kind], name());
    EXPECT_EQ(main_host((*known)->job), name());
    JobSelection selection;
    selection.nodes = {name()};
    EXPECT_TRUE(selection.admits((*known)->job));
  });
}

TEST_F(StateFiles, OrdinaryNamesAreWrittenAsTheyAre) {
  for (const char* plain : {"amy", "a.user@site-1_x+y", "m\xc3\xbcller", "0day", "a:b[1]"})
    EXPECT_EQ(percent_escaped(plain), plain);
}

constexpr Time kOfFiles{1000000000};

/// A file that the scheduler writes, and how it does that in a home directory.
struct WrittenFile {
  std::string name;
  std::function<void(const std::string& home)> write;
  bool stays = true;  // still there afterwards
};

std::vector<WrittenFile> written_files() {
  const auto log = [](std::int64_t max_size) {
    return [max_size](const std::string& home) {
      LogSettings settings;
      settings.max_size = max_size;
      Log opened([] { return kOfFiles; });
      if (!opened.open(settings, home)) return;
      for (int line = 0; line < 3; ++line) opened.write(0, "fCORE", "a line of some length");
    };
  };
  const auto lines = [](const std::string& kind) {
    return [kind](const std::string& home) {
      StatisticsFile file(home + "/stats", ServerMode::normal, "VERSION 230", kind);
      [[maybe_unused]] const Status added = file.add("a line", kOfFiles);
    };
  };
  const auto day_of = [](const std::string& kind) {
    return StatisticsFile("stats", ServerMode::normal, "", kind).path(kOfFiles);
  };
  const auto fairshare = [](const std::string& home) {
    FairshareWindow window;
    window.start = kOfFiles;
    window.length = Seconds(3600);
    [[maybe_unused]] const Status written =
        FairshareFiles(home + "/stats").write(Cluster(), window, kOfFiles, Durability::power_loss);
  };
  const auto checkpoint = [](const std::string& home) {
    for (const char* text : {"one\n", "two\n"})
      [[maybe_unused]] const Status written = CheckpointFile(home + "/maui.ck").write(text);
  };
  const auto seen = [](const std::string& home) {
    SeenMessages messages(Seconds(300), 0);
    [[maybe_unused]] const auto opened = messages.open(home + "/maui.seen");
  };
  return {
      {"log/maui.log", log(1000000)},
      {"log/maui.log.1", log(50)},
      {day_of("stats"), lines("stats")},
      {day_of("history"), lines("history")},
      {"stats/history.db",
       [](const std::string& home) {
         history::HistoryIndex(home + "/stats", [](const std::string&) {}).begin();
       }},
      {"stats/allocations",
       [](const std::string& home) {
         AllocationFile(home + "/stats/allocations").ask({}, [](const AllocationAnswer&) {});
       }},
      {"stats/FS.1000000000", fairshare},
      {"stats/FS.1000000000.new", fairshare, false},
      {"maui.ck", checkpoint},
      {"maui.ck.old", checkpoint},
      {"maui.ck.new", checkpoint, false},
      {"maui.seen", seen},
      {"maui.seen.new", seen, false},
      {"maui.pid",
       [](const std::string& home) {
         [[maybe_unused]] const auto lock = LockFile::take(home + "/maui.pid");
       },
       false},
      {"maui-private.cfg",
       [](const std::string& home) {
         [[maybe_unused]] const Status made = generate_secret(home + "/maui-private.cfg");
       }},
  };
}

/// A home directory with a file that is not the scheduler's.
struct HomeWithVictim {
  HomeWithVictim() {
    for (const char* name : {"log", "stats"}) std::filesystem::create_directory(home / name);
    std::ofstream(home / "victim") << "precious\n";
  }
  std::string victim() const {
    std::ostringstream text;
    text << std::ifstream(home / "victim").rdbuf();
    return text.str();
  }
  TemporaryDirectory home;
};

TEST(WrittenFiles, NoneIsALinkThatIsFollowed) {
  for (const WrittenFile& file : written_files())
    for (const char* target : {"", "victim", "missing"}) {
      SCOPED_TRACE(file.name + " -> " + target);
      const HomeWithVictim with;
      const bool link = *target != '\0';
      if (link) std::filesystem::create_symlink(with.home / target, with.home / file.name);
      file.write(with.home.path());
      EXPECT_EQ(with.victim(), "precious\n");
      EXPECT_FALSE(std::filesystem::exists(with.home / "missing"));
      EXPECT_TRUE(link || std::filesystem::exists(with.home / file.name) == file.stays);
    }
}

TEST(WrittenFiles, ADraftIsAlwaysANewFile) {
  for (const WrittenFile& file : written_files()) {
    if (!file.name.ends_with(".new")) continue;
    SCOPED_TRACE(file.name);
    const HomeWithVictim with;
    std::filesystem::create_hard_link(with.home / "victim", with.home / file.name);
    file.write(with.home.path());
    EXPECT_EQ(with.victim(), "precious\n");
  }
}

}  // namespace
}  // namespace maui
