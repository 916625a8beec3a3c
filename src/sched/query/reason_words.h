// Why a job waits, in words: the same for checkjob, diagnose -q and the log.
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
/// The reason of these words; nothing if no reason has them.
std::optional<Reason> reason_of(std::string_view words);

/// The reason with the figures that it rests on.
std::string detailed_reason(const Eligibility& eligibility, const Cluster& cluster, const Job& job,
                            Reason reason);

/// Says why a job is not considered that no limit keeps out: "has hold in place: User".
std::string blocked_reason(const Eligibility& eligibility, const Cluster& cluster,
                           const Settings& settings, const Job& job);

}  // namespace maui
