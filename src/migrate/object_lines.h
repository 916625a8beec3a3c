// Collects the lines of accounts, users and QOS, and the settings of them that are lost.
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
  /// Appends to the line of an object; lines are printed in the order of first mention.
  void say(std::string_view kind, const std::string& name, std::string_view what,
           const Origin& origin);
  void say_qos(const SlurmQos& qos, std::string_view what);
  /// Records a loss.  Losses of one kind and reason are printed together, at most ten of them.
  void lose(const std::string& what, std::string_view why, const Origin& origin);

  bool empty() const { return lines_.empty(); }
  void print_lines(Writer& writer) const;
  void print_losses(Writer& writer) const;

 private:
  std::string* line_of(std::string_view kind, const std::string& name, const Origin& origin);

  std::vector<std::pair<std::string, std::string>> lines_;
  std::map<std::string, std::size_t> at_;          // indices into lines_
  std::map<std::string, std::vector<Loss>> lost_;  // by kind and reason
  bool has_default_ = false;
};

}  // namespace maui::migrate
