// Resource manager extensions (guide 13.3): NAME:VALUE;NAME:VALUE in a job's comment.
//
// Pure text to a JobReport; every resource manager that has a field for comments, and the traces,
// read it with this.  docs/decisions/job-extensions.md lists what the guide's table has not.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/resource_manager.h"

namespace maui {

/// The longest list of hosts, where it is not known how many there are.
inline constexpr std::size_t kMostHosts = 65536;
/// The longest comment that is read.
inline constexpr std::size_t kLongestComment = 16384;
/// Tasks of a job: a node of rubbish may have room for any number, and a start names one for each.
inline constexpr int kMostJobTasks = 1'000'000;

/// Applies the extensions that `comment` holds to a job whose requirements are already known.  What
/// is no extension stays mere comment, unless "x=" stands before it all, as in qsub -W x=...: then
/// every word must be one.  Returns what is wrong, naming the word, or nothing; the job is then as
/// far as the words before it have made it.  A comment that is long beyond reason is not read, and
/// lists of more hosts than `most_hosts` are refused before they are made.
std::optional<std::string> apply_extensions(std::string_view comment, JobReport& job,
                                            std::size_t most_hosts = kMostHosts);

/// The names of all extensions, for messages and tests.
std::vector<std::string_view> extension_names();

/// Sets the flag that `name` stands for; ADVRES may be followed by ':' and a reservation.  Names of
/// mere history (BACKFILL, BENCHMARK) are known and do nothing.  False if there is no such flag.
bool apply_flag(std::string_view name, JobReport& job);

/// The names of a host list, ranges expanded; `separator` stands between its items.  Nothing if an
/// item is no host list.
std::optional<std::vector<std::string>> parse_host_list(std::string_view text, char separator);
/// How many hosts that would be, without making a list of them.
std::uint64_t count_host_list(std::string_view text, char separator);

/// Has the job run on `hosts`, in the sense that field 40 of a workload record gives to the list.
void require_hosts(JobReport& job, std::vector<std::string> hosts);

/// "afterok:a:b,afterany:c": what the job waits for.  Nothing if it is no such list.
std::optional<std::vector<Dependency>> parse_dependencies(std::string_view text);
/// "afterok:a"
std::string dependency_text(const Dependency& dependency);

}  // namespace maui
