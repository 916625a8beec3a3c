#include "engine/unused_names.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "engine/knowledge.h"
#include "model/credentials.h"

namespace maui {
namespace {

/// Marks ids that something refers to.
class Used {
 public:
  Used() = default;
  explicit Used(std::size_t size) : used_(size, 0) {}
  template <class Ids>
  void note(const Ids& ids) {
    for (const auto id : ids) used_[id.index()] = 1;
  }
  void note_nodes(const Placement& placement) {
    for (const NodeTasks& share : placement) used_[share.node.index()] = 1;
  }
  void note_index(std::size_t index) {
    if (index < used_.size()) used_[index] = 1;
  }
  bool holds(std::size_t index) const { return used_[index] != 0; }
  const std::vector<char>& all() const { return used_; }

 private:
  std::vector<char> used_;
};

template <class Call>
void each_request(const Cluster& cluster, Call call) {
  for (std::size_t i = 0; i < cluster.request_slots(); ++i)
    if (const RequestId id(i); cluster.request_used(id)) call(cluster.request(id));
}

/// Calls used.note() for every job, request and reservation that is kept, and for those of the
/// checkpoint that are still to be restored.
template <class UsedNames>
void note_kept(const EngineKnowledge& known, UsedNames& used) {
  const Cluster& cluster = known.cluster;
  for (const JobId id : cluster.jobs()) used.note(cluster.job(id));
  each_request(cluster, [&](const Request& request) { used.note(request); });
  for (const ReservationId id : cluster.reservations()) used.note(cluster.reservation(id));
  for (const Triggers::Later& later : known.triggers.later()) used.note(later.due.reservation);
  const auto note_run = [&used](const CheckpointedJob& saved) {
    if (!saved.run) return;
    used.note(saved.run->job);
    used.note(saved.run->request);
  };
  for (const auto& [name, saved] : known.pending_restore.jobs) note_run(saved);
  for (const auto& [name, run] : known.pending_restore.recorded)
    if (run.job) note_run(*run.job);
  for (const auto& [name, run] : cluster.unconfirmed_runs()) used.note(run);
  for (const CheckpointedReservation& saved : known.pending_restore.reservations)
    used.note(saved.terms);
}

Used nodes_used(const Cluster& cluster) {
  Used used(cluster.nodes().size());
  each_request(cluster, [&](const Request& request) {
    used.note(request.host_list);
    used.note(request.excluded);
    for (const Requirement& requirement : request.requirements)
      if (requirement.host.valid()) used.note_index(requirement.host.index());
  });
  for (const JobId id : cluster.jobs()) used.note_nodes(cluster.job(id).placement);
  for (const ReservationId id : cluster.reservations())
    used.note_nodes(cluster.reservation(id).nodes);
  return used;
}

/// Marks features that something refers to.
class UsedFeatures {
 public:
  explicit UsedFeatures(const Cluster& cluster) : used_(cluster.features.size()) {}

  void note(const Node& node) { used_.note(node.features); }
  void note(const Request& request) {
    used_.note(request.qos_features);
    for (const Requirement& requirement : request.requirements) used_.note(requirement.features);
  }
  void note(const Reservation& reservation) { used_.note(reservation.features); }
  void note(const Job&) {}             // its request names them
  void note(const UnconfirmedRun&) {}  // it names none

  bool holds(std::size_t index) const { return used_.holds(index); }

 private:
  Used used_;
};

/// Marks partitions that something refers to.
class UsedPartitions {
 public:
  explicit UsedPartitions(const Cluster& cluster) : used_(cluster.partitions.size()) {}

  void note(PartitionId id) {
    if (id.valid()) used_.note_index(id.index());
  }
  void note(const Request& request) {
    used_.note(request.partitions);
    note(request.first_partition);
  }
  void note(const Job& job) {
    used_.note(job.partitions_asked);
    used_.note(job.partitions_reported);
  }
  void note(const UnconfirmedRun& run) { note(run.partition); }
  void note(const Reservation& reservation) { note(reservation.partition); }

  bool holds(std::size_t index) const { return used_.holds(index); }

 private:
  Used used_;
};

/// Marks credentials and consumables, by number, that something refers to.
class UsedCredentials {
 public:
  explicit UsedCredentials(const Cluster& cluster)
      : cluster_(cluster), consumables_(cluster.consumables.size()) {
    for (const CredentialKind kind : kCredentialKinds)
      used_[kind] = Used(names_of(cluster, kind).size());
  }

