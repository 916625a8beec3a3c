#include "pbs/queue.h"

#include "base/text.h"
#include "pbs/amounts.h"

namespace maui::pbs {
namespace {

int limit(std::string_view text) { return parse_integer<int>(text).value_or(0); }

Queue queue_of(const Object& object) {
  Queue queue;
  queue.executes = lower(object.get("queue_type")).starts_with('e');
  queue.started = is_true(object.get("started"));
  queue.most_running = limit(object.get("max_running"));
  queue.most_running_of_user = limit(object.get("max_user_run"));
  // A host list that is not enforced for submission is a list of execution hosts.  TORQUE's guide
  // writes HOST+HOST, which its server stores unchanged.
  if (object.has("acl_hosts") && object.has("acl_host_enable") &&
      !is_true(object.get("acl_host_enable")))
    for (const auto hosts : split(object.get("acl_hosts"), ','))
      for (const auto host : split(hosts, '+'))
        if (!trimmed(host).empty()) queue.hosts.emplace_back(trimmed(host));
  for (const auto word : split(object.get("resources_default", "neednodes"), ':'))
    if (!word.empty() && !parse_integer<int>(word) && word.find('=') == std::string_view::npos)
      queue.features.emplace_back(word);
  return queue;
}

}  // namespace

Queues read_queues(std::span<const Object> objects) {
  Queues queues;
  for (const Object& object : objects) queues.emplace(object.name, queue_of(object));
  return queues;
}

}  // namespace maui::pbs
