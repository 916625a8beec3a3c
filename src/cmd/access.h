// The right to give commands (guide appendix E, G): administrators of three levels,
// owners, all users.
#pragma once
#include "cmd/context.h"
#include "maui/command.h"

namespace maui {

/// Returns 1, 2 or 3 for an administrator of that level, 0 for others.  A user on a host that is
/// not in ADMINHOST is no administrator there.
int admin_level(const Settings& settings, const CommandRequest& request);

/// True if the user has at least this level: is_admin(context, 2) holds for ADMIN1 and ADMIN2.
bool is_admin(const Context& context, int level);

/// The user of an anonymous request.  No real user can have this name, which contains a blank; it
/// has no rights of its own, even if ALL are administrators.
inline constexpr char kNobody[] = "anonymous client";

/// Returns an error if the user of a request may not give its command at all.
Status may_use(const Settings& settings, const CommandRequest& request, const CommandSpec& spec);
Status check_access(const Context& context, const CommandSpec& spec);

bool owns(const Context& context, const Job& job);
/// True if the user may see all of the job, and not only what the guide's showq shows to everybody:
/// its owner, and administrators.
bool sees_all_of(const Context& context, const Job& job);
/// True if the user has made the reservation, or it was made over to the user.
bool owns(const Context& context, const Reservation& reservation);

}  // namespace maui
