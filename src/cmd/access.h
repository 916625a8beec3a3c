// The right to give commands (guide appendix E, G): administrators of three levels,
// owners, everybody.
#pragma once
#include "cmd/context.h"
#include "maui/command.h"

namespace maui {

/// 1, 2 or 3 for an administrator of that level, 0 for anybody else.  Who asks from a host that is
/// not in ADMINHOST is no administrator there.
int admin_level(const Settings& settings, const CommandRequest& request);

/// At least this level: is_admin(context, 2) holds for ADMIN1 and ADMIN2.
bool is_admin(const Context& context, int level);

/// The user of a request without one.  Nobody is called so, since names have no blanks, and he has
/// no rights of his own, not even where ALL are administrators.
inline constexpr char kNobody[] = "anonymous client";

/// May the user of a request give its command at all?
Status may_use(const Settings& settings, const CommandRequest& request, const CommandSpec& spec);
Status check_access(const Context& context, const CommandSpec& spec);

bool owns(const Context& context, const Job& job);
/// The user who asks has made the reservation, or it was made over to him.
bool owns(const Context& context, const Reservation& reservation);

}  // namespace maui
