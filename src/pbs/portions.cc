#include "pbs/portions.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "model/job_extensions.h"

namespace maui::pbs {
namespace {

/// Chunks of nodes=: tasks are slots, and fewer nodes suffice if they have enough slots.
Portion portion_of_slots(const Chunk& chunk) {
  Portion portion{chunk};
  if (chunk.generic.empty()) {
    // One task more than the maximum is enough to make the request fail.
    portion.tasks = static_cast<int>(
        std::min(std::int64_t{chunk.count} * chunk.procs, std::int64_t{kMostJobTasks} + 1));
    portion.tasks_per_node = chunk.procs;
    portion.most_nodes = chunk.count;
  } else {
    portion.tasks = chunk.count;
    portion.procs = chunk.procs;
  }
  return portion;
}

Portion portion_of_chunks(const Chunk& chunk, const Place& place) {
  Portion portion{chunk};
  portion.tasks = chunk.count;
  portion.procs = chunk.procs;
  if (place.scattered) {
    portion.tasks_per_node = 1;
    portion.least_nodes = chunk.count;
  }
  if (place.packed) portion.most_nodes = 1;
  portion.chunks = {{chunk.amounts, 1}};
  return portion;
}

/// Adds `count` times an amount; a sum beyond what any node has is as good as the maximum.
void add(int& sum, std::int64_t amount, std::int64_t count) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  sum = static_cast<int>(std::min(kMost, sum + amount * count));
}

int& amount_of(std::vector<std::pair<std::string, int>>& amounts, const std::string& name) {
  const auto known = std::find_if(amounts.begin(), amounts.end(),
                                  [&](const auto& amount) { return amount.first == name; });
  return known == amounts.end() ? amounts.emplace_back(name, 0).second : known->second;
}

/// Adds chunks of another kind to the task, where that is possible.
Status pack(const Chunk& chunk, Portion& whole) {
  const auto agree = [](std::string& all, const std::string& own) {
    if (all.empty()) all = own;
    return own.empty() || all == own;
  };
  if (!agree(whole.chunk.host, chunk.host) || !agree(whole.chunk.architecture, chunk.architecture))
    return Error{"its chunks request different nodes, but place=pack requests one node"};
  add(whole.procs, chunk.procs, chunk.count);
  add(whole.chunk.memory, chunk.memory, chunk.count);
  add(whole.chunk.swap, chunk.swap, chunk.count);
  whole.chunk.any_vnode |= chunk.any_vnode;
  auto& features = whole.chunk.features;
  features.insert(features.end(), chunk.features.begin(), chunk.features.end());
  for (const auto& [name, amount] : chunk.generic)
    add(amount_of(whole.chunk.generic, name), amount, chunk.count);
  whole.chunks.emplace_back(chunk.amounts, chunk.count);
  return Done{};
}

/// Makes chunks of several kinds one task.
Result<Portion> packed(std::span<const Chunk> chunks) {
  Portion whole;
  whole.procs = 0;
  whole.chunks.clear();
  for (const Chunk& chunk : chunks)
    if (auto status = pack(chunk, whole); !status) return status.error();
  return whole;
}

int number_of(const Object& job, std::string_view resource) {
  return std::clamp(parse_integer<int>(job.get("Resource_List", resource)).value_or(0), 0,
                    kMostJobTasks);
}

/// True if the job has a request of TORQUE 6 (qsub -L).  With cgroups, TORQUE adds one to other
/// jobs when they start.
bool requests_tasks(const Object& job) {
  return std::any_of(job.attributes.begin(), job.attributes.end(), [](const Attribute& attribute) {
    return attribute.name.starts_with("req_information");
  });
}

struct Slots {
  std::string node;
  std::int64_t count = 1;
};

// "n01/0-1", "n01/0", "n01/0*2", "n01/0,2-3"
Slots slots_in(std::string_view entry) {
  const auto slash = entry.find('/');
  Slots slots{std::string(trimmed(entry.substr(0, slash)))};
  if (slash == std::string_view::npos) return slots;
  const auto rest = entry.substr(slash + 1);
  if (const auto times = rest.find('*'); times != std::string_view::npos) {
    slots.count = parse_integer<int>(rest.substr(times + 1)).value_or(1);
  } else {
    slots.count = 0;
    for (const auto range : split(rest, ',')) {
      const auto mark = range.find('-');
      const auto low = parse_integer<int>(range.substr(0, mark)).value_or(0);
      const auto high = mark == std::string_view::npos
                            ? low
                            : parse_integer<int>(range.substr(mark + 1)).value_or(low);
      slots.count += std::int64_t{high} - low + 1;
    }
  }
  slots.count = std::clamp(slots.count, std::int64_t{1}, std::int64_t{kMostJobTasks});
  return slots;
}

// "(n01:ncpus=2:mem=1gb)+(n02:ncpus=2)", "(a:ncpus=1+b:ncpus=1)" for a chunk on two vnodes, or
// "n01:ncpus=1" or "n01" if an administrator chose the node (qrun -H).
std::vector<std::string> chunks_in(std::string_view vnodes) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < vnodes.size(); ++at) {
    const bool whole = vnodes[at] == '(';
    const auto first = whole ? at + 1 : at;
    const auto name = vnodes.substr(first, vnodes.find_first_of(":)+", first) - first);
    if (!name.empty()) names.emplace_back(name);
    at = vnodes.find('+', whole ? vnodes.find(')', first) : first);
    if (at == std::string_view::npos) break;
  }
  return names;
}

