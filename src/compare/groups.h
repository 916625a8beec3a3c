// The jobs of a run in groups: by size and wallclock limit (the guide's grid), and by credential.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compare/measures.h"
#include "compare/outcome.h"
#include "maui/settings/display.h"

namespace maui::compare {

/// A way to group jobs: "user", "size".
struct Grouping {
  std::string_view name, title;
  std::optional<CredentialKind> kind;  // none: by size or limit
};
std::span<const Grouping> groupings();
const Grouping* find_grouping(std::string_view name);

/// Jobs that asked for at most so much, and more than the class before; "more" is behind the last.
class SizeClasses {
 public:
  /// The rows and columns of showgrid (PLOT parameters).
  explicit SizeClasses(const PlotSettings& plot);
  std::string size_of(const JobOutcome& job) const;
  std::string limit_of(const JobOutcome& job) const;
  /// In their order, the last one being "more".
  const std::vector<std::string>& sizes() const { return size_names_; }
  const std::vector<std::string>& limits() const { return limit_names_; }

 private:
  std::vector<std::int64_t> sizes_, limits_;
  std::vector<std::string> size_names_, limit_names_;
};

struct Group {
  std::string name;
  std::vector<const JobOutcome*> jobs;
};
/// Groups that have jobs: classes in their order, credentials by their processor hours, most first.
/// Jobs without such a credential are the group "-".
std::vector<Group> groups_of(const Outcome& outcome, const Grouping& grouping,
                             const SizeClasses& classes);

}  // namespace maui::compare
