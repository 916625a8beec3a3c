// Groups the jobs of a run by size and wallclock limit (the guide's grid) and by credential.
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

/// Classes of jobs, each up to some size or limit; the class "more" follows the last of them.
class SizeClasses {
 public:
  /// Uses the rows and columns of showgrid (PLOT parameters).
  explicit SizeClasses(const PlotSettings& plot);
  std::string size_of(const JobOutcome& job) const;
  std::string limit_of(const JobOutcome& job) const;
  /// In ascending order; the last name is "more".
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
/// Returns the groups that have jobs: classes in ascending order, credentials by processor hours,
/// most first.  Jobs without such a credential form the group "-".
std::vector<Group> groups_of(const Outcome& outcome, const Grouping& grouping,
                             const SizeClasses& classes);

}  // namespace maui::compare
