// Any text either is no checkpoint, with a reason, or is one that comes back the same when it is
// written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engine/checkpoint/checkpoint.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const maui::PlotSettings plot;
  maui::Cluster names;
  const auto read = maui::read_checkpoint_text(text, plot, names);
  if (!read) {
    if (read.error().what.empty()) std::abort();
    return 0;
  }
  const auto written = maui::checkpoint_text(names, *read);
  maui::Cluster others;
  const auto again = maui::read_checkpoint_text(written, plot, others);
  if (!again || maui::checkpoint_text(others, *again) != written) std::abort();
  return 0;
}
