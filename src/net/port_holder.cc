#include "net/port_holder.h"

#include <fmt/format.h>
#include <pwd.h>

#include <fstream>

#include "base/text.h"

namespace maui {

std::optional<uid_t> port_holder_in(std::istream& table, int port) {
  constexpr std::size_t kLocal = 1, kState = 3, kUser = 7;
  constexpr std::string_view kListening = "0A";
  std::optional<uid_t> holder;
  for (std::string line; std::getline(table, line);) {
    const auto fields = words(line);
    if (fields.size() <= kUser) continue;
    const auto& local = fields[kLocal];
    const auto colon = local.find(':');
    if (colon == local.npos) continue;
    const auto number = parse_integer<int>(std::string_view(local).substr(colon + 1), 16);
    const auto user = parse_integer<uid_t>(fields[kUser]);
    if (number != port || !user) continue;
    if (fields[kState] == kListening) return user;
    if (!holder) holder = user;
  }
  return holder;
}

std::string port_holder(int port) {
  for (const char* name : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream table(name);
    const auto user = port_holder_in(table, port);
    if (!user) continue;
    const auto* entry = ::getpwuid(*user);
    return fmt::format("user '{}' has it",
                       entry != nullptr ? entry->pw_name : std::to_string(*user));
  }
  return "in use by an unknown user";
}

}  // namespace maui
