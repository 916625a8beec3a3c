// Requests to a PBS server for what the scheduler wants done.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "pbs/portions.h"
#include "pbs/reply.h"
#include "pbs/request.h"
#include "rm/wiki_message.h"

namespace maui::pbs {

/// The families of servers that differ in more than how they speak.
enum class Family : std::uint8_t { torque, openpbs };

/// The family of a server; `version`: its attribute pbs_version.
Family family_of(Dialect dialect, std::string_view version);

using MakeRequest = std::function<std::string(const Requests&, Dialect)>;

/// The requests that do what `request` says, each to be sent once the one before it was answered
/// with success.  `wish`: of the job that it is about; nullptr: none is known.  Fails on what
/// cannot be done.
Result<std::vector<MakeRequest>> steps_of(const WikiRequest& request, const Wish* wish,
                                          Family family);

/// True if `reply` says that what was asked for is done, or need not be done any more.
bool is_done(const WikiRequest& request, const Reply& reply);
/// True if `reply` is how servers without a node answer a question for their nodes.
bool says_no_nodes(const Reply& reply, Family family);
/// The refusal in `reply` as WIKI has it.
WikiReply refusal(const Reply& reply, Family family);

}  // namespace maui::pbs
