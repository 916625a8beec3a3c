// Any line may stand in a resource or workload trace: it is read or refused with a reason.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "sim/resource_trace.h"
#include "sim/workload_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const auto node = maui::parse_resource_record(line);
  if (node ? node->node.name.empty() : node.error().what.empty()) std::abort();
  const auto job = maui::parse_workload_record(line, maui::NodeAccess::shared);
  if (!job && job.error().what.empty()) std::abort();
  if (job && (job->report.name.empty() || job->report.request.limit < maui::Seconds(0) ||
              job->report.request.requirements.front().tasks < 1))
    std::abort();
  return 0;
}
