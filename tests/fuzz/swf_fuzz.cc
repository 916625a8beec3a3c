// Any line may stand in an SWF log: header, job, or refused with a reason.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "sim/swf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  maui::SwfHeader header;
  maui::parse_swf_header(line, header);
  if (header.max_nodes <= 1000 && header.max_procs <= 100000) {
    const auto machine = maui::machine_of(header);
    if (machine ? machine->empty() : machine.error().what.empty()) std::abort();
  }
  const auto job = maui::parse_swf_record(line);
  if (!job) {
    if (job.error().what.empty()) std::abort();
  } else if (job->run_time > 0 && (job->procs <= 0 || job->limit < job->run_time)) {
    std::abort();
  } else {
    maui::report_of(*job, header, {});
  }
  return 0;
}
