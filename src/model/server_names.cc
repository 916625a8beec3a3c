#include "maui/server_names.h"

namespace maui {

std::string_view ServerNames::server_of(std::string_view job) {
  const bool numbered = !job.empty() && job.front() >= '0' && job.front() <= '9';
  const auto point = job.find('.');
  return numbered && point != std::string_view::npos ? job.substr(point + 1) : std::string_view();
}

void ServerNames::add(std::string_view job) {
  const auto server = server_of(job);
  if (server.empty()) return;
  if (const auto known = jobs_.find(server); known != jobs_.end())
    ++known->second;
  else
    jobs_.emplace(server, 1);
}

void ServerNames::remove(std::string_view job) {
  const auto known = jobs_.find(server_of(job));
  if (known != jobs_.end() && --known->second == 0) jobs_.erase(known);
}

}  // namespace maui
