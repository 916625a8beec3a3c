// The server names that follow the numbers in job names such as "1234.server" (PBS).
#pragma once
#include <map>
#include <string>
#include <string_view>

namespace maui {

class ServerNames {
 public:
  /// Counts the server of a job that has arrived, or discounts that of a forgotten job.
  void add(std::string_view job);
  void remove(std::string_view job);
  /// All servers with their numbers of jobs.
  const std::map<std::string, int, std::less<>>& all() const { return jobs_; }

  /// Returns the server in a job's name; empty if it has none.
  static std::string_view server_of(std::string_view job);

 private:
  std::map<std::string, int, std::less<>> jobs_;
};

}  // namespace maui
