#include "config/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "config/configuration.h"

namespace maui {
namespace {

std::string counted(std::ptrdiff_t n, std::string_view what) {
  return fmt::format("{} {}{}", n == 0 ? "no" : fmt::format("{}", n), what, n == 1 ? "" : "s");
}

}  // namespace

int check_config(const std::string& path, std::ostream& out) {
  std::vector<Diagnostic> diagnostics;
  const auto made = Configuration::load(path, diagnostics);
  for (const auto& one : diagnostics) out << one.text() << '\n';
  auto warnings = std::count_if(diagnostics.begin(), diagnostics.end(),
                                [](const Diagnostic& one) { return one.warning; });
  const auto errors = std::ssize(diagnostics) - warnings;
  if (made) {
    for (const auto& name : made->without_effect()) {
      out << fmt::format("WARNING: {}: {} is set, and this release does not act on it\n", path,
                         name);
      ++warnings;
    }
  }
  out << fmt::format("{}: {}, {}: the scheduler would {}\n", path, counted(errors, "error"),
                     counted(warnings, "warning"), made ? "start with it" : "refuse it");
  return made ? 0 : 1;
}

}  // namespace maui
