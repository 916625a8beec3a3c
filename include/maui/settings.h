// The typed values of maui.cfg, as the rest of the program reads them.
//
// src/config makes a complete Settings from a validated configuration.  It is
// never modified: a reload or changeparam makes a new one.  Default-constructed
// Settings have the defaults of guide appendix F.  Capitals beside a member name
// the parameter that sets it.  Each domain has its own header under settings/.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/request.h"
#include "maui/settings/allocations.h"
#include "maui/settings/credentials.h"
#include "maui/settings/display.h"
#include "maui/settings/fairshare.h"
#include "maui/settings/http.h"
#include "maui/settings/jobs.h"
#include "maui/settings/learning.h"
#include "maui/settings/local.h"
#include "maui/settings/nodes.h"
#include "maui/settings/priority.h"
#include "maui/settings/resource_managers.h"
#include "maui/settings/server.h"
#include "maui/settings/simulation.h"
#include "maui/settings/standing_reservations.h"
#include "maui/settings/throttling.h"
#include "maui/time_zone.h"
#include "maui/units.h"

namespace maui {

enum class BackfillPolicy : std::uint8_t {
  none,
  first_fit,
  best_fit,
  greedy,
  shortest_first,
  preempt,  // starts all that fits, reserves nothing; backfilled jobs are preemptees
  local,    // the site's program selects and orders jobs; without one, as first_fit
};
enum class BackfillMetric : std::uint8_t { procs, proc_seconds, seconds, pe, pe_seconds };
enum class WindowOrder : std::uint8_t { widest, longest, priority };
enum class ReservationPolicy : std::uint8_t { current_highest, highest, never };
enum class NodeAllocation : std::uint8_t {
  first_available,
  last_available,
  min_resource,
  cpu_load,
  machine_prio,
  local,
  contiguous,
  max_balance,
  fastest,
};
enum class ReservationControl : std::uint8_t { admin_only, any };

/// RESERVATIONDEPTH[i], RESERVATIONQOSLIST[i] and RESERVATIONRETRYTIME[i]: the number of priority
/// reservations that the jobs of these QOS may hold together, and how long such a job keeps its
/// turn while its start fails.  An empty list means [ALL].
struct ReservationStack {
  int depth = 1;
  std::vector<std::string> qos;
  Seconds retry{0};

  bool serves(std::string_view job_qos) const {
    return qos.empty() || std::find(qos.begin(), qos.end(), job_qos) != qos.end();
  }
  friend bool operator==(const ReservationStack&, const ReservationStack&) = default;
};

/// A partition's own policies (guide 7.2).
struct PartitionPolicies {
  std::optional<BackfillPolicy> backfill;         // BACKFILLPOLICY[NAME]
  std::optional<NodeAllocation> node_allocation;  // NODEALLOCATIONPOLICY[NAME]
  friend bool operator==(const PartitionPolicies&, const PartitionPolicies&) = default;
};

struct Settings {
  ServerSettings server;
  LogSettings log;
  HttpSettings http;
  SimulationSettings simulation;
  PrioritySettings priority;
  DisplaySettings display;
  JobSettings jobs;
  PartitionWeights partition_weights;
  std::map<std::string, PartitionPolicies, std::less<>> partition_policies;
  FairshareSettings fairshare;
  ThrottlingSettings throttling;
  AllocationSettings allocations;
  LearningSettings learning;
  LocalSettings local;

  Seconds poll_interval{60};                               // RMPOLLINTERVAL
  Seconds job_aggregation_time{0};                         // JOBAGGREGATIONTIME
  int node_poll_frequency = 0;                             // NODEPOLLFREQUENCY
  ResourceManagerTable resource_managers;                  // RMCFG, RMTYPE and the like
  BackfillPolicy backfill = BackfillPolicy::first_fit;     // BACKFILLPOLICY
  BackfillMetric backfill_metric = BackfillMetric::procs;  // BACKFILLMETRIC
  int backfill_depth = 0;                                  // BACKFILLDEPTH; 0: no limit
  WindowOrder window_order = WindowOrder::widest;          // BFWINDOWORDER
  ReservationPolicy reservation_policy = ReservationPolicy::current_highest;  // RESERVATIONPOLICY
  std::vector<ReservationStack> reservation_stacks{
      1};                          // RESERVATIONDEPTH[i], RESERVATIONQOSLIST[i] and so on
  int reservations_per_node = 24;  // RESDEPTH; more only cause a warning
  ReservationControl reservation_control = ReservationControl::admin_only;  // RESCTLPOLICY
  NodeAllocation node_allocation = NodeAllocation::last_available;          // NODEALLOCATIONPOLICY
  NodeAccess node_access = NodeAccess::dedicated;                           // NODEACCESSPOLICY
  bool exact_node = false, exact_proc = false;                              // JOBNODEMATCHPOLICY
  Seconds default_wall_time{864000};         // SYSTEMDEFAULTJOBWALLTIME
  Seconds job_max_overrun{0};                // JOBMAXOVERRUN
  std::vector<std::string> default_classes;  // DEFAULTCLASSLIST

  std::vector<std::string> class_order;  // classes of CLASSCFG, in the order of maui.cfg
  CredentialTable users, groups, accounts, classes,
      qos;                    // USERCFG, GROUPCFG, ACCOUNTCFG, CLASSCFG, QOSCFG
  CredentialSettings system;  // SYSCFG
  std::map<std::string, CredentialLimits, std::less<>> partitions;  // PARCFG
  std::map<std::string, std::string, std::less<>>
      qos_names;                                           // QOSNAME[i]: the QOS that QOS*[i] mean
  std::map<std::string, NodeSettings, std::less<>> nodes;  // NODECFG
  StandingReservations standing_reservations;              // SRCFG, SR*
  std::vector<std::string> standing_order;  // their indexes, in the order of maui.cfg
  TimeZone zone;                            // the server's; UTC unless set
  NodeParameters node;                      // parameters for all nodes

  friend bool operator==(const Settings&, const Settings&) = default;
};

}  // namespace maui
