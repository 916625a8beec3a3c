#include "line_shape.h"

#include <algorithm>
#include <map>
#include <regex>

namespace maui::shapes {
namespace {

// A blank within a word, while the line is taken apart.
constexpr char kGlue = '\x01';
// Between columns there is more.
constexpr std::size_t kWidestGap = 3;

struct Rule {
  std::regex what;
  const char* kind;
};

/// In the order in which they are tried at each place of a word.
const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = [] {
    std::vector<Rule> made;
    const auto rule = [&](const char* what, const char* kind) {
      made.push_back({std::regex(what), kind});
    };
    rule(
        "(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\\x01[A-Z][a-z]{2}\\x01[\\x01 0-9][0-9]\\x01[0-9:]{8}"
        "(\\x01[0-9]{4})?",
        "{date}");
    rule("-?[0-9]+:([0-9]+:)*[0-9]{2}:[0-9]{2}", "{time}");
    rule("-?INFINIT[YE]", "{time}");
    // The vocabulary of the scenario.
    rule("j[0-9]{4}", "{name}");
    rule("node[0-9]{3}", "{name}");
    rule("proj[0-9]", "{name}");
    rule("(maint|chemres|SYSTEM|amyres|later|chem|eve|amy|nosuch)(\\.[0-9]+)+", "{name}");
    rule(
        "(amy|bob|carl|dora|eve|fred|chem|phys|astro|root|nobody|nogroup|nosuch|NOGROUP)"
        "(?![A-Za-z0-9])",
        "{name}");
    rule("(batch|long|inter|compute|ib|fat|old)(?![A-Za-z0-9])", "{name}");
    rule("(DEFAULT|DEF|DE|high|hig|hi|low|lo)(?![A-Za-z0-9])", "{name}");
    rule(
        "(Running|Idle|Busy|Down|Drained|Removed|BatchHold|UserHold|SystemHold|Deferred)"
        "(?![A-Za-z0-9])",
        "{state}");
    rule("(SOFT|HARD)(?![A-Za-z0-9])", "{level}");
    return made;
  }();
  return all;
}

bool letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// A number with its decimals: "{n}", "{n.2}".
std::string number_kind(const std::string& text) {
  const auto point = text.find('.');
  if (point == std::string::npos) return "{n}";
  return "{n." + std::to_string(text.size() - point - 1) + "}";
}

std::string kind_of(const std::string& word) {
  static const std::regex number("-?[0-9]+(\\.[0-9]+)?");
  std::string kind;
  auto at = word.cbegin();
  while (at != word.cend()) {
    std::smatch match;
    const bool inside = at != word.cbegin() && letter_or_digit(*(at - 1));
    const auto flags = std::regex_constants::match_continuous;
    const Rule* found = nullptr;
    if (!inside)
      for (const Rule& rule : rules())
        if (std::regex_search(at, word.cend(), match, rule.what, flags)) {
          found = &rule;
          break;
        }
    if (found != nullptr) {
      kind += found->kind;
      at = match[0].second;
    } else if (std::regex_search(at, word.cend(), match, number, flags)) {
      kind += number_kind(match.str());
      at = match[0].second;
    } else {
      if (*at != kGlue || !kind.ends_with(kGlue)) kind += *at;
      ++at;
    }
  }
  return kind;
}

/// A list has the shape of its first element: "[{name}:{n}][{name}:{n}]", "{name},{name}".
std::string without_repeats(std::string kind) {
  static const std::regex bracketed("(\\[[^\\[\\]]*\\])\\1+");
  static const std::regex listed("(\\{name\\})([,:]\\{name\\})+(,\\.\\.\\.)?");
  kind = std::regex_replace(kind, bracketed, "$1");
  return std::regex_replace(kind, listed, "$1");
}

/// The line with the blanks within dates and within brackets glued.
std::string glued(std::string_view line) {
  static const std::regex together(
      "(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2}"
      "( [0-9]{4}(?![0-9]))?|\\[[^\\[\\]]*\\]");
  std::string text(line);
  for (std::sregex_iterator at(text.begin(), text.end(), together), end; at != end; ++at)
    std::replace(text.begin() + at->position(), text.begin() + at->position() + at->length(), ' ',
                 kGlue);
  return text;
}

bool contradict(const Token& one, const Token& other) {
  const bool first = one.text.ends_with("INFINITE") && other.text.ends_with("INFINITY");
  const bool second = one.text.ends_with("INFINITY") && other.text.ends_with("INFINITE");
  return first || second;
}

/// Where two numbers meet that stand around one place: "12:16", " 6/12".
std::size_t middle(const Token& token) {
  const auto at = token.text.find_first_of(":/");
  return at == std::string::npos ? token.end : token.begin + at;
}

/// The tokens of a line.  One of a transcript is compared with every row of an answer, and taking
/// lines apart costs more than all else: each is taken apart once.
const std::vector<Token>& known_tokens(std::string_view line) {
  static std::map<std::string, std::vector<Token>, std::less<>> known;
  const auto at = known.find(line);
  if (at != known.end()) return at->second;
  return known.emplace(line, tokens(line)).first->second;
}

}  // namespace

std::vector<Token> tokens(std::string_view line) {
  const std::string text = glued(line);
  std::vector<Token> found;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(' ', at)) != std::string::npos) {
    const auto end = std::min(text.find(' ', at), text.size());
    const auto word = text.substr(at, end - at);
    found.push_back({word, without_repeats(kind_of(word)), at, end});
    at = end;
  }
  return found;
}

bool same_shape(std::string_view expected, std::string_view line) {
  const auto &wanted = known_tokens(expected), &got = known_tokens(line);
  if (wanted.size() != got.size()) return false;
  std::size_t wanted_end = 0, got_end = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Token &a = wanted[i], &b = got[i];
    if (a.kind != b.kind || contradict(a, b)) return false;
    const auto gap = a.begin - wanted_end;
    const bool flows = i > 0 && gap <= kWidestGap && gap == b.begin - got_end;
    if (a.begin != b.begin && a.end != b.end && middle(a) != middle(b) && !flows) return false;
    wanted_end = a.end, got_end = b.end;
  }
  return true;
}

}  // namespace maui::shapes
