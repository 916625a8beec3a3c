#include "sched/availability/cluster_model.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/sorted.h"
#include "model/placement.h"
#include "sched/rules/partition_policies.h"

namespace maui {

namespace av = availability;

namespace {

// The model drops no value that it has stored: with this many values, or this many times as many as
// it began with, it is made anew.
constexpr std::size_t kFewValues = 1 << 12, kTimesAsMany = 4, kManyClasses = 1 << 14;

constexpr auto kUnknownKind = ~std::uint32_t{0};

NodeRuns single(NodeId node) { return NodeRuns(NodeRun{node.raw(), node.raw() + 1}); }

}  // namespace

// --- updates ----------------------------------------------------------------------

void ClusterModel::update(const Cluster& cluster, const Settings& settings, Time now,
                          Askers askers) {
  cluster_ = &cluster;
  settings_ = &settings;
  selection_.begin(cluster, settings);
  ranks_of_.reset();
  Basis basis{&cluster,
              cluster.nodes().size(),
              std::max(settings.node.stays_down(), Seconds(1)),
              std::max(settings.poll_interval, Seconds(1)),
              cluster.users_matter() || settings.node_access == NodeAccess::single_user,
              JobFlags(cluster, settings)};
  const auto granularity =
      askers == Askers::any_request
          ? Granularity()
          : Granularity(cluster.asked(), allocates(settings, NodeAllocation::min_resource));
  if (std::exchange(begun_anew_, false))  // that cycle asked for as many as there are in use
    most_classes_ = std::max(kManyClasses, kTimesAsMany * model_.classes());
  const bool same = sets_ && basis == basis_ && now >= model_.now() &&
                    granularity_.serves(granularity) && model_.tables().size() < most_values_ &&
                    model_.classes() < most_classes_;
  if (!same) basis_ = std::move(basis);
  if (!same || sets_read_ != cluster.reservation_changes() || sets_->large()) {
    sets_.emplace(cluster, basis_.flags);
    sets_read_ = cluster.reservation_changes();
    admitted_.clear();
  }
  sets_->begin_cycle();
  if (node_changes_ != cluster.node_changes()) ++epoch_;
  node_changes_ = cluster.node_changes();
  if (same) {
    model_.advance(now);
    if (catch_up()) return;
  }
  granularity_ = granularity;
  begin_anew(now);
  begun_anew_ = true;
}

void ClusterModel::begin_anew(Time now) {
  model_.clear();
  admitted_.clear();
  kinds_.clear();
  attributes_.clear();
  attribute_numbers_.clear();
  ++epoch_;
  std::vector<std::uint32_t> kinds;
  kinds.reserve(cluster_->nodes().size());
  for (const auto& node : cluster_->nodes()) kinds.push_back(kind_of(node, true));
  model_.begin(kinds, now);
  jobs_read_ = cluster_->placed_jobs().revision();
  nodes_read_ = cluster_->changed_nodes().revision();
  next_expiry_ = first_expiry();
  expiry_read_ = cluster_->reservation_changes();
  placed_.clear();
  for (const auto& row : cluster_->active())
    placed_[row.job].holding = holding_of_active(cluster_->job(row.job));
  if (!cluster_->nodes().empty())
    recompute(NodeRuns(NodeRun{0, static_cast<std::uint32_t>(cluster_->nodes().size())}));
  most_values_ = std::max(kFewValues, kTimesAsMany * model_.tables().size());
}

bool ClusterModel::catch_up() {
  const auto jobs = cluster_->placed_jobs().since(jobs_read_);
  const auto nodes = cluster_->changed_nodes().since(nodes_read_);
  if (!jobs || !nodes) return false;
  jobs_read_ = cluster_->placed_jobs().revision();
  nodes_read_ = cluster_->changed_nodes().revision();
  touched_.assign(jobs->begin(), jobs->end());
  // With time limits of access, a job may stop running inside a reservation as time passes.
  for (const auto& row : cluster_->active()) {
    if (!sets_->ask_time() || row.ends > model_.now()) break;
    touched_.push_back(row.job);
  }
  sort_unique(touched_);
  take_over_jobs(touched_);
  NodeRuns changed;
  for (const auto run : *nodes) changed.add(run);
  if (next_expiry_ <= model_.now()) add_expired(changed);
  if (next_expiry_ <= model_.now() || expiry_read_ != cluster_->reservation_changes()) {
    next_expiry_ = first_expiry();
    expiry_read_ = cluster_->reservation_changes();
  }
  if (!changed.empty()) recompute(changed);
  return true;
}

// Returns the next end of a reservation.
Time ClusterModel::first_expiry() const {
  Time first = kForever;
  for (const auto id : cluster_->reservations()) {
    const auto& reservation = cluster_->reservation(id);
    if (reservation.kind != ReservationKind::job && reservation.end > model_.now())
      first = std::min(first, reservation.end);
  }
  return first;
}

// Adds the nodes of reservations that have ended: no job runs inside them any more.
void ClusterModel::add_expired(NodeRuns& nodes) const {
  for (const auto id : cluster_->reservations()) {
    const auto& reservation = cluster_->reservation(id);
    if (reservation.kind == ReservationKind::job || reservation.end > model_.now()) continue;
    for (const auto& part : reservation.nodes.parts()) nodes.add(part.nodes);
  }
}

void ClusterModel::take_over_jobs(std::span<const JobId> jobs) {
  NodeRuns unclear;
  for (const auto id : jobs) {
    const auto known = placed_.find(id);
    const bool regular = known == placed_.end() || known->second.regular;
    if (known != placed_.end()) {
      if (regular) release(known->second.holding);
      for (const auto& [amount, nodes] : known->second.holding.shares)
        if (!regular) unclear.add(nodes);
      placed_.erase(known);
    }
    const auto& job = cluster_->job(id);
    if (!job.id.valid() || !job.active()) continue;
    auto& placed = placed_[id];
    placed.holding = holding_of_active(job);
    if (regular) hold(placed.holding);
    for (const auto& [amount, nodes] : placed.holding.shares)
      if (!regular) unclear.add(nodes);
  }
  if (!unclear.empty()) recompute(unclear);
}

// Recomputes the timelines of these nodes from the cluster.
void ClusterModel::recompute(const NodeRuns& nodes) {
  std::vector<av::NodeGroups::Assigned> found;  // one for each run of equal nodes
  for (const auto run : nodes.runs())
    for (auto at = run.first; at < run.end; ++at) {
      const auto& node = cluster_->node(NodeId(at));
      const auto& here = cluster_->occupancy(node.id);
      for (const auto& occupant : here.occupants) {
        auto& placed = placed_.at(occupant.job);
        const auto& job = cluster_->job(occupant.job);
        if (!here.reservations.empty())
          placed.holding.admitted = admitted_to(job, cluster_->request(job.request),
                                                placed.holding.start, placed.holding.end);
      }
      auto timeline = timeline_of(node);
      check_regular(node, timeline);
      timeline.advance(model_.now());
      if (!found.empty() && found.back().nodes.end == at && found.back().timeline == timeline)
        ++found.back().nodes.end;
      else
        found.push_back({{at, at + 1}, std::move(timeline)});
    }
  model_.set(found);
}

void ClusterModel::check_regular(const Node& node, const av::NodeTimeline& timeline) {
  for (const auto& occupant : cluster_->occupancy(node.id).occupants) {
    auto& placed = placed_.at(occupant.job);
    if (!placed.regular) continue;
    const auto here = use_on(timeline, occupant);
    const auto share =
        std::find_if(placed.holding.shares.begin(), placed.holding.shares.end(),
                     [&](const auto& entry) { return entry.second.contains(node.id.raw()); });
    placed.regular = share != placed.holding.shares.end() &&
                     use_on(timeline, placed.holding, share->first) == here;
  }
}

std::uint32_t ClusterModel::kind_of(const Node& node, bool rounded) {
  const auto& here = cluster_->occupancy(node.id);
  // Nodes of one kind differ only in withheld resources, and in remainders.
  const bool usual = rounded && here.withheld.zero();
  if (kinds_.size() <= here.kind) kinds_.resize(here.kind + 1, kUnknownKind);
  if (usual && kinds_[here.kind] != kUnknownKind) return kinds_[here.kind];
  av::NodeKind kind;
  kind.attributes = attributes_of(node);
  kind.whole = whole_of(node);
  if (rounded) kind.whole = granularity_.rounded(std::move(kind.whole));
  kind.access = node.policy.access;
  kind.max_jobs = node.policy.max_jobs;
  kind.max_jobs_per_user = node.policy.max_jobs_per_user;
  const auto number = model_.tables().kind(kind);
  if (usual) kinds_[here.kind] = number;
  return number;
}

// Returns what jobs can have of a node in all.
Resources ClusterModel::whole_of(const Node& node) const {
  auto whole = node.configured;
  whole.add(cluster_->occupancy(node.id).withheld, -1);
  return whole;
}

// True if jobs or reservations use an amount of the node that is no multiple of what requests ask
// for, as measured use is.
bool ClusterModel::leaves_remainder(const Node& node) const {
  const auto& here = cluster_->occupancy(node.id);
  for (const auto& occupant : here.occupants)
    if (!granularity_.divides(occupant.amount)) return true;
  bool some = false;
  each_reserved(node, [&](const Reservation&, const Resources& amount) {
    some = some || !granularity_.divides(granularity_.reserved(amount, node.configured));
  });
  return some;
}

// Calls visit(reservation, amount) for the shares of a node that reservations keep.
template <class Visit>
void ClusterModel::each_reserved(const Node& node, const Visit& visit) const {
  for (const auto id : cluster_->occupancy(node.id).reservations) {
    const auto& reservation = cluster_->reservation(id);
    if (reservation.kind == ReservationKind::job || reservation.end <= model_.now()) continue;
    each_share_on(reservation.nodes, node.id, [&](const NodeTasks& share) {
      visit(reservation, cluster_->reserved_on(reservation, share));
    });
  }
}

// Kinds that requests cannot tell apart have the same attributes.
std::uint32_t ClusterModel::attributes_of(const Node& node) {
  const auto kind = cluster_->occupancy(node.id).kind;
  if (granularity_.exact()) return kind;
  if (attributes_.size() <= kind) attributes_.resize(kind + 1, kUnknownKind);
  auto& known = attributes_[kind];
  if (known == kUnknownKind) {
    const auto next = static_cast<std::uint32_t>(attribute_numbers_.size());
    NodeTraits traits(node, granularity_.configured(node.configured));
    known = attribute_numbers_.try_emplace(std::move(traits), next).first->second;
  }
  return known;
}

const std::vector<NodeId>& ClusterModel::examples() {
  if (examples_epoch_ == epoch_) return examples_;
  examples_epoch_ = epoch_;
  examples_.clear();
  for (std::uint32_t kind = 0; kind < cluster_->kinds(); ++kind) {
    if (cluster_->nodes_of_kind(kind) == 0) continue;
    const auto id = cluster_->sample_of_kind(kind);
    const auto attributes = attributes_of(cluster_->node(id));
    if (examples_.size() <= attributes) examples_.resize(attributes + 1);
    if (!examples_[attributes].valid()) examples_[attributes] = id;
  }
  return examples_;
}

Seconds ClusterModel::closed_for(const Node& node) const {
  if (!node.available() && basis_.unavailable_for >= kUnlimited) return kUnlimited;
  Seconds closed(0);
  if (!node.available()) closed = basis_.unavailable_for;
  if (cluster_->occupancy(node.id).closed) closed = std::max(closed, basis_.closed_for);
  return closed;
}

av::NodeTimeline ClusterModel::timeline_of(const Node& node) {
  av::NodeTimeline timeline;
  const bool rounded = granularity_.exact() || !leaves_remainder(node);
  timeline.kind = kind_of(node, rounded);
  timeline.closed = closed_for(node);
  each_reserved(node, [&](const Reservation& reservation, const Resources& amount) {
    const auto kept = rounded ? granularity_.reserved(amount, node.configured) : amount;
    timeline.add(av::Block{reservation.id.raw(), reservation.start, reservation.end,
                           model_.tables().amount(kept)});
  });
  for (const auto& occupant : cluster_->occupancy(node.id).occupants)
    timeline.add(use_on(timeline, occupant));
  return timeline;
}

// --- holdings: what jobs use of nodes ------------------------------------------------

ClusterModel::Holding ClusterModel::frame_of(const Job& job, const Request& request,
                                             const Placement& placement, Time start) {
  Holding holding;
  holding.start = start;
  holding.end = start + cluster_->limit_on(request, placement);
  if (basis_.users_matter) holding.user = job.credentials.user;
  holding.access = request.access;
  holding.admitted = admitted_to(job, request, start, holding.end);
  return holding;
}

ClusterModel::Holding ClusterModel::holding_of(const Job& job, const Request& request,
                                               const Placement& placement, Time start) {
  Holding holding = frame_of(job, request, placement, start);
  add_shares(holding, request, placement);
  return holding;
}

ClusterModel::Holding ClusterModel::holding_on_free_nodes(const Job& job, const Request& request,
                                                          const Placement& placement, Time start) {
  Holding holding = frame_of(job, request, placement, start);
  add_shares(holding, request, model_.on_free_nodes(placement));
  return holding;
}

ClusterModel::Holding ClusterModel::holding_of_active(const Job& job) {
  const auto& request = cluster_->request(job.request);
  Holding holding;
  holding.start = std::min(job.started, model_.now());
  holding.end = job.ends;
  if (basis_.users_matter) holding.user = job.credentials.user;
  holding.access = request.access;
  holding.admitted = admitted_to(job, request, holding.start, holding.end);
  add_shares(holding, request, job.placement);
  return holding;
}

// Returns the reservations in which a job with nodes from `start` to `end` runs.
std::uint32_t ClusterModel::admitted_to(const Job& job, const Request& request, Time start,
                                        Time end) {
  const auto last = std::max(end, model_.now() + Seconds(1));
  std::vector<std::uint32_t> admitted;
  for (const auto& terms : sets_->terms(sets_->of(job, request, last - start))) {
    const auto& block = cluster_->reservation(terms.reservation);
    if (std::min(last, block.end) - std::max(start, block.start) <= terms.overlap)
      admitted.push_back(terms.reservation.raw());
  }
  return model_.tables().reservations(std::move(admitted));
}

void ClusterModel::add_shares(Holding& holding, const Request& request,
                              const Placement& placement) {
  if (request.requirements.size() > 1) {
    std::map<NodeId, Resources> amounts;
    for (const auto& share : placement)
      amounts[share.node].add(request.requirements[share.requirement].per_task, share.tasks);
    for (const auto& [node, amount] : amounts)
      holding.shares.emplace_back(model_.tables().amount(amount), single(node));
    return;
  }
  runs_.clear();
  for (const auto& part : placement.parts()) runs_.emplace_back(part.tasks, part.nodes);
  std::sort(runs_.begin(), runs_.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second.first < b.second.first;
  });
  const auto& per_task = request.requirements.front().per_task;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (i == 0 || runs_[i].first != runs_[i - 1].first) {
      Resources amount;
      amount.add(per_task, static_cast<Resources::Quantity>(runs_[i].first));
      holding.shares.emplace_back(model_.tables().amount(amount), NodeRuns());
    }
    holding.shares.back().second.add(runs_[i].second);
  }
}

