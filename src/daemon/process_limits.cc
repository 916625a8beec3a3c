#include "daemon/process_limits.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace maui {
namespace {

constexpr NeededLimit kNeeded[] = {
    {RLIMIT_DATA, "data", "-d", std::uint64_t{16} << 20, kLeastData},
    {RLIMIT_AS, "address space", "-v", std::uint64_t{32} << 20, kLeastAddressSpace},
    {RLIMIT_STACK, "stack", "-s", std::uint64_t{256} << 10, kLeastStack},
};

/// Compares with that member of each needed limit.
std::string_view first_low_limit(std::uint64_t NeededLimit::*least, std::span<char> text) {
  for (const NeededLimit& needed : kNeeded) {
    rlimit limit{};
    if (::getrlimit(needed.resource, &limit) != 0) continue;
    const auto fault = low_limit(needed, limit.rlim_cur, needed.*least, text);
    if (!fault.empty()) return fault;
  }
  return {};
}

}  // namespace

std::span<const NeededLimit> needed_limits() { return kNeeded; }

std::uint64_t memory_limit() {
  rlim_t least = RLIM_INFINITY;
  for (const auto resource : {RLIMIT_DATA, RLIMIT_AS})
    if (rlimit limit{}; ::getrlimit(resource, &limit) == 0) least = std::min(least, limit.rlim_cur);
  return least;
}

std::string_view low_limit(const NeededLimit& needed, std::uint64_t limit, std::uint64_t least,
                           std::span<char> text) {
  if (limit >= least) return {};
  // The scheduler needs more than other uses of the program.
  const auto written =
      fmt::format_to_n(text.data(), text.size(),
                       "the limit of {} kB of {} (ulimit {}) is too low: expected at least {} kB",
                       limit >> 10, needed.what, needed.option, needed.to_schedule >> 10);
  return {text.data(), written.size < text.size() ? written.size : text.size()};
}

std::string_view low_limit_of_process(std::span<char> text) {
  return first_low_limit(&NeededLimit::to_schedule, text);
}

void end_if_limits_are_unusable() {
  std::array<char, 200> text;
  const std::string_view fault = first_low_limit(&NeededLimit::to_run, text);
  if (fault.empty()) return;
  for (const std::string_view part :
       {std::string_view("ERROR:    "), fault, std::string_view("\n")})
    if (::write(STDERR_FILENO, part.data(), part.size()) < 0) break;
  ::_exit(1);
}

}  // namespace maui
