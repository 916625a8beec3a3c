// Resource manager extensions (guide 13.3): NAME:VALUE;NAME:VALUE in a job's comment.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/resource_manager.h"

namespace maui {

/// Applies the extensions that `comment` holds to a job whose requirements are already known.  What
/// is no extension, or one that does not bear on scheduling (SGE, SID), stays mere comment. Returns
/// what is wrong, or nothing.
std::optional<std::string> apply_extensions(std::string_view comment, JobReport& job);

/// Sets the flag that `name` stands for; ADVRES may be followed by ':' and a reservation.  Names of
/// mere history (BACKFILL, BENCHMARK) are known and do nothing.  False if there is no such flag.
bool apply_flag(std::string_view name, JobReport& job);

/// The names of a host list, ranges expanded; `separator` stands between its items.  Nothing if an
/// item is no host list.
std::optional<std::vector<std::string>> parse_host_list(std::string_view text, char separator);

/// Has the job run on `hosts`, in the sense that field 40 of a workload record gives to the list.
void require_hosts(JobReport& job, std::vector<std::string> hosts);

}  // namespace maui