  void note(const Credentials& who) {
    for (const CredentialKind kind : kCredentialKinds) note(kind, number_of(who, kind));
  }
  void note(CredentialKind kind, std::uint32_t number) { used_[kind].note_index(number); }
  void note(CredentialKind kind, std::string_view name) { note(kind, find(cluster_, kind, name)); }
  void note(const Resources& amount) {
    for (const auto& [consumable, quantity] : amount.extra())
      consumables_.note_index(consumable.index());
  }
  void note(const Request& request) {
    for (const Requirement& requirement : request.requirements) {
      note(CredentialKind::job_class, requirement.job_class.raw());
      note(requirement.per_task);
    }
  }
  void note(const Job& job) {
    note(job.credentials);
    if (job.account_reported) note(CredentialKind::account, job.account_reported->raw());
  }
  void note(const UnconfirmedRun& run) { note(run.credentials); }
  void note(const Reservation& reservation) {
    note(reservation.per_task);
    for (const AccessCriterion& criterion : reservation.access.criteria)
      if (const auto kind = credential_kind(criterion.kind); kind && criterion.value >= 0)
        note(*kind, static_cast<std::uint32_t>(criterion.value));
  }
  /// Marks the numbers for which `by_number` is not 0.
  void note(CredentialKind kind, const std::vector<double>& by_number) {
    for (std::size_t i = 0; i < by_number.size(); ++i)
      if (by_number[i] != 0) used_[kind].note_index(i);
  }
  template <class IdType, class Totals>
  void note(CredentialKind kind, const std::map<IdType, Totals>& totals) {
    for (const auto& [id, sums] : totals) note(kind, id.raw());
  }

  /// Marks a class and the consumable that counts its initiators together.
  void join_initiators() {
    for (std::size_t i = 0; i < cluster_.classes.size(); ++i) {
      const ConsumableId counts = cluster_.find_initiator(ClassId(i));
      if (!counts.valid()) continue;
      if (consumables_.holds(counts.index())) note(CredentialKind::job_class, ClassId(i).raw());
      if (holds(CredentialKind::job_class, i)) consumables_.note_index(counts.index());
    }
  }

  bool holds(CredentialKind kind, std::size_t number) const { return used_[kind].holds(number); }
  bool holds(ConsumableId id) const { return consumables_.holds(id.index()); }

