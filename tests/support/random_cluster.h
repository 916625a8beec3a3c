// Generates small random clusters, requests and jobs that use many features.
//
// Times are a few seconds apart, so that an oracle can check every second.
#pragma once
#include <cstddef>
#include <random>
#include <string>
#include <utility>

#include "maui/cluster.h"
#include "maui/settings.h"
#include "support/scenario.h"

namespace maui::test {

/// Features that may occur; features not listed here always may.
struct Mixture {
  int most_nodes = 6;
  int most_tasks = 5;
  bool several_requirements = false;
  bool host_lists = true;
  bool access_rules = true;  // false: all nodes are shared
  bool reservations = true;  // administrative
  bool job_limits = false;   // MAXJOB and MAXJOBPERUSER of nodes
  bool loads = false;        // nodes with load from no job
  bool odd_amounts = false;  // no two nodes have the same memory, swap and disk
  bool node_sets = false, speeds = false;
};

class RandomCluster {
 public:
  RandomCluster(unsigned seed, Mixture mixture);

  /// Adds nodes, running jobs and reservations.
  void furnish();
  void run_jobs(int count);
  void reserve(int count);                // administrative reservations
  void keep_job_reservations(int count);  // waiting jobs with priority reservations
  void withhold_some(NodeId node);        // because of load from no job

  Job some_job();  // with credentials and a unique name, queued just before now
  Request some_request();
  Settings some_settings();
  NodeAllocation some_allocation();
  JobId submit(Time now);

  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  bool one_in(int n) { return below(n) == 0; }
  template <class T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[below(static_cast<int>(list.size()))];
  }

  Cluster cluster;

 private:
  void add_nodes();
  void classes_and_generics(Node& node);
  Requirement some_requirement();
  void host_list(Request& request);
  void limit_access(Reservation& made) const;
  NodeSet some_node_set();
  NodeAccess some_access();
  JobAccess some_job_access();
  /// Returns less than what jobs usually ask for at least.
  Resources remainder();

  std::mt19937 random_;
  Mixture mixture_;
  int names_ = 0;
  std::size_t accesses_ = 0;
};

/// Returns the number of random cases to try: `usual`, times MAUI_TEST_ROUNDS if that is set.
unsigned rounds(unsigned usual);

/// Returns a request as one line, for messages.
std::string describe(const Cluster& cluster, const Request& request);

}  // namespace maui::test
