// Applies a change to each job that a command names.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/context.h"
#include "engine/command_result.h"

namespace maui {

/// Succeeds if the user is an administrator or the job's owner; `what` completes "not authorized
/// to".
Status may_act_on(const Context& context, const Job& job, std::string_view what);

/// The highest system priority (guide G: setspri), and the limit of an addition to a priority,
/// which no priority exceeds (5.1.1).
inline constexpr std::int64_t kHighestSystemPriority = 1000;
inline constexpr std::int64_t kHighestPriority = 1000000000;

/// Changes the QOS of jobs: an administrator may give any, an owner those that the job may have.
Answer give_qos(const Context& context, const std::string& qos,
                const std::vector<std::string>& jobs);

/// Bits of every Hold.
inline constexpr std::uint8_t kAllHolds = 1 | 2 | 4 | 8;

using JobChange = std::function<CommandResult(const Job& job)>;
/// A change after which something remains to be said of the job; empty: nothing.
using NotedJobChange = std::function<Result<std::string>(const Job& job)>;

/// Refuses holds other than user holds to whoever is no administrator; the second form also
/// refuses jobs of others.
Status may_change_holds(const Context& context, std::uint8_t holds);
Status may_change_holds(const Context& context, const Job& job, std::uint8_t holds,
                        std::string_view what);

/// Applies `act` to each named job; refuses the command if it succeeded for none.  Answers that
/// are still to come are added to those that the context awaits.
Answer for_jobs(const Context& context, JobsReply reply, const std::vector<std::string>& names,
                const JobChange& act);
Answer for_jobs(const Context& context, JobsReply reply, const std::vector<std::string>& names,
                const NotedJobChange& act);

}  // namespace maui