ClusterModel::Holding ClusterModel::without(Holding holding, const Holding& part) {
  NodeRuns gone;
  for (const auto& [amount, nodes] : part.shares) gone.add(nodes);
  for (auto& [amount, nodes] : holding.shares) nodes.remove(gone);
  return holding;
}

av::Use ClusterModel::use_on(const av::NodeTimeline& timeline, const Holding& holding,
                             std::uint32_t amount) {
  av::Use use;
  use.start = holding.start;
  use.end = holding.end;
  use.amount = amount;
  use.user = holding.user;
  use.own = holding.own;
  use.access = access_on(model_.tables().kind_of(timeline.kind).access, holding.access);
  if (timeline.blocks().empty() || holding.admitted == 0) return use;
  std::vector<std::uint32_t> inside;
  for (const auto& block : timeline.blocks())
    if (model_.tables().contains(holding.admitted, block.reservation))
      inside.push_back(block.reservation);
  use.inside = model_.tables().reservations(std::move(inside));
  return use;
}

av::Use ClusterModel::use_on(const av::NodeTimeline& timeline, const Occupant& occupant) {
  auto use =
      use_on(timeline, placed_.at(occupant.job).holding, model_.tables().amount(occupant.amount));
  use.end = occupant.ends;
  use.access = occupant.access;
  return use;
}

