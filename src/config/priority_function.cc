// Parses the expression of NODECFG PRIORITYF by recursive descent.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "config/names.h"
#include "maui/node_priority.h"

namespace maui {
namespace {

using Operation = PriorityFunction::Operation;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<PriorityFunction> whole() {
    sum();
    if (wrong_.empty() && at() != '\0') fail("an operator");
    if (wrong_.empty() && function_.steps.size() > kMostSteps) wrong_ = "it is too long";
    if (!wrong_.empty()) return Error{fmt::format("priority function '{}': {}", text_, wrong_)};
    return std::move(function_);
  }

 private:
  static constexpr std::size_t kMostSteps = 200;
  static constexpr int kDeepest = 50;

  char at() {
    while (next_ < text_.size() && (text_[next_] == ' ' || text_[next_] == '\t')) ++next_;
    return next_ < text_.size() ? text_[next_] : '\0';
  }
  bool take(char wanted) {
    if (at() != wanted || wanted == '\0') return false;
    ++next_;
    return true;
  }
  void fail(std::string_view expected) {
    if (wrong_.empty()) wrong_ = fmt::format("expected {} at position {}", expected, next_ + 1);
  }
  void add(PriorityFunction::Step step) { function_.steps.push_back(std::move(step)); }
  void join(Operation how) { add({how, 0, {}, {}}); }

  void sum() {
    product();
    while (wrong_.empty())
      if (take('+'))
        product(), join(Operation::add);
      else if (take('-'))
        product(), join(Operation::subtract);
      else
        return;
  }
  void product() {
    factor();
    while (wrong_.empty())
      if (take('*'))
        factor(), join(Operation::multiply);
      else if (take('/'))
        factor(), join(Operation::divide);
      else
        return;
  }
  void factor() {
    if (++depth_ > kDeepest) return fail("fewer parentheses and signs");
    if (take('-')) {
      add({});
      factor();
      join(Operation::subtract);
    } else if (take('+')) {
      factor();
    } else if (take('(')) {
      sum();
      if (wrong_.empty() && !take(')')) fail("a ')'");
    } else if ((at() >= '0' && at() <= '9') || at() == '.') {
      number();
    } else {
      term();
    }
    --depth_;
  }
  std::string_view run_of(std::string_view characters) {
    const auto first = next_;
    while (next_ < text_.size() && characters.find(text_[next_]) != std::string_view::npos) ++next_;
    return text_.substr(first, next_ - first);
  }
  void number() {
    const auto value = parse_number(run_of("0123456789."));
    if (!value || !std::isfinite(*value)) return fail("a number");
    add({Operation::number, *value, {}, {}});
  }
  void term() {
    const auto first = next_;
    const auto name = run_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
    if (same_word(name, "FEATURE") && take('[')) {
      const auto end = text_.find(']', next_);
      if (end == std::string_view::npos || end == next_) return fail("a feature and a ']'");
      add({Operation::feature, 0, {}, std::string(text_.substr(next_, end - next_))});
      next_ = end + 1;
    } else if (const auto known =
                   value_of(std::span<const EnumName<NodeTerm>>(config::kNodeTerms), name)) {
      add({Operation::term, 0, *known, {}});
    } else {
      next_ = first;
      fail("a number, a '(' or one of " +
           config::words_of(std::span<const EnumName<NodeTerm>>(config::kNodeTerms)) +
           " FEATURE[name]");
    }
  }

  std::string_view text_;
  std::size_t next_ = 0;
  int depth_ = 0;
  std::string wrong_;
  PriorityFunction function_;
};

}  // namespace

Result<PriorityFunction> parse_priority_function(std::string_view text) {
  return Reader(text).whole();
}

}  // namespace maui
