// The lines of accounts, users and QOS as they are put together, and what of these is lost.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "migrate/slurm_accounts.h"
#include "migrate/writer.h"

namespace maui::migrate {

class ObjectLines {
 public:
  /// Adds to the line of an object; they stand in the order in which they were first spoken of.
  void say(std::string_view kind, const std::string& name, std::string_view what,
           const Origin& origin);
  void say_qos(const SlurmQos& qos, std::string_view what);
  /// One for each reason, of users and of accounts: a site has as many as it has, and one habit.
  void lose(const std::string& what, std::string_view why, const Origin& origin);

  bool empty() const { return lines_.empty(); }
  void print_lines(Writer& writer) const;
  void print_losses(Writer& writer) const;

 private:
  std::string* line_of(std::string_view kind, const std::string& name, const Origin& origin);

  std::vector<std::pair<std::string, std::string>> lines_;
  std::map<std::string, std::size_t> at_;          // in lines_
  std::map<std::string, std::vector<Loss>> lost_;  // those of one kind
  bool has_default_ = false;
};

}  // namespace maui::migrate
