// Expectations of a site about a configuration: "wait.p95[class=short] <= 1.05 * base".
//
// Both sides are sums of numbers, times (1:30:00), measures (compare/measures.h), with a group in
// brackets where jobs of one size, limit or credential are meant, and `base.MEASURE`, which is that
// of the first run.  `base` alone is the measure that the expression names first.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compare/groups.h"
#include "compare/measures.h"
#include "maui/result.h"

namespace maui::compare {

/// A measure as an expression names it.
struct MeasureName {
  const Measure* measure = nullptr;
  const Grouping* grouping = nullptr;  // none: of all jobs
  std::string group;
  bool of_base = false;
};

class Expectation {
 public:
  /// Finds the value of a measure; an error where there is no such group.
  using Lookup = std::function<Result<double>(const MeasureName&)>;
  struct Verdict {
    bool met = false;
    double left = 0, right = 0;
  };

  static Result<Expectation> parse(std::string_view text);

  const std::string& text() const { return text_; }
  /// Returns the measure that it names first; its unit is that of both sides.
  const MeasureName& subject() const { return names_.front(); }
  Result<Verdict> judge(const Lookup& lookup) const;

 private:
  friend class ExpectationParser;
  enum class Operation : std::uint8_t { number, name, add, subtract, multiply, divide, negate };
  struct Step {  // in the order in which they are done
    Operation what;
    double number = 0;
    std::size_t name = 0;
  };
  using Steps = std::vector<Step>;
  enum class Relation : std::uint8_t { less, at_most, more, at_least, equal, unequal };

  Result<double> value(const Steps& steps, const Lookup& lookup) const;

  std::string text_;
  std::vector<MeasureName> names_;
  Steps left_, right_;
  Relation relation_ = Relation::at_most;
};

}  // namespace maui::compare
