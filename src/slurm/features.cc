#include "slurm/features.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace maui::slurm {
namespace {

std::vector<std::string> names_between(std::string_view text, char separator) {
  std::vector<std::string> names;
  for (const auto part : split(text, separator))
    if (!trimmed(part).empty()) names.emplace_back(trimmed(part));
  return names;
}

// One pass over "a&(b|c)" for the features of one node.
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
    if (take('(')) {
      const bool found = either();
      well_formed_ = take(')') && well_formed_;
      return found;
    }
    const auto name = rest_.substr(0, rest_.find_first_of("&|()"));
    rest_.remove_prefix(name.size());
    well_formed_ = well_formed_ && !name.empty();
    return std::find(has_.begin(), has_.end(), name) != has_.end();
  }

  std::string_view rest_;
  const std::vector<std::string>& has_;
  bool well_formed_ = true;
};

}  // namespace

Result<FeatureWish> read_features(std::string_view text, const std::vector<Node>& nodes) {
  FeatureWish wish;
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), ',', '&');
  const Error refusal{fmt::format("the constraint '{}' is not understood", text)};
  if (plain.find('*') != std::string::npos) return refusal;
  if (plain.starts_with('[') && plain.ends_with(']')) {
    wish.same = names_between(std::string_view(plain).substr(1, plain.size() - 2), '|');
    const bool names_only = std::none_of(wish.same.begin(), wish.same.end(), [](const auto& name) {
      return name.find_first_of("&()[]") != std::string::npos;
    });
    if (!names_only) return refusal;
    return wish;
  }
  if (plain.find_first_of("|()[]") == std::string::npos) {
    wish.all = names_between(plain, '&');
    return wish;
  }
  wish.has_alternatives = true;
  for (const Node& node : nodes) {
    const auto features = names_between(node.features, ',');
    const auto fits = Evaluation(plain, features).value();
    if (!fits) return refusal;
    if (*fits) wish.alternatives.push_back(node.name);
  }
  return wish;
}

}  // namespace maui::slurm
