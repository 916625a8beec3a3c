#include "learning/due_jobs.h"

#include <utility>

namespace maui {

void DueJobs::arrived(JobId job, UserId owner) {
  const std::size_t user = owner.valid() ? owner.index() + 1 : 0;
  if (user >= users_.size()) users_.resize(user + 1);
  if (job.index() >= jobs_.size()) jobs_.resize(job.index() + 1);
  auto& jobs = users_[user].jobs;
  jobs_[job.index()] = {0, user, static_cast<std::uint32_t>(jobs.size()), true};
  jobs.push_back(job);
  if (users_[user].due) ++users_[user].left;
  fresh_.push_back(job);
}

void DueJobs::learned_from(JobId job) {
  const std::size_t user = jobs_[job.index()].user;
  ++users_[user].ends;
  make_due(user);
}

void DueJobs::gone(JobId job) {
  const Place place = std::exchange(jobs_[job.index()], {});
  User& owner = users_[place.user];
  const JobId last = owner.jobs.back();
  owner.jobs.pop_back();
  if (last != job) {
    owner.jobs[place.position] = last;
    jobs_[last.index()].position = place.position;
  }
  if (owner.due) owner.left = owner.jobs.size();  // the job that was moved may still be due
}

void DueJobs::make_due(std::size_t user) {
  users_[user].left = users_[user].jobs.size();
  if (!std::exchange(users_[user].due, true)) due_.push_back(user);
}

void DueJobs::make_all_due() {
  for (std::size_t user = 0; user < users_.size(); ++user) make_due(user);
}

void DueJobs::forget_all_due() {
  for (const std::size_t user : due_) users_[user].due = false;
  due_.clear();
  fresh_.clear();
}

std::vector<JobId> DueJobs::take_fresh() { return std::exchange(fresh_, {}); }

void DueJobs::drop_finished() {
  for (; !due_.empty() && users_[due_.front()].left == 0; due_.pop_front())
    users_[due_.front()].due = false;
}

std::optional<JobId> DueJobs::next() {
  drop_finished();
  if (due_.empty()) return std::nullopt;
  User& owner = users_[due_.front()];
  if (owner.next >= owner.jobs.size()) owner.next = 0;
  const JobId job = owner.jobs[owner.next++];
  --owner.left;
  due_.push_back(due_.front());
  due_.pop_front();
  drop_finished();
  return job;
}

bool DueJobs::outdated(JobId job) const {
  const Place& place = jobs_[job.index()];
  return place.as_of != users_[place.user].ends;
}

void DueJobs::looked_at(JobId job) {
  Place& place = jobs_[job.index()];
  place.as_of = users_[place.user].ends;
}

}  // namespace maui
