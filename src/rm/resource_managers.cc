#include "rm/resource_managers.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/manager_features.h"

namespace maui {
namespace {

template <class T>
void append(std::vector<T>& all, std::vector<T>& more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

ResourceManagers::ResourceManagers(std::vector<std::unique_ptr<ResourceManager>> parts,
                                   std::function<void()> wake, Patience patience)
    : wake_(std::move(wake)), patience_(std::move(patience)) {
  for (auto& manager : parts) {
    name_ += (name_.empty() ? "" : ",") + std::string(manager->name());
    parts_.emplace_back().manager = std::move(manager);
  }
}

ResourceManagers::~ResourceManagers() { *alive_ = false; }

void ResourceManagers::poll(const Cluster& cluster, Time now,
                            std::function<void(Result<Update>)> done) {
  done_ = std::move(done);
  std::vector<Part*> to_ask;
  for (Part& part : parts_)
    if (!part.answer && !std::exchange(part.asked, true)) to_ask.push_back(&part);
  for (Part* part : to_ask) ask(*part, cluster, now);
  if (complete()) hand_on();
}

void ResourceManagers::ask(Part& part, const Cluster& cluster, Time now) {
  part.overdue = false;
  if (patience_)
    patience_(std::string(part.manager->name()), [this, &part, alive = alive_] {
      if (*alive) overdue(part);
    });
  part.manager->poll(cluster, now, [this, &part, alive = alive_](Result<Update> answer) {
    if (*alive) part_answered(part, std::move(answer));
  });
}

void ResourceManagers::overdue(Part& part) {
  if (!part.asked) return;
  part.overdue = part.late = true;
  if (complete()) hand_on();
}

void ResourceManagers::part_answered(Part& part, Result<Update> answer) {
  part.asked = false;
  part.late = part.overdue;
  part.up = answer.has_value();
  if (answer)
    part.answer = *std::move(answer);
  else
    part.why = answer.error().what;
  if (complete())
    hand_on();
  else if (!done_ && part.up)
    wake_();
}

// A poll waits for every manager that answered the last time, unless that was late and another one
// has answered now.
bool ResourceManagers::complete() const {
  const bool any = std::any_of(parts_.begin(), parts_.end(),
                               [](const Part& part) { return part.answer.has_value(); });
  return done_ && std::none_of(parts_.begin(), parts_.end(), [any](const Part& part) {
           return part.asked && part.up && !(part.late && any);
         });
}

void ResourceManagers::hand_on() {
  const auto done = std::exchange(done_, nullptr);
  Update whole;
  std::set<std::string> nodes;
  for (Part& part : parts_) {
    const std::string name(part.manager->name());
    if (!part.up)
      whole.silent.push_back({name, part.why});
    else if (!part.answer)
      whole.silent.push_back({name, "it is slow to answer", true});
    take(part, whole, nodes);
  }
  if (whole.silent.size() == parts_.size())
    return done(Error{fmt::format("no resource manager answers: {}", whole.silent.front().why)});
  done(std::move(whole));
}

void ResourceManagers::take(Part& part, Update& whole, std::set<std::string>& nodes) const {
  if (!part.answer) return;
  Update update = *std::exchange(part.answer, std::nullopt);
  const auto feature = manager_feature(part.manager->name());
  const auto bind = [&](JobReport& job) { bind_to_manager(job, feature); };
  for (NodeReport& node : update.nodes) {
    node.features.push_back(feature);
    // If two resource managers report a new node of the same name at once, the first keeps it.
    if (!nodes.contains(node.node.name)) whole.nodes.push_back(std::move(node));
  }
  for (const NodeReport& node : whole.nodes) nodes.insert(node.node.name);
  for (JobReport& job : update.arrived) bind(job);
  for (JobReport& job : update.changed) bind(job);
  for (PastJob& job : update.past) bind(job.report);
  append(whole.reservations, update.reservations);
  append(whole.arrived, update.arrived);
  append(whole.changed, update.changed);
  append(whole.ended, update.ended);
  append(whole.past, update.past);
  append(whole.statuses, update.statuses);
  append(whole.failed_starts, update.failed_starts);
  append(whole.lost, update.lost);
  append(whole.certain, update.certain);
  append(whole.incomplete, update.incomplete);
  append(whole.lost_nodes, update.lost_nodes);
  whole.answered = std::max(whole.answered, update.answered);
}

const ResourceManager& ResourceManagers::manager_of(const std::string& name) const {
  const auto at = std::find_if(parts_.begin(), parts_.end(),
                               [&](const Part& part) { return part.manager->name() == name; });
  return at == parts_.end() ? *parts_.front().manager : *at->manager;
}

/// An answer that has not been delivered yet does not show the effect of the command.
ResourceManager& ResourceManagers::to_command(const std::string& name) {
  auto at = std::find_if(parts_.begin(), parts_.end(),
                         [&](const Part& part) { return part.manager->name() == name; });
  if (at == parts_.end()) at = parts_.begin();
  if (at->answer) at->answer->certain.clear();
  return *at->manager;
}

void ResourceManagers::start(const Job& job, const Cluster& cluster, Time now, Started done) {
  to_command(job.resource_manager).start(job, cluster, now, std::move(done));
}
void ResourceManagers::cancel(const Job& job, CancelCause why, Time now, Answer done) {
  to_command(job.resource_manager).cancel(job, why, now, std::move(done));
}
void ResourceManagers::requeue(const Job& job, Time now, Answer done) {
  to_command(job.resource_manager).requeue(job, now, std::move(done));
}
void ResourceManagers::suspend(const Job& job, Time now, Answer done) {
  to_command(job.resource_manager).suspend(job, now, std::move(done));
}
void ResourceManagers::resume(const Job& job, Time now, Answer done) {
  to_command(job.resource_manager).resume(job, now, std::move(done));
}
void ResourceManagers::checkpoint(const Job& job, Time now, Answer done) {
  to_command(job.resource_manager).checkpoint(job, now, std::move(done));
}
void ResourceManagers::set_limit(const Job& job, Seconds limit, Time now, Answer done) {
  to_command(job.resource_manager).set_limit(job, limit, now, std::move(done));
}
void ResourceManagers::modify_node(const Node& node, NodeState state, const std::string& user,
                                   Time now, Answer done) {
  to_command(node.resource_manager).modify_node(node, state, user, now, std::move(done));
}

std::vector<UnusedAttribute> ResourceManagers::unused_attributes_of_job(const Job& job) const {
  return manager_of(job.resource_manager).unused_attributes_of_job(job);
}
std::vector<UnusedAttribute> ResourceManagers::unused_attributes_of_node(const Node& node) const {
  return manager_of(node.resource_manager).unused_attributes_of_node(node);
}

bool ResourceManagers::shows_notices() const {
  return std::any_of(parts_.begin(), parts_.end(),
                     [](const Part& part) { return part.manager->shows_notices(); });
}

void ResourceManagers::note(const std::vector<JobNotice>& notices) {
  for (Part& part : parts_) {
    if (!part.manager->shows_notices()) continue;
    std::vector<JobNotice> own;
    for (const JobNotice& notice : notices)
      if (notice.resource_manager == part.manager->name()) own.push_back(notice);
    part.manager->note(own);
  }
}

std::vector<RmRecord> ResourceManagers::records() const {
  std::vector<RmRecord> all;
  for (const Part& part : parts_)
    for (const RmRecord& record : part.manager->records()) all.push_back(record);
  return all;
}

}  // namespace maui
