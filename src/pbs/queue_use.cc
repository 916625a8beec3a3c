#include "pbs/queue_use.h"

#include <fmt/format.h>

#include "base/text.h"

namespace maui::pbs {

void QueueUse::add(const std::string& queue, const std::string& user) {
  Running& here = running_[queue];
  ++here.jobs;
  ++here.of_user[user];
}

std::string QueueUse::keeps_back(const Queues& queues, const std::string& queue,
                                 const std::string& user) const {
  const auto found = queues.find(queue);
  const auto here = running_.find(queue);
  if (found == queues.end() || here == running_.end()) return {};
  const int most = found->second.most_running, most_of_user = found->second.most_running_of_user;
  const auto own = here->second.of_user.find(user);
  const int of_user = own == here->second.of_user.end() ? 0 : own->second;
  if (most > 0 && here->second.jobs >= most)
    return fmt::format("queue {} runs {}: its limit is reached (max_running)", queue,
                       counted(here->second.jobs, "job"));
  if (most_of_user > 0 && of_user >= most_of_user)
    return fmt::format("queue {} runs {} of user {}: its limit is reached (max_user_run)", queue,
                       counted(of_user, "job"), user);
  return {};
}

}  // namespace maui::pbs
