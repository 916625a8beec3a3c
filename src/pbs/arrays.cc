#include "pbs/arrays.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/text.h"
#include "pbs/amounts.h"

namespace maui::pbs {
namespace {

constexpr std::size_t kMostTasks = 1000;  // of an array

// "1,3-7,10-20:2"
std::vector<int> indices_in(std::string_view text) {
  std::vector<int> indices;
  for (const auto range : split(text, ',')) {
    const auto colon = range.find(':');
    const auto bounds = trimmed(range.substr(0, colon));
    const auto mark = bounds.find('-');
    const auto first = parse_integer<int>(bounds.substr(0, mark));
    const auto last = mark == bounds.npos ? first : parse_integer<int>(bounds.substr(mark + 1));
    const auto step = colon == range.npos ? 1 : parse_integer<int>(range.substr(colon + 1));
    if (!first || !last || !step || *first < 0 || *step < 1) continue;
    for (std::int64_t i = *first; i <= *last; i += *step) {
      if (indices.size() == kMostTasks) return indices;
      indices.push_back(static_cast<int>(i));
    }
  }
  return indices;
}

// "7[].srv" and 3 make "7[3].srv".
std::string name_of(std::string_view array, int index) {
  const auto at = array.find("[]");
  return fmt::format("{}[{}]{}", array.substr(0, at), index, array.substr(at + 2));
}

void set(Object& job, std::string_view name, std::string_view value) {
  auto& all = job.attributes;
  const auto at = std::find_if(all.begin(), all.end(),
                               [&](const Attribute& attribute) { return attribute.name == name; });
  if (at == all.end())
    all.push_back({std::string(name), {}, std::string(value)});
  else
    at->value = value;
}

}  // namespace

std::vector<Object> waiting_tasks(std::span<const Object> jobs) {
  std::map<std::string_view, int> active;  // number of active tasks, by array
  for (const Object& job : jobs) {
    const auto state = job.get("job_state");
    if (job.has("array_id") && (state == "R" || state == "S" || state == "E" || state == "U"))
      ++active[job.get("array_id")];
  }
  std::vector<Object> tasks;
  for (const Object& job : jobs) {
    if (!is_true(job.get("array")) || job.name.find("[]") == std::string::npos) continue;
    const auto indices = indices_in(job.get("array_indices_remaining"));
    if (indices.empty()) continue;
    Object like = job;
    std::erase_if(like.attributes,
                  [](const Attribute& attribute) { return attribute.name == "array"; });
    if (like.get("job_state") == "B") set(like, "job_state", "Q");  // the array has begun
    const auto most = parse_integer<int>(job.get("max_run_subjobs"));
    int room = most && *most > 0 ? *most - active[job.name] : static_cast<int>(indices.size());
    for (const int index : indices) {
      like.name = name_of(job.name, index);
      if (room-- <= 0 && like.get("job_state") == "Q") {
        set(like, "job_state", "H");
        set(like, "Hold_Types", "l");
        if (!like.bytes.empty()) like.bytes += " l";  // the array's bytes do not show it
      }
      tasks.push_back(like);
    }
  }
  return tasks;
}

}  // namespace maui::pbs
