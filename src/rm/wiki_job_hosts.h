// The attributes of a job that list hosts: HOSTLIST and EXCLUDE_HOSTLIST.
#pragma once
#include <string>
#include <string_view>

#include "rm/wiki_attributes.h"

namespace maui::wiki {

/// Reads HOSTLIST; its use is determined later, when the number of tasks is known.  Returns false
/// if it is invalid or has too many hosts.
bool host_list(std::string_view value, WikiJob& job);
std::string host_list_of(const WikiJob& job);

/// Reads EXCLUDE_HOSTLIST; returns false likewise.
bool exclude(std::string_view value, WikiJob& job);
std::string excluded_of(const WikiJob& job);

}  // namespace maui::wiki
