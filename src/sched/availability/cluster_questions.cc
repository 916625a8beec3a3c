// Translates the questions of jobs for the model of a cluster.
#include <algorithm>
#include <cassert>
#include <set>

#include "base/sorted.h"
#include "model/placement.h"
#include "sched/availability/cluster_model.h"
#include "sched/placement/feasibility.h"
#include "sched/placement/node_choice.h"
#include "sched/rules/partition_policies.h"

namespace maui {

namespace av = availability;

namespace {

/// Returns the nodes that the requirement may use by name; the lists in the request are sorted.
NodeRuns usable_nodes(const Request& request, const Requirement& wanted, std::size_t nodes) {
  NodeRuns usable;
  if (const auto host = wanted.host; host.valid()) {
    if (request.may_use(host)) usable.add(NodeRun{host.raw(), host.raw() + 1});
    return usable;
  }
  if (request.host_list_use == HostListUse::some_of) {
    for (const auto host : request.host_list)
      if (request.may_use(host)) usable.add(NodeRun{host.raw(), host.raw() + 1});
    return usable;
  }
  std::uint32_t next = 0;
  const auto add_until = [&](std::uint32_t end) {
    if (next < end) usable.add(NodeRun{next, end});
    next = end + 1;
  };
  for (const auto excluded : request.excluded) add_until(excluded.raw());
  add_until(static_cast<std::uint32_t>(nodes));
  return usable;
}

}  // namespace

std::size_t ClusterModel::most_groups() const {
  return std::min(cluster_->nodes().size(),
                  cluster_->kinds() + cluster_->active().size() + cluster_->reservations().size());
}

// --- classes of question ------------------------------------------------------------

av::ClassId ClusterModel::class_for(const RequirementQuestion& question) {
  const auto& job = question.job;
  return admitted_class(plain_class(question), sets_->of(job, question.request, question.stay));
}

av::ClassId ClusterModel::plain_class(const RequirementQuestion& question) {
  if (question.kinds) return make_class(question);
  const auto& job = question.job;
  const bool known =
      job.id.valid() && job.request.valid() && &cluster_->request(job.request) == &question.request;
  if (!known) {  // often asked about many nodes, one by one
    if (others_.epoch != epoch_ || others_.request != question.request)
      others_ = {epoch_, question.request, {}};
    return class_among(others_.classes, question);
  }
  if (job.request.index() >= classes_.size()) classes_.resize(cluster_->request_slots());
  auto& entry = classes_[job.request.index()];
  const auto serial = cluster_->request_serial(job.request);
  if (entry.serial != serial || entry.epoch != epoch_) entry = {serial, epoch_, {}};
  return class_among(entry.classes, question);
}

av::ClassId ClusterModel::class_among(std::vector<KnownClass>& classes,
                                      const RequirementQuestion& question) {
  const auto user = basis_.users_matter ? question.job.credentials.user : UserId();
  for (const auto& known : classes)
    if (known.requirement == question.requirement && known.user == user &&
        known.partition == question.partition)
      return known.of;
  const auto made = make_class(question);
  classes.push_back({question.requirement, user, question.partition, made});
  return made;
}

av::ClassId ClusterModel::make_class(const RequirementQuestion& question) {
  av::QuestionClass of;
  of.per_task = question.wanted().per_task;
  assert(granularity_.covers(of.per_task));
  of.access = question.request.access;
  if (basis_.users_matter) of.user = question.job.credentials.user;
  const auto& nodes = examples();
  of.serves.assign(nodes.size(), 0);
  for (std::size_t attributes = 0; attributes < nodes.size(); ++attributes) {
    const auto id = nodes[attributes];
    if (!id.valid()) continue;
    const auto kind = cluster_->occupancy(id).kind;
    of.serves[attributes] =
        in_reach(question.request, cluster_->node(id).partition, question.partition) &&
        (!question.kinds || (*question.kinds)[kind]) &&
        mismatch(*cluster_, id, question.request, question.wanted()) == NodeReason::none;
  }
  return model_.class_of(of);
}

av::ClassId ClusterModel::admitted_class(av::ClassId plain, AccessSet set) {
  if (sets_->terms(set).empty() && !sets_->confined(set)) return plain;
  const auto [known, is_new] = admitted_.try_emplace(std::uint64_t{plain} << 32 | set);
  if (is_new) {
    auto of = model_.question_class(plain);
    admit(of, set);
    known->second = model_.class_of(of);
  }
  return known->second;
}

// Restricts the class to jobs that may use what the set may use.
void ClusterModel::admit(av::QuestionClass& of, AccessSet set) const {
  for (const auto& terms : sets_->terms(set))
    of.terms.push_back({terms.reservation.raw(), terms.overlap, terms.affinity});
  of.confined = sets_->confined(set);
}

av::QuestionClass ClusterModel::admission_of(AccessSet set) const {
  av::QuestionClass of;
  admit(of, set);
  return of;
}

void ClusterModel::fill(Asked& asked, const RequirementQuestion& question) {
  const auto& wanted = question.wanted();
  const auto& request = question.request;
  asked.of = &question;
  // Access depends on the job's own run, room on the length of the window.
  asked.question = {class_for(question), wanted.tasks, std::max(question.stay, question.at_least),
                    question.stay};
  asked.question.requirement = question.requirement;
  if (wanted.shaped()) asked.question.shape = &wanted;
  if (!request.names_nodes()) return;
  asked.among = usable_nodes(request, wanted, cluster_->nodes().size());
  asked.question.among = &asked.among;
  if (request.host_list_use != HostListUse::all_of) return;
  for (const auto id : request.host_list) asked.hosts.add(NodeRun{id.raw(), id.raw() + 1});
  asked.question.each_of = &asked.hosts;
}

// --- nodes ------------------------------------------------------------

av::Preference ClusterModel::preference(NodeAllocation policy, bool sparing) {
  av::Preference preference;
  preference.by_time = policy == NodeAllocation::last_available;
  preference.sparing = sparing;
  preference.upwards =
      policy == NodeAllocation::first_available || policy == NodeAllocation::fastest;
  if (policy != NodeAllocation::min_resource && policy != NodeAllocation::fastest)
    return preference;
  if (ranks_of_ != policy) {
    ranks_of_ = policy;
    const auto& nodes = examples();
    ranks_.assign(nodes.size(), 0);
    const auto rank = [&](auto value) {
      std::set<decltype(value(cluster_->nodes().front()))> all;
      for (const auto id : nodes)
        if (id.valid()) all.insert(value(cluster_->node(id)));
      for (std::size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].valid())
          ranks_[i] = static_cast<int>(
              std::distance(all.begin(), all.find(value(cluster_->node(nodes[i])))));
    };
    if (policy == NodeAllocation::min_resource) rank(configured_size);
    if (policy == NodeAllocation::fastest) {
      rank(pace_of);
      for (auto& place : ranks_) place = -place;
    }
  }
  preference.rank = ranks_;
  return preference;
}

