// No job ever runs in a partition or under a QOS that it may not use, whatever the configuration,
// the jobs, and what administrators do in between.
#include <random>
#include <set>

#include "engine/engine_fixture.h"
#include "sched/cycle.h"
#include "support/random_cluster.h"

namespace maui::test {
namespace {

using Names = std::vector<std::string>;

const Names kPartitions{"left", "right", "middle"};
const Names kQos{"low", "normal", "high"};

struct AccessProperty : EngineTest {
  AccessProperty() {
    core = [this](const Cluster& known, Time now) { return plan(known, settings, now); };
  }

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string one_of(const Names& names) {
    return names[static_cast<std::size_t>(below(static_cast<int>(names.size())))];
  }
  Names some_of(const Names& names) {
    Names some;
    for (const auto& name : names)
      if (below(2) == 0) some.push_back(name);
    return some;
  }

  CredentialSettings some_entry() {
    CredentialSettings entry;
    if (below(3) == 0) entry.default_qos = one_of(kQos);
    if (below(3) == 0) entry.qos_list = some_of(kQos);
    if (below(4) == 0) entry.default_partition = one_of(kPartitions);
    if (below(3) == 0) entry.partition_list = some_of(kPartitions);
    if (below(4) == 0) entry.flags = {"SPAN"};
    return entry;
  }
  void configure() {
    Settings made;
    made.node_access = NodeAccess::shared;
    for (const char* user : {"amy", "bob", "DEFAULT"})
      if (below(2) == 0) made.users[user] = some_entry();
    for (const char* group : {"chem", "phys"})
      if (below(2) == 0) made.groups[group] = some_entry();
    if (below(2) == 0) made.classes["batch"] = some_entry();
    for (const auto& qos : kQos)
      if (below(3) == 0) made.qos[qos] = some_entry();
    if (below(2) == 0) made.system = some_entry();
    settings = made;
    engine().set_settings(made);
  }
  JobReport some_report() {
    JobReport report =
        job_report("j" + std::to_string(++jobs_), 1 + below(3), minutes(1 + below(5)));
    report.user = one_of({"amy", "bob", "eve"});
    report.group = one_of({"chem", "phys"});
    report.job_class = one_of({"batch", "long"});
    if (below(2) == 0) report.qos = one_of(kQos);
    if (below(3) == 0) report.partition = one_of(kPartitions);
    if (below(6) == 0) report.partition = "left:right";
    return report;
  }

  // The rule again, slow and obvious: everything that some entry of the job lists.
  const CredentialSettings* entry(const CredentialTable& table, const std::string& name) const {
    if (table.contains(name)) return &table.at(name);
    return table.contains("DEFAULT") ? &table.at("DEFAULT") : nullptr;
  }
  std::vector<const CredentialSettings*> entries(const Job& job, bool with_qos) {
    const auto& who = job.credentials;
    std::vector<const CredentialSettings*> all{
        entry(settings.users, cluster().users[who.user]),
        entry(settings.groups, cluster().groups[who.group]),
        entry(settings.classes, cluster().classes[who.job_class]), &settings.system};
    if (with_qos) all.push_back(entry(settings.qos, cluster().qos[who.qos]));
    std::erase(all, nullptr);
    return all;
  }
  bool access_configured() const {
    const auto says = [](const CredentialSettings& credential) {
      return !credential.default_qos.empty() || credential.qos_list;
    };
    bool any = says(settings.system);
    for (const auto* table : {&settings.users, &settings.groups, &settings.classes})
      for (const auto& [name, credential] : *table) any = any || says(credential);
    return any;
  }
  void check_start(const Job& job) {
    const auto& qos = cluster().qos[job.credentials.qos];
    bool may = qos == "DEFAULT" || !access_configured();
    for (const auto* credential : entries(job, false)) {
      may = may || credential->default_qos == qos;
      if (credential->qos_list)
        may = may || std::find(credential->qos_list->begin(), credential->qos_list->end(), qos) !=
                         credential->qos_list->end();
    }
    EXPECT_TRUE(may) << job.name << " runs under " << qos;
    std::set<std::string> partitions;
    bool listed = false, spans = false;
    for (const auto* credential : entries(job, true)) {
      spans = spans || !credential->flags.empty();
      if (!credential->default_partition.empty()) partitions.insert(credential->default_partition);
      if (!credential->partition_list) continue;
      listed = true;
      partitions.insert(credential->partition_list->begin(), credential->partition_list->end());
    }
    std::set<std::string> used;
    for (const auto& share : job.placement)
      used.insert(cluster().partitions[cluster().node(share.node).partition]);
    for (const auto& name : used) {
      EXPECT_TRUE(!listed || partitions.contains(name)) << job.name << " runs in " << name;
      EXPECT_TRUE(asked_[job.name].empty() || asked_[job.name].contains(name))
          << job.name << " did not ask for " << name;
    }
    EXPECT_TRUE(spans || used.size() == 1) << job.name;
  }

  void run(unsigned seed) {
    random_.seed(seed);
    for (const auto& name : kPartitions)
      for (int i = 0; i < 2; ++i) {
        rm().next.nodes.push_back(node_report(name + std::to_string(i), procs(2)));
        rm().next.nodes.back().partition = name;
      }
    configure();
    std::set<std::string> checked;
    for (int step = 0; step < 12; ++step) {
      for (int i = below(4); i > 0; --i) {
        rm().next.arrived.push_back(some_report());
        const auto& report = rm().next.arrived.back();
        if (!report.partition.empty())
          asked_[report.name] = report.partition == "left:right"
                                    ? std::set<std::string>{"left", "right"}
                                    : std::set<std::string>{report.partition};
      }
      for (const auto& row : cluster().active())
        if (below(3) == 0)
          rm().next.ended.push_back({cluster().job(row.job).name, JobState::completed, clock.time});
      iterate(Seconds(60 * step));
      for (const auto& row : cluster().active())
        if (checked.insert(cluster().job(row.job).name).second) check_start(cluster().job(row.job));
      if (below(4) == 0) configure();
      for (const JobId job : cluster().jobs())  // somebody releases holds without looking
        if (cluster().job(job).waiting() && below(5) == 0) {
          EXPECT_TRUE(set_holds(engine(), job, 0));
        }
      ASSERT_FALSE(cluster().check()) << *cluster().check();
    }
    starts += static_cast<int>(checked.size());
  }

  int starts = 0;

 private:
  std::mt19937 random_;
  int jobs_ = 0;
  std::map<std::string, std::set<std::string>> asked_;
};

class AnyAccess : public AccessProperty, public testing::WithParamInterface<unsigned> {};

TEST_P(AnyAccess, IsNeverOverstepped) {
  run(GetParam());
  RecordProperty("starts", starts);
}

INSTANTIATE_TEST_SUITE_P(Seeds, AnyAccess, testing::Range(1U, rounds(40) + 1));

}  // namespace
}  // namespace maui::test