 private:
  const Cluster& cluster_;
  ByKind<Used> used_;
  Used consumables_;
};

void note_history(const Statistics& statistics, const FairshareHistory& fairshare,
                  UsedCredentials& used) {
  used.note(CredentialKind::user, statistics.users);
  used.note(CredentialKind::group, statistics.groups);
  used.note(CredentialKind::account, statistics.accounts);
  used.note(CredentialKind::job_class, statistics.classes);
  used.note(CredentialKind::qos, statistics.qos);
  used.note(CredentialKind::user, statistics.forecasts.users);
  used.note(CredentialKind::job_class, statistics.forecasts.classes);
  for (const FairshareWindow& window : fairshare.windows)
    for (const CredentialKind kind : kCredentialKinds) used.note(kind, window.used[kind]);
}

void note_settings(const Settings& settings, UsedCredentials& used) {
  for (const CredentialKind kind : kCredentialKinds)
    for (const auto& [name, entry] : table_of(settings, kind)) used.note(kind, name);
  for (const std::string& name : settings.class_order) used.note(CredentialKind::job_class, name);
  for (const auto& [index, standing] : settings.standing_reservations)
    for (const AccessWord& word : standing.access)
      if (const auto kind = credential_kind(word.kind)) used.note(*kind, word.name);
}

std::size_t names_known(const Cluster& cluster) {
  return cluster.users.known() + cluster.groups.known() + cluster.accounts.known() +
         cluster.classes.known() + cluster.qos.known() + cluster.consumables.known();
}

/// Frees purged nodes; those that something still refers to are examined again later.
bool give_up_nodes(EngineKnowledge& known, Time now) {
  constexpr std::size_t kAtOnce = 20000;
  if (!known.gone_nodes.worth_a_look(now)) return true;
  const Used used = nodes_used(known.cluster);
  return known.gone_nodes.give_up(now, kAtOnce, [&](NodeId id) {
    if (!known.cluster.node(id).purged || known.cluster.node(id).name.empty()) return true;
    const Occupancy& here = known.cluster.occupancy(id);
    if (used.holds(id.index()) || !here.occupants.empty() || !here.reservations.empty())
      return false;
    known.reports.keep(id, {});
    known.cluster.give_up_node(id);
    return true;
  });
}

/// Runs when there are twice as many features as were in use.
void give_up_features(EngineKnowledge& known) {
  constexpr std::size_t kLeast = 1000;
  auto& features = known.cluster.features;
  if (features.known() < std::max(kLeast, 2 * known.features_in_use)) return;
  UsedFeatures used(known.cluster);
  for (const Node& node : known.cluster.nodes()) used.note(node);
  note_kept(known, used);
  for (std::size_t i = 0; i < features.size(); ++i)
    if (!used.holds(i)) features.give_up(FeatureId(i));
  known.features_in_use = features.known();
}

/// Runs when there are twice as many kinds of nodes as were in use.
void give_up_kinds(EngineKnowledge& known) {
  constexpr std::size_t kLeast = 64;
  if (known.cluster.kinds_known() < std::max(kLeast, 2 * known.kinds_in_use)) return;
  known.cluster.give_up_kinds();
  known.cluster.note_names_given_up();
  known.kinds_in_use = known.cluster.kinds_known();
}

/// Runs when there are twice as many partitions as were in use: jobs may name any.
void give_up_partitions(EngineKnowledge& known) {
  constexpr std::size_t kLeast = 1000;
  auto& partitions = known.cluster.partitions;
  if (partitions.known() < std::max(kLeast, 2 * known.partitions_in_use)) return;
  UsedPartitions used(known.cluster);
  used.note(PartitionId(0U));  // DEFAULT
  for (const Node& node : known.cluster.nodes()) used.note(node.partition);
  note_kept(known, used);
  for (std::size_t i = 0; i < partitions.size(); ++i)
    if (!used.holds(i)) partitions.give_up(PartitionId(i));
  known.cluster.note_names_given_up();
  known.partitions_in_use = partitions.known();
}

/// Runs when there are twice as many as were in use.  Names in past use (fairshare, statistics) and
/// in settings are kept.
void give_up_credentials(EngineKnowledge& known) {
  constexpr std::size_t kLeast = 1000;
  const std::size_t count = names_known(known.cluster) + known.cluster.credentials_known();
  if (count < std::max(kLeast, 2 * known.credentials_in_use)) return;
  UsedCredentials used(known.cluster);
  note_kept(known, used);
  for (const Node& node : known.cluster.nodes()) used.note(node.configured);
  note_history(known.statistics, known.fairshare.history(), used);
  note_settings(known.settings, used);
  Used lines(known.cluster.credentials_known());
  for (const Waiting& line : known.cluster.waiting()) lines.note_index(line.credentials.index());
  for (const Active& row : known.cluster.active()) lines.note_index(row.credentials.index());
  for (const Plan::Ranked& ranked : known.plan.order)
    if (ranked.credentials.valid()) lines.note_index(ranked.credentials.index());
  for (std::size_t i = 0; i < known.cluster.credentials_known(); ++i)
    if (lines.holds(i)) used.note(known.cluster.credentials(CredentialsId(i)));
  used.join_initiators();

  known.cluster.give_up_credentials(lines.all());
  const auto give_up = [&](CredentialKind kind, auto& names) {
    using IdType = decltype(names.find({}));
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!used.holds(kind, i)) names.give_up(IdType(i));
  };
  give_up(CredentialKind::user, known.cluster.users);
  give_up(CredentialKind::group, known.cluster.groups);
  give_up(CredentialKind::account, known.cluster.accounts);
  give_up(CredentialKind::qos, known.cluster.qos);
  for (std::size_t i = 0; i < known.cluster.classes.size(); ++i)
    if (!used.holds(CredentialKind::job_class, i)) known.cluster.give_up_class(ClassId(i));
  for (std::size_t i = kElementary; i < known.cluster.consumables.size(); ++i)
    if (!used.holds(ConsumableId(i))) known.cluster.consumables.give_up(ConsumableId(i));
  known.cluster.note_names_given_up();
  known.credentials_in_use =
      names_known(known.cluster) +
      static_cast<std::size_t>(std::count(lines.all().begin(), lines.all().end(), 1));
}

}  // namespace

bool give_up_unused_names(EngineKnowledge& known, Time now) {
  if (!give_up_nodes(known, now)) return false;
  give_up_features(known);
  give_up_partitions(known);
  give_up_kinds(known);
  give_up_credentials(known);
  return true;
}

}  // namespace maui
