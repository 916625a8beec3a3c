// The servers that stand behind the numbers of jobs, as in "1234.server" (PBS).
#pragma once
#include <map>
#include <string>
#include <string_view>

namespace maui {

class ServerNames {
 public:
  /// A job of that name has come, or is forgotten.
  void add(std::string_view job);
  void remove(std::string_view job);
  /// Each server, with the number of its jobs.
  const std::map<std::string, int, std::less<>>& all() const { return jobs_; }

  /// The server in the name of a job; empty: it has none.
  static std::string_view server_of(std::string_view job);

 private:
  std::map<std::string, int, std::less<>> jobs_;
};

}  // namespace maui