std::optional<Placement> ClusterModel::place(const Asked& asked, Time start, bool sparing) {
  const auto& of = *asked.of;
  const auto policy = node_allocation(*cluster_, *settings_, of.partition);
  const bool by_group = chosen_by_kind(policy) && !selection_.dealt_by_program() &&
                        !asked.question.each_of && !asked.question.shape;
  if (by_group) return model_.choose(asked.question, start, preference(policy, sparing));
  auto found = offers(asked, start);
  for (auto& offer : found)
    if (!sparing) offer.tasks_now = 0;
  return choose(of, start, std::move(found));
}

bool ClusterModel::fits_on(const Asked& asked, const Placement& placement, Time start) {
  return model_.fits_on(asked.question, placement, start);
}

av::ClassId ClusterModel::class_on(const Placement& placement, const Job& job,
                                   const Request& request, std::uint32_t requirement,
                                   Seconds stay) {
  const auto partition = request.span ? PartitionId() : partition_of(*cluster_, placement);
  return class_for({job, request, requirement, partition, stay});
}

bool ClusterModel::has_room(const Job& job, const Request& request, const Placement& placement,
                            Time start) {
  const auto stay = cluster_->limit_on(request, placement);
  const auto fits = [&](std::uint32_t requirement, const Placement& part) {
    return model_.fits_on({class_on(part, job, request, requirement, stay), 1, stay, stay}, part,
                          start);
  };
  if (request.requirements.size() == 1) return placement.empty() || fits(0, placement);
  const av::Availability::Trial trial(model_);
  for (std::uint32_t i = 0; i < request.requirements.size(); ++i) {
    Placement part;
    for (const auto& share : placement)
      if (share.requirement == i) part.push_back(share);
    if (part.empty()) continue;
    if (!fits(i, part)) return false;
    hold_own(job, request, part, start);
  }
  return true;
}

