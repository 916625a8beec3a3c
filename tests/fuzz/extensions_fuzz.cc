// Any comment of a job is read: what it names makes sense, or is refused with a reason.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model/job_extensions.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  maui::JobReport job;
  const auto wrong = maui::apply_extensions(text, job);
  if (wrong && wrong->what.empty()) std::abort();
  const auto& first = job.request.requirements.front();
  if (first.tasks < 1 || first.tasks_per_node < 0 || first.per_task.memory() < 0) std::abort();
  for (const auto& one : job.job.dependencies) {
    const auto again = maui::parse_dependencies(maui::dependency_text(one));
    if (!again || again->size() != 1 || again->front() != one) std::abort();
  }
  for (const auto& list : job.generic)
    for (const auto& [name, count] : list)
      if (name.empty() || count < 1) std::abort();
  return 0;
}
