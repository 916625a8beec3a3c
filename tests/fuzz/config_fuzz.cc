// Any text either is refused or makes a configuration whose rows that differ from the defaults make
// the same configuration again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "config/configuration.h"

namespace {

std::string saved(const maui::Configuration& configuration) {
  std::string out;
  for (const auto& row : configuration.listing().rows) out += row.name + " " + row.value + "\n";
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<maui::Diagnostic> diagnostics;
  const auto made = maui::Configuration::parse(text, "fuzz", diagnostics);
  if (!made) return 0;
  const auto first = saved(*made);
  const auto again = maui::Configuration::parse(first, "again", diagnostics);
  if (!again || saved(*again) != first || again->settings() != made->settings()) std::abort();
  return 0;
}