std::int64_t chunks_of_a_task(const Portion& portion) {
  std::int64_t count = 0;
  for (const auto& kind : portion.chunks) count += kind.second;
  return count;
}

/// Returns the first of the `width(portion)` names that belong to each task, and all names that
/// belong to none: at its start, the job got more than it asked for.
template <class Width>
std::vector<std::string> first_of_each(const std::vector<std::string>& names, const Wish& wish,
                                       Width width) {
  std::vector<std::string> tasks;
  std::size_t at = 0;
  for (const Portion& portion : wish.portions)
    for (int i = 0; i < portion.tasks && at < names.size(); ++i) {
      tasks.push_back(names[at]);
      at += static_cast<std::size_t>(width(portion));
    }
  for (; at < names.size(); ++at) tasks.push_back(names[at]);
  return tasks;
}

}  // namespace

Result<Wish> wish_of(const Object& job) {
  Wish wish;
  const auto select =
      job.has("schedselect") ? job.get("schedselect") : job.get("Resource_List", "select");
  const auto nodes = job.has("Resource_List", "nodes") ? job.get("Resource_List", "nodes")
                                                       : job.get("Resource_List", "neednodes");
  if (!select.empty()) {
    const auto chunks = parse_select(select);
    if (!chunks) return chunks.error();
    wish.place = parse_place(job.get("Resource_List", "place"));
    wish.apart = wish.place.scattered;
    if (wish.place.packed && chunks->size() > 1) {
      auto whole = packed(*chunks);
      if (!whole) return whole.error();
      wish.portions.push_back(*std::move(whole));
    } else {
      for (const Chunk& chunk : *chunks)
        wish.portions.push_back(portion_of_chunks(chunk, wish.place));
    }
  } else if (!nodes.empty()) {
    const auto chunks = parse_nodes(nodes);
    if (!chunks) return chunks.error();
    wish.place.exclusive = nodes.find("#excl") != std::string_view::npos;
    wish.apart = true;
    for (const Chunk& chunk : *chunks) wish.portions.push_back(portion_of_slots(chunk));
  } else {
    Portion portion;
    const int procs = number_of(job, "procs"), cpus = number_of(job, "ncpus");
    if (procs == 0 && cpus == 0 && requests_tasks(job))
      return Error{
          "it requests its tasks with qsub -L, which maui does not read: use -l nodes=, procs= or "
          "ncpus="};
    portion.tasks = std::max(1, procs);
    if (procs == 0) portion.procs = std::max(1, cpus);
    wish.portions.push_back(portion);
  }
  std::int64_t tasks = 0;
  for (const Portion& portion : wish.portions) tasks += portion.tasks * chunks_of_a_task(portion);
  if (tasks > kMostJobTasks)
    return Error{fmt::format("it requests more than {} tasks", kMostJobTasks)};
  return wish;
}

std::string destination(const Wish& wish, std::span<const std::string> tasks, Dialect dialect) {
  struct Share {
    std::string_view node;
    int procs = 0;
    std::vector<std::pair<std::string, int>> generic;
  };
  std::vector<Share> shares;
  std::string framed_text;
  auto next = tasks.begin();
  for (const Portion& portion : wish.portions) {
    for (int i = 0; i < portion.tasks && next != tasks.end(); ++i, ++next) {
      for (const auto& [amounts, count] : portion.chunks)
        for (int chunk = 0; chunk < count; ++chunk)
          framed_text += fmt::format("{}({}:{})", framed_text.empty() ? "" : "+", *next,
                                     amounts.empty() ? "ncpus=1" : amounts);
      auto at = !shares.empty() && shares.back().node == *next
                    ? shares.end() - 1
                    : std::find_if(shares.begin(), shares.end(),
                                   [&](const Share& share) { return share.node == *next; });
      if (at == shares.end()) at = shares.insert(at, Share{*next, 0, {}});
      at->procs += portion.procs;
      for (const auto& [name, count] : portion.chunk.generic)
        add(amount_of(at->generic, name), count, 1);
    }
  }
  if (framed(dialect)) return framed_text;
  std::string text;
  for (const Share& share : shares) {
    text += fmt::format("{}{}", text.empty() ? "" : "+", share.node);
    if (share.procs > 1 || !share.generic.empty()) text += fmt::format(":ppn={}", share.procs);
    for (const auto& [name, count] : share.generic) text += fmt::format(":{}={}", name, count);
  }
  return text;
}

std::vector<std::string> tasks_of(const Object& job, const Wish& wish) {
  if (job.has("exec_vnode"))
    return first_of_each(chunks_in(job.get("exec_vnode")), wish, chunks_of_a_task);
  std::vector<std::string> slots;
  for (const auto entry : split(job.get("exec_host"), '+')) {
    if (trimmed(entry).empty()) continue;
    const auto some = slots_in(entry);
    slots.insert(slots.end(), static_cast<std::size_t>(some.count), some.node);
  }
  return first_of_each(slots, wish,
                       [](const Portion& portion) { return std::int64_t{portion.procs}; });
}

}  // namespace maui::pbs
