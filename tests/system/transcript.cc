#include "transcript.h"

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

#include "line_shape.h"

namespace maui::shapes {
namespace {

Error at(const std::string& name, int number, const std::string& what) {
  return Error{name + ":" + std::to_string(number) + ": " + what};
}

/// "*|text": how often, a text or (with ~) a regular expression.
bool parse_line(const std::string& text, Line& into) {
  if (text.size() < 2) return false;
  switch (text[0]) {
    case ' ':
      into.count = Line::Count::once;
      break;
    case '*':
      into.count = Line::Count::some;
      break;
    case '?':
      into.count = Line::Count::any;
      break;
    default:
      return false;
  }
  if (text[1] != '|' && text[1] != '~') return false;
  into.pattern = text[1] == '~';
  into.text = text.substr(2);
  return true;
}

bool fits(const Line& line, const std::string& printed) {
  if (line.pattern) return std::regex_match(printed, std::regex(line.text));
  return same_shape(line.text, printed);
}

class Comparison {
 public:
  Comparison(const Answer& expected, const std::vector<std::string>& printed)
      : expected_(expected.lines), printed_(printed) {}

  std::string run() {
    for (std::size_t i = 0; i < expected_.size();) {
      if (expected_[i].count == Line::Count::once)
        one(expected_[i++]);
      else
        i = rows(i);
      if (!wrong_.empty()) return wrong_;
    }
    if (at_ < printed_.size()) wrong_ = "unexpected at the end: '" + printed_[at_] + "'";
    return wrong_;
  }

 private:
  void one(const Line& line) {
    if (at_ < printed_.size() && fits(line, printed_[at_])) {
      ++at_;
      return;
    }
    wrong_ = "line " + std::to_string(line.number) + ": expected\n    '" + line.text +
             "'\n  got\n    '" + (at_ < printed_.size() ? printed_[at_] : "nothing more") + "'";
  }

  /// A block of kinds of rows, in any order; returns the line after the block.
  std::size_t rows(std::size_t first) {
    std::size_t last = first;
    while (last < expected_.size() && expected_[last].count != Line::Count::once) ++last;
    std::set<std::size_t> seen;
    for (bool more = true; more && at_ < printed_.size();) {
      more = false;
      for (std::size_t i = first; i < last; ++i)
        if (fits(expected_[i], printed_[at_])) {
          seen.insert(i);
          more = true;
        }
      if (more) ++at_;
    }
    for (std::size_t i = first; i < last && wrong_.empty(); ++i)
      if (expected_[i].count == Line::Count::some && seen.count(i) == 0)
        wrong_ = "line " + std::to_string(expected_[i].number) + ": no row like\n    '" +
                 expected_[i].text + "'\n  before\n    '" +
                 (at_ < printed_.size() ? printed_[at_] : "the end") + "'";
    return last;
  }

  const std::vector<Line>& expected_;
  const std::vector<std::string>& printed_;
  std::size_t at_ = 0;
  std::string wrong_;
};

/// The name that a row begins with, without the mark that may follow it.
std::string first_name(const std::string& row) {
  std::istringstream words(row);
  std::string name;
  words >> name;
  while (!name.empty() && std::string("*+-").find(name.back()) != std::string::npos)
    name.pop_back();
  return name;
}

/// Names that are printed at all must come in this order, each where it is printed first.
std::string out_of_order(const std::vector<std::string>& order,
                         const std::vector<std::string>& printed) {
  std::vector<std::string> found;
  for (const std::string& row : printed) {
    const auto name = first_name(row);
    const bool listed = std::find(order.begin(), order.end(), name) != order.end();
    if (listed && std::find(found.begin(), found.end(), name) == found.end()) found.push_back(name);
  }
  std::string expected, got;
  for (const std::string& name : order)
    if (std::find(found.begin(), found.end(), name) != found.end()) expected += " " + name;
  for (const std::string& name : found) got += " " + name;
  return expected == got ? "" : "rows out of order: expected" + expected + "\n  got" + got;
}

}  // namespace

Result<std::vector<Answer>> parse_transcript(const std::string& text, const std::string& name) {
  std::vector<Answer> answers;
  std::istringstream lines(text);
  std::string line;
  bool reason = false;  // a comment stands above
  for (int number = 1; std::getline(lines, line); ++number) {
    if (line.starts_with("$ ")) {
      answers.push_back({line.substr(2), {}});
      reason = false;
      continue;
    }
    if (line.starts_with("= ") && !answers.empty()) {
      std::istringstream names(line.substr(2));
      for (std::string row; names >> row;) answers.back().order.push_back(row);
      continue;
    }
    if (line.empty() || line.starts_with("% ")) continue;
    if (line.starts_with("#")) {
      reason = true;
      continue;
    }
    const bool theirs = line[0] == '-', ours = line[0] == '+';
    if ((theirs || ours) && !reason) return at(name, number, "a deviation without its reason");
    if (!theirs && !ours) reason = false;
    Line made;
    made.number = number;
    if (answers.empty() || !parse_line(theirs || ours ? line.substr(1) : line, made))
      return at(name, number, "expected '$ COMMAND', '% COMMAND', '# REASON' or a line");
    if (!theirs) answers.back().lines.push_back(made);
  }
  return answers;
}

std::string compare(const Answer& expected, const std::vector<std::string>& printed) {
  const auto difference = Comparison(expected, printed).run();
  return difference.empty() ? out_of_order(expected.order, printed) : difference;
}

}  // namespace maui::shapes
