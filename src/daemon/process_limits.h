// Limits of the process with which the program would die without a word, or would never schedule:
// data, address space and stack.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace maui {

/// A limit in bytes, and what the program needs at least.
struct NeededLimit {
  int resource;             // as getrlimit() knows it
  std::string_view what;    // "data"
  std::string_view option;  // of ulimit: "-d"
  std::uint64_t to_run;     // less than that, and not even main() is reached
  std::uint64_t to_schedule;
};

/// The scheduler needs 48 MB of data, with its reserve of memory, before there is any job.
inline constexpr std::uint64_t kLeastData = std::uint64_t{64} << 20;
/// The programs and libraries take 32 MB more of address space.
inline constexpr std::uint64_t kLeastAddressSpace = kLeastData + (std::uint64_t{32} << 20);
inline constexpr std::uint64_t kLeastStack = std::uint64_t{1} << 20;

std::span<const NeededLimit> needed_limits();
/// Returns the bytes that this process may have of data or of address space, whichever are less.
std::uint64_t memory_limit();

/// Says that a limit is below `least`, in `text`, which must have room for a line; returns that, or
/// an empty text if the limit suffices.  Allocates nothing, as there may be no memory.
std::string_view low_limit(const NeededLimit& needed, std::uint64_t limit, std::uint64_t least,
                           std::span<char> text);

/// As low_limit(), for the first limit of this process that is too low for the scheduler.
std::string_view low_limit_of_process(std::span<char> text);
/// Ends the process, with a line on standard error, if a limit is too low for any use of the
/// program.  Allocates nothing.
void end_if_limits_are_unusable();

}  // namespace maui
