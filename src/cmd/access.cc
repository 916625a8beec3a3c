#include "cmd/access.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace maui {
namespace {

bool is_admin_host(const Settings& settings, const std::string& host) {
  const auto& hosts = settings.server.admin_hosts;
  return host.empty() || hosts.empty() ||
         std::any_of(hosts.begin(), hosts.end(), [&](const std::string& known) {
           return known == "ALL" || same_word(known, host);
         });
}

int listed_level(const Settings& settings, const std::string& user) {
  for (std::size_t level = 0; level < settings.server.admins.size(); ++level)
    for (const auto& name : settings.server.admins[level])
      if (name == user || name == "ALL") return static_cast<int>(level) + 1;
  return 0;
}

int needed_level(Access access) {
  switch (access) {
    case Access::admin1:
      return 1;
    case Access::admin2:
      return 2;
    case Access::admin3:
      return 3;
    case Access::owner:
    case Access::anyone:
      return 0;
  }
  return 1;
}

}  // namespace

int admin_level(const Settings& settings, const CommandRequest& request) {
  if (request.user.empty() || request.user == kNobody) return 0;
  return is_admin_host(settings, request.host) ? listed_level(settings, request.user) : 0;
}

bool is_admin(const Context& context, int level) {
  const int has = admin_level(context.settings(), context.request);
  return has != 0 && has <= level;
}

Status check_access(const Context& context, const CommandSpec& spec) {
  return may_use(context.settings(), context.request, spec);
}

Status may_use(const Settings& settings, const CommandRequest& request, const CommandSpec& spec) {
  const int needed = needed_level(spec.access);
  const int has = admin_level(settings, request);
  if (needed == 0 || (has != 0 && has <= needed)) return Done{};
  const int listed = request.user == kNobody ? 0 : listed_level(settings, request.user);
  if (listed != 0 && listed <= needed)
    return Error{
        fmt::format("user '{}' may run command '{}' only from a host in ADMINHOST, not from '{}'",
                    request.user, spec.name, request.host)};
  return Error{fmt::format("user '{}' is not authorized to run command '{}' (requires {})",
                           request.user, spec.name,
                           needed == 1   ? "ADMIN1"
                           : needed == 2 ? "ADMIN1 or ADMIN2"
                                         : "ADMIN1, ADMIN2 or ADMIN3")};
}

bool owns(const Context& context, const Reservation& reservation) {
  constexpr std::string_view kUser = "USER:";
  std::string_view owner = reservation.owner;
  if (owner.starts_with(kUser)) owner.remove_prefix(kUser.size());
  return owner == context.request.user;
}

bool owns(const Context& context, const Job& job) {
  return context.cluster().users[job.credentials.user] == context.request.user;
}

bool sees_all_of(const Context& context, const Job& job) {
  return is_admin(context, 3) || owns(context, job);
}

}  // namespace maui
