#include "maui/reply.h"

#include <algorithm>

namespace maui {

Reply::Reply(Reply&& other) noexcept = default;
Reply& Reply::operator=(Reply&& other) noexcept = default;
Reply::~Reply() = default;

bool succeeded(const Reply& reply) {
  const auto all_done = [](const auto& outcomes) {
    return std::all_of(outcomes.begin(), outcomes.end(), [](const auto& o) { return o.done; });
  };
  if (std::holds_alternative<Refusal>(reply)) return false;
  if (const auto* jobs = std::get_if<JobsReply>(&reply)) return all_done(jobs->jobs);
  if (const auto* modified = std::get_if<NodesModifiedReply>(&reply))
    return all_done(modified->nodes);
  if (const auto* released = std::get_if<ReservationsReleasedReply>(&reply))
    return all_done(released->reservations);
  return true;
}

}  // namespace maui
