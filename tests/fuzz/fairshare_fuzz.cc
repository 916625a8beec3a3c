// Any text is a fairshare file, as far as its lines make sense; what they said is written and read
// again without a problem.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engine/accounts/fairshare_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  maui::Cluster names;
  const auto file = maui::read_fairshare_text(text, maui::Time(0), maui::Seconds(86400), names);
  const auto written = maui::fairshare_text(names, file.window, file.complete_until);
  const auto again = maui::read_fairshare_text(written, maui::Time(0), maui::Seconds(86400), names);
  if (!again.problems.empty()) std::abort();
  return 0;
}
