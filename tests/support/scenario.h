// Describes clusters for tests in a concise form.
//
//   Cluster cluster = Scenario()
//       .nodes(4, procs(2)).classes({{"batch", 2}})
//       .job("a").tasks(3).limit(hours(1)).by("amy")
//       .job("b").running_on({{"n1", 1}})
//       .reservation("r").on({"n2"}).until(hours(2)).for_users({"bob"})
//       .build();
//
// Calls after nodes(), job() or reservation() modify what was named last.  The time is kNow; jobs
// are queued one second apart before it, ask for one task of one processor for an hour, share their
// nodes and belong to "user".
#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "maui/cluster.h"

namespace maui::test {

inline constexpr Time kNow{1000000};

inline Resources procs(int n) { return Resources(n); }
inline Resources procs(int n, int memory) { return Resources(n, memory); }
inline constexpr Seconds minutes(std::int64_t n) { return Seconds(60 * n); }
inline constexpr Seconds hours(std::int64_t n) { return Seconds(3600 * n); }

class Scenario {
 public:
  using NameList = std::initializer_list<const char*>;
  using CountList = std::initializer_list<std::pair<const char*, int>>;

  /// Adds nodes named n1, n2, ..., continuing after those already present.
  Scenario& nodes(int count, Resources each);
  Scenario& node(const std::string& name, Resources all);
  Scenario& partition(const std::string& name);  // of the nodes, or for the job to use
  Scenario& features(NameList names);            // of the nodes, or required by the job
  Scenario& classes(CountList initiators);       // of the nodes
  Scenario& state(NodeState reported);
  Scenario& change_nodes(void (*change)(Node&));

  Scenario& job(const std::string& name);
  Scenario& tasks(int count);
  Scenario& each(Resources task);
  Scenario& per_node(int tasks);
  Scenario& requirement();  // adds another; tasks(), each(), per_node(), features() then modify it
  Scenario& limit(Seconds limit);
  Scenario& dedicated();
  /// How the job shares nodes that have no rule of their own.
  Scenario& access(NodeAccess access);
  /// The same, as a demand of the job that holds on any node.
  Scenario& demanding(NodeAccess access);
  Scenario& queued(Seconds ago);
  Scenario& by(const std::string& user, const std::string& group = {});
  Scenario& account(const std::string& name);
  Scenario& in_class(const std::string& name);  // takes one initiator per task
  Scenario& qos(const std::string& name);
  Scenario& hosts(NameList names, HostListUse use = HostListUse::all_of);
  Scenario& held(Hold hold = Hold::user);
  Scenario& start_date(Time when);
  Scenario& end_date(Time when);
  Scenario& change_job(void (*change)(Job&));
  Scenario& change_request(void (*change)(Request&));
  /// Runs the given number of tasks of the first requirement on each node, since `ago`.
  Scenario& running_on(CountList tasks, Seconds ago = Seconds(0));
  /// Sets the job's priority reservation.
  Scenario& reserved_on(CountList tasks, Time start);

  Scenario& reservation(const std::string& name);  // administrative, whole nodes, starting at kNow
  Scenario& on(NameList nodes);
  Scenario& from(Time start);
  Scenario& until(Time end);
  Scenario& until(Seconds after_now) { return until(kNow + after_now); }
  Scenario& per_task(Resources task);
  Scenario& for_users(NameList names);

  /// Asserts that the scenario is consistent.
  Cluster build();

 private:
  struct PendingJob {
    Job job;
    Request request;
    std::vector<std::pair<std::string, int>> placed, reserved;
    Time started{0}, reserved_from{0};
  };
  void finish();
  void finish_nodes();
  void finish_job();
  Placement placement(const std::vector<std::pair<std::string, int>>& tasks) const;
  Requirement& last_requirement() { return job_->request.requirements.back(); }

  Cluster cluster_;
  std::vector<Node> nodes_;
  std::optional<PendingJob> job_;
  std::optional<Reservation> reservation_;
  std::size_t node_count_ = 0;
  int job_count_ = 0;
};

NodeId node_named(const Cluster& cluster, const std::string& name);
JobId job_named(const Cluster& cluster, const std::string& name);
/// Returns "n1:2 n3:1", in the order of the placement.
std::string show(const Cluster& cluster, const Placement& placement);

}  // namespace maui::test
