#include "slurm/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "base/text.h"
#include "model/job_extensions.h"
#include "slurm/start_note.h"

namespace maui::slurm {
namespace {

bool divisible(const Counted& all, int parts) {
  return std::all_of(all.begin(), all.end(),
                     [&](const auto& resource) { return resource.second % parts == 0; });
}

/// Returns true if each of `nodes` nodes can have an equal share.
bool fits_evenly(const Counted& all, int nodes, const Largest& largest) {
  return divisible(all, nodes) && std::all_of(all.begin(), all.end(), [&](const auto& resource) {
           const auto at = largest.generic.find(resource.first);
           return at != largest.generic.end() && resource.second / nodes <= at->second;
         });
}

/// Returns the fewest nodes over which the tasks, and the resources that all of them share, can be
/// spread evenly; 0: there is no such number.
int fewest_even(const Shape& shape, const Job& job, const Counted& of_all, const Largest& largest) {
  int most = std::min(shape.tasks, largest.nodes);
  if (job.max_nodes > 0) most = std::min(most, job.max_nodes);
  for (int nodes = std::max(1, job.min_nodes); nodes <= most; ++nodes)
    if (shape.tasks % nodes == 0 && product(shape.tasks / nodes, shape.procs) <= largest.cpus &&
        fits_evenly(of_all, nodes, largest))
      return nodes;
  return 0;
}

/// Returns the fewest nodes that suffice if all have equal shares but one, which has the remainder;
/// 0: there is no such number.
int fewest_uneven(const Shape& shape, const Job& job, const Largest& largest) {
  const auto of_all = generic_resources(job.tres_per_job);
  int most = std::min(shape.tasks, largest.nodes);
  if (job.max_nodes > 0) most = std::min(most, job.max_nodes);
  for (int nodes = std::max(2, job.min_nodes); nodes <= most; ++nodes) {
    const bool fits = std::all_of(of_all.begin(), of_all.end(), [&](const auto& resource) {
      const auto at = largest.generic.find(resource.first);
      return at != largest.generic.end() && part_of_first(resource.second, nodes) <= at->second;
    });
    if (fits && product(part_of_first(shape.tasks, nodes), shape.procs) <= largest.cpus)
      return nodes;
  }
  return 0;
}

/// Returns true if some tasks share a resource, which keeps them together.
bool has_counted(const Shape& shape, const Job& job) {
  return !generic_on_each_node(job).empty() ||
         !divisible(generic_resources(job.tres_per_job), shape.tasks);
}

/// Returns the tasks that the job requests per node, directly or by a limit per socket; 0: any.
int wanted_per_node(int tasks, const Job& job, const Largest& largest) {
  if (job.tasks_per_node > 0) return job.tasks_per_node;
  const int most = product(job.tasks_per_socket, largest.sockets);
  if (most == 0 || tasks <= most) return 0;
  return ceiling(tasks, std::max(job.min_nodes, ceiling(tasks, most)));
}

/// If a job requests at least two nodes, Slurm gives each the same number of GPUs where possible.
bool wants_equal_gpus(const Job& job) { return job.tasks_per_gpu > 0 && job.min_nodes > 1; }

/// Returns the number of tasks to place on each node; 0: any.
int even_share(const Shape& shape, const Job& job, const Largest& largest) {
  const int nodes = std::max(1, job.min_nodes);
  const auto of_all = generic_resources(job.tres_per_job);
  const bool counted = has_counted(shape, job) || wants_equal_gpus(job);
  if (const int wanted = wanted_per_node(shape.tasks, job, largest)) return wanted;
  const bool fixed = job.max_nodes > 0 && job.min_nodes == job.max_nodes;
  if (fixed && shape.tasks % nodes == 0) return shape.tasks / nodes;
  if (!counted && (job.memory == 0 || job.memory_per_cpu)) return 0;
  const int even = fewest_even(shape, job, counted ? of_all : Counted(), largest);
  // Memory alone does not justify more than twice the fewest nodes.
  const int fewest = ceiling(std::int64_t{shape.tasks} * shape.procs, largest.cpus);
  if (even == 0 || (!counted && even > 2 * std::int64_t{fewest})) return 0;
  return shape.tasks / even;
}

// Resources per node are expressed per task.  A node that is not full would get less than its tasks
// need; so each task gets the whole amount, if a full node has that much.
int sharing_on_uneven_nodes(const Shape& shape, const Job& job, const Largest& largest) {
  const int full = std::clamp(largest.cpus / shape.procs, 1, shape.tasks);
  const bool enough = job.memory_per_cpu || full * job.memory <= largest.memory;
  return enough ? 1 : full;
}

/// Returns true if separate shares for each task would lose or duplicate resources.
bool must_be_joined(const Shape& shape, const Job& job, const Largest& largest) {
  const int each = shape.tasks_per_node;
  if (!divisible(generic_on_each_node(job), each)) return true;
  if (!divisible(generic_resources(job.tres_per_job), shape.tasks)) return true;
  const std::int64_t memory = job.memory_per_cpu ? 0 : job.memory;
  return memory <= largest.memory && std::int64_t{ceiling(memory, each)} * each > largest.memory;
}

/// True if the job itself asks for memory per GPU ("gres:gpu:100").  Then Slurm ignores its other
/// memory, which is a default.  Memory per GPU by default ("gpu:50") counts only without any other.
bool asks_memory_per_gpu(const Job& job) { return job.memory_per_tres.starts_with("gres"); }

}  // namespace

void apply_partitions(Cluster& cluster) {
  std::set<std::string, std::less<>> exclusive;
  for (const Partition& partition : cluster.partitions)
    if (partition.exclusive) exclusive.insert(partition.name);
  if (exclusive.empty()) return;
  for (Job& job : cluster.jobs)
    for (const auto name : split(job.partition, ','))
      job.exclusive = job.exclusive || exclusive.contains(name);
}

void apply_gpus_of_tasks(Cluster& cluster) {
  const auto names_gpus = [](const std::string& resources) {
    return resources.find("gpu") != std::string::npos;
  };
  for (Job& job : cluster.jobs) {
    if (job.tasks_per_gpu == 0 || names_gpus(job.tres_per_job) || names_gpus(job.tres_per_node) ||
        names_gpus(job.tres_per_socket) || names_gpus(job.tres_per_task))
      continue;
    if (!job.tres_per_job.empty()) job.tres_per_job += ',';
    job.tres_per_job += fmt::format("gres:gpu:{}", ceiling(job.tasks, job.tasks_per_gpu));
  }
}

void apply_shares_of_gpus(Cluster& cluster) {
  const auto gpus_in = [](const std::string& resources) {
    for (const auto& [name, count] : generic_resources(resources))
      if (name == "gpu") return count;
    return 0;
  };
  const auto default_of = [&cluster](const Job& job, std::string_view name) {
    const auto first = std::string_view(job.partition).substr(0, job.partition.find(','));
    for (const Partition& partition : cluster.partitions)
      if (partition.name == first)
        for (const auto item : split(partition.defaults, ','))
          if (const auto equals = item.find('=');
              equals != item.npos && same_word(item.substr(0, equals), name))
            return std::max(0, parse_integer<int>(item.substr(equals + 1)).value_or(0));
    return 0;
  };
  for (Job& job : cluster.jobs) {
    const int per_job = gpus_in(job.tres_per_job), per_task = gpus_in(job.tres_per_task);
    int per_node = 0;
    for (const auto& [name, count] : generic_on_each_node(job))
      if (name == "gpu") per_node += count;
    if (per_job + per_task + per_node == 0) continue;
    int cpus = gpus_in(job.cpus_per_tres), memory = gpus_in(job.memory_per_tres);
    if (job.cpus_per_tres.empty()) cpus = default_of(job, "DefCpuPerGPU");
    if (job.memory_per_tres.empty()) memory = default_of(job, "DefMemPerGPU");
    const int nodes = std::max(1, job.min_nodes), tasks = std::max(1, job.tasks);
    const int on_node = per_node > 0  ? per_node
                        : per_job > 0 ? ceiling(per_job, nodes)
                                      : product(per_task, ceiling(tasks, nodes));
    const int in_all = per_job > 0    ? per_job
                       : per_node > 0 ? product(per_node, nodes)
                                      : product(per_task, tasks);
    job.cpus = std::max(job.cpus, product(in_all, cpus));
    if (per_task > 0) job.cpus_per_task = std::max(job.cpus_per_task, product(per_task, cpus));
    if (per_node > 0) job.min_cpus = std::max(job.min_cpus, product(per_node, cpus));
    if (memory == 0 || (job.memory > 0 && !asks_memory_per_gpu(job))) continue;
    job.memory = product(on_node, memory);
    job.memory_per_cpu = false;
  }
}

void apply_overcommit(Cluster& cluster) {
  for (Job& job : cluster.jobs) {
    if (job.cpus >= job.tasks) continue;
    // For a range of nodes without a number of tasks (-N2-4), Slurm assumes a task for each node of
    // the minimum, and counts one CPU in all.
    if (job.pending() && job.max_nodes > job.min_nodes && job.tasks <= job.min_nodes) continue;
    // For a requeued job whose number of nodes was set once, Slurm counts fewer CPUs.
    if (const auto note = read_note(job.admin_comment); note && !note->overcommitted) continue;
    job.overcommitted = true;
    job.tasks = std::max(1, job.cpus);
    job.cpus_per_task = job.pending() ? std::max(1, job.min_cpus) : 1;  // on each node
    job.min_nodes = std::min(job.min_nodes, job.tasks);  // else Slurm guesses it from the tasks
  }
}

Largest::Largest(const Cluster& cluster) : nodes(static_cast<int>(cluster.nodes.size())) {
  for (const Node& node : cluster.nodes) {
    cpus = std::max(cpus, node.cpus);
    sockets = std::max(sockets, node.sockets);
    memory = std::max(memory, node.memory);
    for (const auto& [name, count] : generic_resources(node.gres))
      generic[name] = std::max(generic[name], count);
  }
}

Counted generic_on_each_node(const Job& job) {
  Counted all = generic_resources(job.tres_per_node);
  for (const auto& [name, count] : generic_resources(job.tres_per_socket))
    all.emplace_back(name, product(count, std::max(1, job.min_sockets)));
  return all;
}

bool can_serve(const Node& node, const Job& job, const Largest& largest) {
  if (node.cpus < job.min_cpus || node.sockets < job.min_sockets) return false;
  if (node.cores < job.min_cores * node.sockets) return false;
  if (node.cpus < job.min_threads * node.cores) return false;
  if (job.tasks_per_socket == 0) return true;
  const int wanted = wanted_per_node(job.tasks, job, largest);
  const int each = wanted > 0 ? wanted : ceiling(job.tasks, std::max(1, job.min_nodes));
  return product(job.tasks_per_socket, node.sockets) >= each;
}

Shape shape_of(const Job& job, const Largest& largest) {
  Shape shape;
  const int nodes = std::clamp(job.min_nodes, 1, kMostJobTasks);
  shape.tasks = std::clamp(job.tasks, nodes, kMostJobTasks);
  // Slurm gives each node of such a job the CPUs for that many tasks, even if fewer are needed.
  if (const int wanted = wanted_per_node(shape.tasks, job, largest))
    shape.tasks =
        std::min(product(std::max(nodes, ceiling(shape.tasks, wanted)), wanted), kMostJobTasks);
  shape.procs = std::max(1, job.cpus_per_task);
  if (!job.exclusive) shape.procs = std::max(shape.procs, ceiling(job.cpus, shape.tasks));
  if (shape.tasks <= nodes) shape.procs = std::max(shape.procs, job.min_cpus);
  shape.tasks_per_node = even_share(shape, job, largest);
  const bool of_its_own = job.features.find('*') != std::string::npos;  // nodes by feature
  if (shape.tasks_per_node == 0 && has_counted(shape, job) && !of_its_own) {
    if (const int parts = fewest_uneven(shape, job, largest); parts > 0) {
      shape.joined = shape.tasks / parts;
      shape.on_first = part_of_first(shape.tasks, parts);
      shape.procs = product(shape.procs, shape.joined);
      shape.tasks = parts;
      shape.tasks_per_node = 1;
      return shape;
    }
  }
  if (shape.tasks_per_node == 0) {
    shape.least_nodes = nodes > 1 ? nodes : 0;
    shape.most_nodes = job.max_nodes;
    shape.sharing = sharing_on_uneven_nodes(shape, job, largest);
    return shape;
  }
  if (must_be_joined(shape, job, largest)) {
    shape.joined = std::exchange(shape.tasks_per_node, 1);
    shape.tasks /= shape.joined;
    shape.procs = product(shape.procs, shape.joined);
  }
  shape.sharing = shape.tasks_per_node;
  return shape;
}

}  // namespace maui::slurm