std::vector<Time> ClusterModel::changes_on(const Job& job, const Request& request,
                                           const Placement& placement, Time after) {
  std::vector<Time> times;
  const auto stay = cluster_->limit_on(request, placement);
  for (std::uint32_t i = 0; i < request.requirements.size(); ++i) {
    NodeRuns nodes;
    for (const auto& part : placement.parts())
      if (part.requirement == i) nodes.add(part.nodes);
    model_.add_changes_on(nodes, after, class_on(placement, job, request, i, stay), stay, times);
  }
  sort_unique(times);
  return times;
}

std::vector<Time> ClusterModel::ends_on(const Placement& placement) const {
  std::vector<Time> ends;
  for (const auto& share : placement) {
    const auto& timeline = model_.timeline_of(share.node.raw());
    for (const auto& use : timeline.uses()) ends.push_back(av::resolved(use.end, model_.now()));
    if (timeline.closed > Seconds(0) && timeline.closed < kUnlimited)
      ends.push_back(model_.now() + timeline.closed);
  }
  sort_unique(ends);
  return ends;
}

std::vector<Offer> ClusterModel::offers(const Asked& asked, Time start) {
  std::vector<Offer> found;
  for (const auto& group : model_.offers(asked.question, start)) {
    Offer offer;
    offer.tasks = group.tasks;
    offer.tasks_now = group.tasks_now;
    offer.since = group.since;
    offer.until = group.until;
    offer.affinity = group.affinity;
    const auto& all = model_.groups().group(group.group).nodes;
    const auto nodes = asked.question.among ? all.common(*asked.question.among) : all;
    for (const auto run : nodes.runs())
      for (auto node = run.first; node < run.end; ++node) {
        offer.node = NodeId(node);
        found.push_back(offer);
      }
  }
  return found;
}

std::optional<Placement> ClusterModel::choose(const RequirementQuestion& question, Time start,
                                              std::vector<Offer> offers) {
  const Selection wanted{question.job, question.request, question.requirement, model_.now(), start};
  return selection_.choose(wanted, node_allocation(*cluster_, *settings_, question.partition),
                           std::move(offers), [&](NodeId node) { return standing(node, start); });
}

NodeStanding ClusterModel::standing(NodeId node, Time when) const {
  const auto& timeline = model_.timeline_of(node.raw());
  NodeStanding there{whole_of(cluster_->node(node)), 0};
  for (const auto& use : timeline.uses()) {
    const bool lasts =
        av::resolved(use.start, model_.now()) <= when && when < av::resolved(use.end, model_.now());
    if (!lasts) continue;
    there.free.add(model_.tables().amount_of(use.amount), -1);
    ++there.jobs;
  }
  return there;
}

Affinity ClusterModel::affinity(NodeId node, AccessSet set, Time start, Seconds stay) const {
  return av::affinity_of(admission_of(set), model_.timeline_of(node.raw()), av::Stay{start, stay},
                         model_.now());
}

// --- single nodes and times --------------------------------------------------------------

int ClusterModel::tasks_on(NodeId node, const RequirementQuestion& question, Time start) {
  return model_.tasks_on(node.raw(), class_for(question), start,
                         std::max(question.stay, question.at_least), question.stay);
}

Resources ClusterModel::free_on(NodeId node, const RequirementQuestion& question, AccessSet set) {
  Profile profile;
  model_.profile_of(node.raw(), admitted_class(plain_class(question), set), nullptr, profile);
  Resources free;
  const auto amounts = profile.free(0);
  for (std::uint32_t what = 0; what < amounts.size(); ++what)
    free.set(ConsumableId(what), std::max(0, amounts[what]));
  return free;
}

std::vector<std::pair<Time, int>> ClusterModel::room_on(NodeId node,
                                                        const RequirementQuestion& question,
                                                        AccessSet set) {
  return model_.room_on(node.raw(), admitted_class(plain_class(question), set));
}

Time ClusterModel::next_change(Time after, const RequirementQuestion& question) {
  return model_.next_change(after, class_for(question), question.stay);
}

std::vector<Time> ClusterModel::window_ends(AccessSet set) {
  return model_.window_ends(model_.class_of(admission_of(set)), {model_.now(), Seconds(1)});
}

}  // namespace maui
