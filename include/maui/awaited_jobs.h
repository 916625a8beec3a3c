// Names of jobs that an earlier scheduler knew, while it is not known yet whether their resource
// managers still have them: no other manager's job takes such a name meanwhile.
#pragma once
#include <map>
#include <string>
#include <unordered_set>
#include <utility>

namespace maui {

class AwaitedJobs {
 public:
  void add(const std::string& manager, std::string job) {
    by_manager_[manager].insert(std::move(job));
  }
  /// Notes that the job has been reported.
  void drop_job(const std::string& job) {
    for (auto& [manager, jobs] : by_manager_) jobs.erase(job);
  }
  /// Notes that the resource manager has listed all of its jobs.
  void drop_manager(const std::string& manager) { by_manager_.erase(manager); }
  /// Returns the resource manager that may have a job of that name; nullptr: none is awaited.
  const std::string* manager_of(const std::string& job) const {
    for (const auto& [manager, jobs] : by_manager_)
      if (jobs.contains(job)) return &manager;
    return nullptr;
  }

 private:
  std::map<std::string, std::unordered_set<std::string>> by_manager_;
};

}  // namespace maui