void ClusterModel::hold_own(const Job& job, const Request& request, const Placement& placement,
                            Time start) {
  auto holding = holding_of(job, request, placement, start);
  holding.own = true;
  hold(holding);
}

void ClusterModel::change(const Holding& holding, bool add) {
  for (const auto& [amount, nodes] : holding.shares)
    model_.edit(nodes, [&, what = amount](av::NodeTimeline& timeline) {
      const auto use = av::at_time(use_on(timeline, holding, what), model_.now());
      if (!add) return timeline.remove(use);
      timeline.add(use);
      return true;
    });
}

void ClusterModel::change_active(JobId id, bool add) {
  const auto& placed = placed_.at(id);
  if (placed.regular) return change(placed.holding, add);
  for (const auto& [amount, nodes] : placed.holding.shares)
    for (const auto run : nodes.runs())
      for (auto at = run.first; at < run.end; ++at) {
        const auto& occupants = cluster_->occupancy(NodeId(at)).occupants;
        const auto occupant =
            std::find_if(occupants.begin(), occupants.end(),
                         [&](const Occupant& candidate) { return candidate.job == id; });
        if (occupant == occupants.end()) continue;
        model_.edit(single(NodeId(at)), [&](av::NodeTimeline& timeline) {
          const auto use = av::at_time(use_on(timeline, *occupant), model_.now());
          if (!add) return timeline.remove(use);
          timeline.add(use);
          return true;
        });
      }
}

}  // namespace maui
