// Texts for the reasons why jobs wait, shared by checkjob, diagnose -q and the log.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "maui/cluster.h"
#include "maui/plan.h"
#include "maui/settings.h"
#include "sched/priority/eligibility.h"

namespace maui {

std::string_view reason_words(Reason reason);
/// Returns the reason that has this text; empty if there is none.
std::optional<Reason> reason_of(std::string_view words);

/// Returns the reason's text with the figures behind it.
std::string detailed_reason(const Eligibility& eligibility, const Cluster& cluster, const Job& job,
                            Reason reason);

/// Explains why a job is not considered although no limit blocks it: "has hold in place: User".
std::string blocked_reason(const Eligibility& eligibility, const Cluster& cluster,
                           const Settings& settings, const Job& job);

}  // namespace maui
