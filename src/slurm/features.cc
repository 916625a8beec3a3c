#include "slurm/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/host_range.h"
#include "base/text.h"

namespace maui::slurm {
namespace {

constexpr std::string_view kMarks = "&|!()[]*";
// The limit for nested brackets and negations, far more than any real constraint has.
constexpr int kDeepestBracket = 100;

std::vector<std::string> features_of(const Node& node) {
  std::vector<std::string> names;
  for (const auto part : split(node.features, ','))
    if (!trimmed(part).empty()) names.emplace_back(trimmed(part));
  return names;
}

bool is_name(std::string_view text) {
  return !text.empty() && text.find_first_of(kMarks) == std::string_view::npos;
}

/// Returns the parts of `text` between marks that are outside brackets.
std::vector<std::string_view> parts_of(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '(' || text[at] == '[' ? 1 : 0;
    depth -= text[at] == ')' || text[at] == ']' ? 1 : 0;
    if (text[at] != mark || depth > 0) continue;
    parts.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

// Evaluates "a&(b|!c)" in one pass for the features of one node.
class Evaluation {
 public:
  Evaluation(std::string_view text, const std::vector<std::string>& has) : rest_(text), has_(has) {}

  std::optional<bool> value() {
    const bool found = either();
    return rest_.empty() && well_formed_ ? std::optional(found) : std::nullopt;
  }

 private:
  bool take(char mark) {
    if (rest_.empty() || rest_.front() != mark) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool either() {
    bool found = both();
    while (take('|')) found = both() || found;
    return found;
  }
  bool both() {
    bool found = single();
    while (take('&')) found = single() && found;
    return found;
  }
  bool single() {
    if (take('!')) return !within([this] { return single(); });
    if (take('(')) {
      const bool found = within([this] { return either(); });
      well_formed_ = take(')') && well_formed_;
      return found;
    }
    const auto name = rest_.substr(0, rest_.find_first_of(kMarks));
    rest_.remove_prefix(name.size());
    well_formed_ = well_formed_ && !name.empty();
    return std::find(has_.begin(), has_.end(), name) != has_.end();
  }

  template <class Part>
  bool within(Part part) {
    ++depth_;
    well_formed_ = well_formed_ && depth_ <= kDeepestBracket;
    const bool found = well_formed_ && part();
    --depth_;
    return found;
  }

  std::string_view rest_;
  const std::vector<std::string>& has_;
  int depth_ = 0;
  bool well_formed_ = true;
};

// "ib", or "(ib&fast)".
std::optional<std::vector<std::string>> read_together(std::string_view text) {
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  const auto names = parts_of(text, '&');
  if (!std::all_of(names.begin(), names.end(), is_name)) return std::nullopt;
  return std::vector<std::string>(names.begin(), names.end());
}

// "ib*2"
bool read_count(std::string_view text, FeatureWish& wish) {
  const auto star = text.find('*');
  if (star == std::string_view::npos) return false;
  auto names = read_together(text.substr(0, star));
  const auto count = parse_integer<int>(text.substr(star + 1));
  if (!names || !count || *count < 1) return false;
  wish.counted.emplace_back(*std::move(names), *count);
  return true;
}

// "rack1|rack2" or "ib*1&opa*1", the content of brackets.
bool read_bracket(std::string_view inner, FeatureWish& wish) {
  if (inner.find('*') != std::string_view::npos) {
    const auto parts = parts_of(inner, '&');
    return std::all_of(parts.begin(), parts.end(),
                       [&](std::string_view part) { return read_count(part, wish); });
  }
  const auto names = parts_of(inner, '|');
  wish.same.assign(names.begin(), names.end());
  return std::all_of(names.begin(), names.end(), is_name);
}

/// Reads one term of a conjunction; adds a term that must be checked for each node to `to_judge`.
bool read_term(std::string_view term, FeatureWish& wish, std::string& to_judge) {
  if (is_name(term)) {
    wish.all.emplace_back(term);
    return true;
  }
  const bool seen = !wish.same.empty() || !wish.counted.empty();  // one such term at most
  if (term.starts_with('[') && term.ends_with(']'))
    return !seen && read_bracket(term.substr(1, term.size() - 2), wish);
  if (term.find('*') != std::string_view::npos) return !seen && read_count(term, wish);
  to_judge += fmt::format("{}({})", to_judge.empty() ? "" : "&", term);
  return true;
}

/// Returns the nodes for which "a&(b|!c)" holds, as ranges; nullopt if the text is malformed.
std::optional<std::vector<std::string>> nodes_with(std::string_view text,
                                                   const std::vector<Node>& nodes) {
  // Many nodes have equal features, so that few evaluations are needed.
  std::unordered_map<std::string_view, std::optional<bool>> judged;
  std::vector<std::string> names;
  for (const Node& node : nodes) {
    const auto [at, is_new] = judged.try_emplace(node.features);
    if (is_new) {
      const auto features = features_of(node);
      at->second = Evaluation(text, features).value();
    }
    if (!at->second) return std::nullopt;
    if (*at->second) names.push_back(node.name);
  }
  return compress_hosts(names);
}

/// Returns "(ib&fast)|(opa)" from the counted features.
std::string any_counted(const FeatureWish& wish) {
  std::string text;
  for (const auto& [names, count] : wish.counted)
    text += fmt::format("{}({})", text.empty() ? "" : "|", fmt::join(names, "&"));
  return text;
}

}  // namespace

std::int64_t FeatureWish::counted_nodes() const {
  std::int64_t sum = 0;
  for (const auto& feature : counted) sum += feature.second;
  return sum;
}

Result<FeatureWish> read_features(std::string_view text, const std::vector<Node>& nodes) {
  FeatureWish wish;
  if (text.empty()) return wish;
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), ',', '&');
  const Error refusal{
      fmt::format("invalid constraint '{}': expected features joined with & and |", text)};
  std::string to_judge;
  if (parts_of(plain, '|').size() > 1) {
    to_judge = plain;
  } else {
    for (const auto term : parts_of(plain, '&'))
      if (!read_term(term, wish, to_judge)) return refusal;
  }
  if (!to_judge.empty()) {
    auto names = nodes_with(to_judge, nodes);
    if (!names) return refusal;
    wish.has_alternatives = true;
    wish.alternatives = *std::move(names);
  }
  if (wish.counted.size() > 1) {
    const auto of_counted = any_counted(wish);
    auto names = nodes_with(
        to_judge.empty() ? of_counted : fmt::format("({})&({})", to_judge, of_counted), nodes);
    if (!names) return refusal;
    wish.with_counted = *std::move(names);
  }
  return wish;
}

}  // namespace maui::slurm
