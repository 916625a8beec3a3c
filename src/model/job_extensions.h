// Resource manager extensions (guide 13.3): NAME:VALUE;NAME:VALUE in a job's comment.
//
// Parses text into a JobReport; used for every resource manager that has a comment field, and for
// traces. docs/decisions/job-extensions.md lists what is not in the guide's table.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/resource_manager.h"

namespace maui {

/// The longest list of hosts if the number of hosts is unknown.
inline constexpr std::size_t kMostHosts = 65536;
/// The longest comment that is parsed.
inline constexpr std::size_t kLongestComment = 16384;
/// Limits tasks per job: a node with nonsensical values may fit any number, and starts list all.
inline constexpr int kMostJobTasks = 1'000'000;

/// The extensions of a comment that are not understood.
struct ExtensionFaults {
  std::string what;      // the words in question, with what was expected
  bool decides = false;  // one of them would decide where or when the job may run
};

/// Applies the extensions in `comment` to a job whose requirements are known.  Words that are no
/// extensions are ignored as comment, unless the text begins with "x=", as in qsub -W x=...: then
/// every word must be an extension.  Returns nullopt, or the faults; all other extensions have been
/// applied.  An overlong comment is not read, and lists of more hosts than `most_hosts` are
/// rejected before expansion.
std::optional<ExtensionFaults> apply_extensions(std::string_view comment, JobReport& job,
                                                std::size_t most_hosts = kMostHosts);

/// Returns the names of all extensions, for messages and tests.
std::vector<std::string_view> extension_names();

/// Sets the flag of that name; ADVRES may be followed by ':' and a reservation.  Obsolete names
/// (BACKFILL, BENCHMARK) are accepted and ignored.  Returns false if there is no such flag.
bool apply_flag(std::string_view name, JobReport& job);

/// Returns the names of a host list with ranges expanded; `separator` separates its items.  Returns
/// nullopt if an item is not a host list, or for more than kMostJobTasks names in all.
std::optional<std::vector<std::string>> parse_host_list(std::string_view text, char separator);
/// Returns how many hosts the list stands for, without expanding it.
std::uint64_t count_host_list(std::string_view text, char separator);

/// Makes the job run on `hosts`, with the meaning of field 40 of a workload record.
void require_hosts(JobReport& job, std::vector<std::string> hosts);

/// Parses dependencies, "afterok:a:b,afterany:c".  Returns nullopt if the list is malformed.
std::optional<std::vector<Dependency>> parse_dependencies(std::string_view text);
/// Returns a dependency as text, such as "afterok:a".
std::string dependency_text(const Dependency& dependency);

}  // namespace maui
