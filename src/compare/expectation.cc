#include "compare/expectation.h"

#include <fmt/format.h>

#include <cctype>
#include <optional>
#include <utility>

#include "base/duration.h"
#include "base/text.h"

namespace maui::compare {
namespace {

constexpr int kDeepest = 32;  // nesting of parentheses
constexpr double kNearly = 1e-9;

bool nearly_equal(double a, double b) {
  return std::abs(a - b) <= kNearly * std::max({1.0, std::abs(a), std::abs(b)});
}

}  // namespace

/// Parses the text from left to right; keeps the first error.
class Expectation::Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) { made_.text_ = trimmed(text); }

  Result<Expectation> parse() {
    sum(made_.left_, 0);
    relation();
    sum(made_.right_, 0);
    if (!blank_free().empty()) fail("the end");
    if (made_.names_.empty()) fail("a measure such as wait.mean");
    if (problem_.empty()) settle_bases();
    if (!problem_.empty()) return Error{fmt::format("'{}': {}", made_.text_, problem_)};
    return std::move(made_);
  }

 private:
  std::string_view blank_free() { return rest_ = trimmed(rest_); }
  bool take(std::string_view word) {
    if (!problem_.empty() || !blank_free().starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void fail(std::string_view expected) {
    if (problem_.empty())
      problem_ = rest_.empty() ? fmt::format("expected {} at its end", expected)
                               : fmt::format("expected {} at '{}'", expected, rest_.substr(0, 40));
  }
  void relation() {
    static constexpr std::pair<std::string_view, Relation> kRelations[] = {
        {"<=", Relation::at_most}, {">=", Relation::at_least}, {"==", Relation::equal},
        {"!=", Relation::unequal}, {"<", Relation::less},      {">", Relation::more},
    };
    for (const auto& [word, what] : kRelations)
      if (take(word)) {
        made_.relation_ = what;
        return;
      }
    fail("one of <= < >= > == !=");
  }
  void sum(Steps& steps, int depth) {
    product(steps, depth);
    for (;;) {
      if (take("+"))
        product(steps, depth), steps.push_back({Operation::add});
      else if (take("-"))
        product(steps, depth), steps.push_back({Operation::subtract});
      else
        return;
    }
  }
  void product(Steps& steps, int depth) {
    factor(steps, depth);
    for (;;) {
      if (take("*"))
        factor(steps, depth), steps.push_back({Operation::multiply});
      else if (take("/"))
        factor(steps, depth), steps.push_back({Operation::divide});
      else
        return;
    }
  }
  void factor(Steps& steps, int depth) {
    if (depth > kDeepest) return fail("fewer parentheses");
    if (take("(")) {
      sum(steps, depth + 1);
      if (!take(")")) fail("')'");
    } else if (take("-")) {
      factor(steps, depth + 1);
      steps.push_back({Operation::negate});
    } else if (!blank_free().empty() && std::isdigit(static_cast<unsigned char>(rest_[0])) != 0) {
      number(steps);
    } else {
      name(steps);
    }
  }
  std::string_view word(std::string_view more) {
    std::size_t size = 0;
    while (size < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[size])) != 0 ||
                                   more.find(rest_[size]) != more.npos))
      ++size;
    const auto found = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return found;
  }
  void number(Steps& steps) {
    const auto before = rest_;
    const auto text = word(".:");
    if (text.find(':') != text.npos) {
      if (const auto time = parse_duration(text))
        return steps.push_back({Operation::number, static_cast<double>(time->raw())});
    } else if (const auto value = parse_number(text)) {
      return steps.push_back({Operation::number, *value});
    }
    rest_ = before;
    fail("a number or a time");
  }
  void name(Steps& steps) {
    const auto before = rest_;
    auto text = word(".");
    MeasureName named;
    named.of_base = text == "base" || text.starts_with("base.");
    if (named.of_base) text.remove_prefix(text == "base" ? 4 : 5);
    named.measure = find_measure(text);
    if (named.measure == nullptr && !(named.of_base && text.empty())) {
      rest_ = before;
      return fail("a number, a time, a measure such as wait.mean, or base");
    }
    if (named.measure != nullptr && rest_.starts_with("[")) group(named);
    steps.push_back({Operation::name, 0, made_.names_.size()});
    made_.names_.push_back(std::move(named));
  }
  void group(MeasureName& named) {
    const auto before = rest_;
    const auto close = rest_.find(']');
    const auto inside = rest_.substr(1, close == rest_.npos ? close : close - 1);
    const auto equals = inside.find('=');
    if (equals != inside.npos) named.grouping = find_grouping(trimmed(inside.substr(0, equals)));
    if (close == rest_.npos || named.grouping == nullptr || !named.measure->of_jobs) {
      rest_ = before;
      return fail(named.measure->of_jobs
                      ? "[KIND=NAME], KIND being size, limit, user, group, account, class or qos"
                      : "no group: this measure is of the whole run");
    }
    named.group = trimmed(inside.substr(equals + 1));
    rest_.remove_prefix(close + 1);
  }
  /// Replaces `base` alone by the first measure in the expression, taken of the base.
  void settle_bases() {
    const MeasureName* first = nullptr;
    for (const auto& name : made_.names_)
      if (name.measure != nullptr && first == nullptr) first = &name;
    if (first == nullptr) return fail("a measure besides base");
    const MeasureName subject = *first;
    for (auto& name : made_.names_) {
      if (name.measure != nullptr) continue;
      name = subject;
      name.of_base = true;
    }
  }

  std::string_view rest_;
  std::string problem_;
  Expectation made_;
};

Result<Expectation> Expectation::parse(std::string_view text) { return Parser(text).parse(); }

Result<double> Expectation::value(const Steps& steps, const Lookup& lookup) const {
  std::vector<double> stack;
  const auto pop = [&stack] {
    const double value = stack.back();
    stack.pop_back();
    return value;
  };
  for (const Step& step : steps) {
    switch (step.what) {
      case Operation::number:
        stack.push_back(step.number);
        continue;
      case Operation::name: {
        const auto found = lookup(names_[step.name]);
        if (!found) return found.error();
        stack.push_back(*found);
        continue;
      }
      case Operation::negate:
        stack.back() = -stack.back();
        continue;
      case Operation::add:
      case Operation::subtract:
      case Operation::multiply:
      case Operation::divide:
        break;
    }
    const double right = pop(), left = pop();
    if (step.what == Operation::divide && right == 0)
      return Error{fmt::format("'{}' divides by zero", text_)};
    stack.push_back(step.what == Operation::add        ? left + right
                    : step.what == Operation::subtract ? left - right
                    : step.what == Operation::multiply ? left * right
                                                       : left / right);
  }
  return stack.back();
}

Result<Expectation::Verdict> Expectation::judge(const Lookup& lookup) const {
  const auto left = value(left_, lookup), right = value(right_, lookup);
  if (!left) return left.error();
  if (!right) return right.error();
  Verdict verdict{false, *left, *right};
  const bool equal = nearly_equal(*left, *right);
  switch (relation_) {
    case Relation::less:
      verdict.met = *left < *right && !equal;
      break;
    case Relation::at_most:
      verdict.met = *left < *right || equal;
      break;
    case Relation::more:
      verdict.met = *left > *right && !equal;
      break;
    case Relation::at_least:
      verdict.met = *left > *right || equal;
      break;
    case Relation::equal:
      verdict.met = equal;
      break;
    case Relation::unequal:
      verdict.met = !equal;
      break;
  }
  return verdict;
}

}  // namespace maui::compare
