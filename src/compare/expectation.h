// Expectations of a site about a configuration, such as "wait.p95[class=short] <= 1.05 * base".
//
// Both sides are sums of numbers, times (1:30:00), measures (compare/measures.h), optionally with a
// group in brackets for jobs of one size, limit or credential, and `base.MEASURE`, the measure of
// the first run.  `base` alone stands for the first measure in the expression, taken of the base.
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
  const Grouping* grouping = nullptr;  // none: all jobs
  std::string group;
  bool of_base = false;
};

class Expectation {
 public:
  /// Looks up the value of a measure; an error if there is no such group.
  using Lookup = std::function<Result<double>(const MeasureName&)>;
  struct Verdict {
    bool met = false;
    double left = 0, right = 0;
  };

  static Result<Expectation> parse(std::string_view text);

  const std::string& text() const { return text_; }
  /// Returns the first measure in the expression; both sides have its unit.
  const MeasureName& subject() const { return names_.front(); }
  Result<Verdict> judge(const Lookup& lookup) const;

 private:
  class Parser;
  enum class Operation : std::uint8_t { number, name, add, subtract, multiply, divide, negate };
  struct Step {  // in order of execution
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
