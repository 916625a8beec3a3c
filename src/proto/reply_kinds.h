// The names of replies, and of the actions that they report, in JSON.  The names are stable.
#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "maui/reply.h"

namespace maui {

/// Returns the value of "reply" in JSON: "queue", "job".
std::string_view reply_kind(const Reply& reply);
/// Returns the names of all kinds, in the order of the variant.
std::span<const std::string_view> reply_kinds();

std::string_view job_action_name(JobAction action);
std::optional<JobAction> find_job_action(std::string_view name);
std::vector<std::string_view> job_action_names();

}  // namespace maui
