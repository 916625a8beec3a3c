#include "sim/job_shaping.h"

#include <algorithm>

#include "maui/initiators.h"

namespace maui {
namespace {

void ignore_flags(JobReport& job, std::uint16_t ignored) {
  job.job.flags = static_cast<std::uint16_t>(job.job.flags & ~ignored);
  if (has(ignored, JobFlag::adv_res)) job.job.required_reservation.clear();
}

void ignore_hosts(JobReport& job) {
  job.host_list.clear();
  job.host_list_use = HostListUse::none;
  put(job.job.flags, JobFlag::host_list, false);
}

void ignore_class(JobReport& job) {
  job.job_class.clear();
  for (auto& list : job.generic)
    std::erase_if(list,
                  [](const auto& entry) { return entry.first.starts_with(kInitiatorPrefix); });
}

void ignore_mode(JobReport& job, const Settings& settings) {
  job.request.access.usual = settings.node_access;
  job.job.access_asked.reset();
  put(job.job.flags, JobFlag::dedicated, false);
}

void leave_out(JobReport& job, const Settings& settings) {
  const SimulationSettings& simulation = settings.simulation;
  if (simulation.ignore_host_list || has(simulation.ignore_job_flags, JobFlag::host_list))
    ignore_hosts(job);
  if (simulation.ignore_class) ignore_class(job);
  if (simulation.ignore_qos) {
    job.qos.clear();
    job.job.qos_requested.clear();
  }
  if (simulation.ignore_mode) ignore_mode(job, settings);
  if (simulation.ignore_features)
    for (auto& list : job.features) list.clear();
}

/// Must happen before the submission, because the depth of the queue is computed from the limit.
void default_limit(JobReport& job, Seconds limit) {
  const auto give = [limit](Seconds& own) {
    if (own <= Seconds(0)) own = limit;
  };
  give(job.request.limit);
  for (auto& alternative : job.job.alternatives) give(alternative.second);
}

void scale(JobReport& job, int percent) {
  if (percent == 100) return;
  const auto scale_limit = [percent](Seconds& limit) {
    if (limit > Seconds(0)) limit = scaled(limit, percent);
  };
  scale_limit(job.request.limit);
  for (auto& alternative : job.job.alternatives) scale_limit(alternative.second);
  if (!job.job.recorded) return;
  job.job.recorded->run_time = scaled(job.job.recorded->run_time, percent);
  job.job.recorded->proc_seconds *= percent / 100.0;
}

}  // namespace

Seconds scaled(Seconds length, int percent) {
  return Seconds(std::max<std::int64_t>(1, length.raw() * percent / 100));
}

void shape_job(JobReport& job, const Settings& settings) {
  const SimulationSettings& simulation = settings.simulation;
  ignore_flags(job, simulation.ignore_job_flags);
  if (has(simulation.ignore_job_flags, JobFlag::dedicated)) ignore_mode(job, settings);
  leave_out(job, settings);
  job.job.flags = static_cast<std::uint16_t>(job.job.flags | simulation.default_job_flags);
  if (has(job.job.flags, JobFlag::dedicated)) job.request.access.usual = NodeAccess::dedicated;
  scale(job, simulation.cpu_scaling_percent);
  default_limit(job, settings.default_wall_time);
}

void submit_at(JobReport& job, Time when) {
  const Seconds moved = when - job.job.submitted;
  job.job.submitted = when;
  if (job.job.earliest_start > Time(0)) job.job.earliest_start = job.job.earliest_start + moved;
  if (job.job.deadline < kForever) job.job.deadline = job.job.deadline + moved;
}

void select_nodes(std::vector<NodeReport>& nodes, const SimulationSettings& settings) {
  if (settings.node_configuration == NodeConfiguration::uniform && !nodes.empty()) {
    const NodeReport first = nodes.front();
    std::erase_if(nodes, [&](const NodeReport& other) {
      return other.node.configured != first.node.configured || other.classes != first.classes ||
             other.generic != first.generic;
    });
  }
  const auto most = static_cast<std::size_t>(std::max(0, settings.node_count));
  if (most > 0 && nodes.size() > most) nodes.resize(most);
}

}  // namespace maui
