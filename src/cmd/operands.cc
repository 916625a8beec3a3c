#include "cmd/operands.h"

#include <fmt/format.h>

namespace maui {

std::string not_reported_yet(const Context& context) {
  std::string silent;
  for (const auto& name : context.engine.managers_not_heard())
    silent += fmt::format("{}'{}'", silent.empty() ? "" : ", ", name);
  if (silent.empty()) return {};
  return fmt::format("; resource manager {} has not reported its nodes and jobs yet (diagnose -R)",
                     silent);
}

bool has_number(std::string_view job, std::string_view number) {
  return !number.empty() && job.size() > number.size() && job.starts_with(number) &&
         job[number.size()] == '.' && number.find('.') == std::string_view::npos;
}

Result<JobId> job_named(const Context& context, std::string_view name) {
  const Cluster& cluster = context.cluster();
  if (const JobId id = cluster.find_job(name); id.valid()) return id;
  if (const JobId id = cluster.find_job(without_mark(name)); id.valid()) return id;
  if (const JobId id = cluster.find_numbered_job(without_mark(name)); id.valid()) return id;
  return Error{fmt::format("cannot locate job '{}'{}", name, not_reported_yet(context))};
}

std::string_view without_mark(std::string_view name) {
  constexpr std::string_view kMarks = "+-*";
  if (!name.empty() && kMarks.find(name.back()) != std::string_view::npos) name.remove_suffix(1);
  return name;
}

Result<NodeId> node_named(const Context& context, std::string_view name) {
  const NodeId id = context.cluster().find_node(name);
  if (!id.valid() || context.cluster().node(id).purged)
    return Error{fmt::format("cannot locate node '{}'{}", name, not_reported_yet(context))};
  return id;
}

Result<ReservationId> reservation_named(const Context& context, std::string_view name) {
  const ReservationId id = context.cluster().find_reservation(name);
  if (!id.valid()) return Error{fmt::format("cannot locate reservation '{}'", name)};
  return id;
}

Result<PartitionId> partition_named(const Context& context, std::string_view name) {
  if (name.empty() || name == "ALL" || name == "[ALL]") return PartitionId();
  const PartitionId id = context.cluster().partitions.find(name);
  if (!id.valid())
    return Error{
        fmt::format("invalid partition, {}, specified{}", name, not_reported_yet(context))};
  return id;
}

Result<std::string> policy_level(const Context& context) {
  const std::string level = context.value("l", "SOFT");
  if (level != "HARD" && level != "SOFT" && level != "OFF")
    return Error{fmt::format("-l: invalid value '{}': expected HARD, SOFT or OFF", level)};
  return level;
}

Strictness strictness_of(std::string_view level) {
  if (level == "OFF") return Strictness::off;
  return level == "SOFT" ? Strictness::soft : Strictness::hard;
}

}  // namespace maui
