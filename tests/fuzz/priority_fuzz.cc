// Any text either is refused or makes a priority function that always has one value.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "maui/node_priority.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using Operation = maui::PriorityFunction::Operation;
  const auto made = maui::parse_priority_function({reinterpret_cast<const char*>(data), size});
  if (!made) return 0;
  int values = 0;
  for (const auto& step : made->steps) {
    const bool pushes = step.operation == Operation::number || step.operation == Operation::term ||
                        step.operation == Operation::feature;
    if (!pushes && values < 2) std::abort();
    values += pushes ? 1 : -1;
  }
  if (values != 1) std::abort();
  return 0;
}
