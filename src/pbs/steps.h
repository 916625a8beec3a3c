// Translates commands of the scheduler to requests to a PBS server.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "pbs/portions.h"
#include "pbs/reply.h"
#include "pbs/request.h"
#include "rm/wiki_message.h"

namespace maui::pbs {

/// The families of servers, which differ in more than their dialect.
enum class Family : std::uint8_t { torque, openpbs };

/// Returns the family of a server; `version`: its attribute pbs_version.
Family family_of(Dialect dialect, std::string_view version);
/// Returns 6 for "6.1.3"; 0 if the version does not begin with a number.
int major_version(std::string_view version);

using MakeRequest = std::function<std::string(const Requests&, Dialect)>;

struct Step {
  MakeRequest make;
  /// Returns why the command fails, given the answer to this question; empty: it does not.
  std::function<std::string(const Reply&)> failure = nullptr;
  /// Returns true if there is something to undo; set in a step that undoes an earlier one, which is
  /// taken also after a failure.
  std::function<bool()> undoes = nullptr;
};

/// Returns the requests that carry out `request`, each to be sent after the one before it has
/// succeeded.  `wish`: what the job in question asks for; nullptr: unknown.  Fails if the command
/// is not supported.
Result<std::vector<Step>> steps_of(const WikiRequest& request, const Wish* wish, Family family);

/// Returns the request that releases the system hold by which a job was to be checkpointed.
MakeRequest release_of(const std::string& job);
/// Returns true if the server no longer knows the job that was asked about.
bool says_no_job(const Reply& reply);
/// Returns true if `reply` means that the request is done, or need not be done any more.
bool is_done(const WikiRequest& request, const Reply& reply);
/// Returns true if `reply` is the answer of a server without nodes to a request for its nodes.
bool says_no_nodes(const Reply& reply, Family family);
/// Converts the refusal in `reply` to WIKI.
WikiReply refusal(const Reply& reply, Family family);

}  // namespace maui::pbs
