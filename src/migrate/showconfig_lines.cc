#include "migrate/showconfig_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/text.h"
#include "config/parameters.h"
#include "config/parser.h"

namespace maui::migrate {
namespace {

struct ShownName {
  std::string parameter, index;  // in capitals; as printed
};

ShownName shown_name(const config::Line& line) {
  const auto bracket = line.name.find('[');
  if (bracket == line.name.npos) return {upper(line.name), {}};
  auto index = line.name.substr(bracket + 1);
  if (index.ends_with(']')) index.pop_back();
  return {upper(line.name.substr(0, bracket)), std::move(index)};
}

/// True for what showconfig prints of a value that is not set.
bool says_nothing(std::string_view word) {
  return word.empty() || word == "[NONE]" || word.find_first_not_of("0:.") == word.npos;
}
bool says_nothing(const config::Words& value) {
  return std::all_of(value.begin(), value.end(),
                     [](const std::string& word) { return says_nothing(word); });
}

/// Returns "PROCS=4" of "PROCS=4;MEM=0"; of a whole node, which is the default, nothing.
std::string resources_above_zero(std::string_view text) {
  std::string kept;
  for (const auto part : split(text, ';')) {
    const auto equals = part.find('=');
    if (equals == part.npos || says_nothing(part.substr(equals + 1)) || part == "PROCS=-1")
      continue;
    kept += fmt::format("{}{}", kept.empty() ? "" : ";", part);
  }
  return kept;
}

class Shown {
 public:
  std::vector<NumberedLine> translate(std::string_view text) {
    for (const auto& line : config::parse_lines(text))
      if (shown_name(line).parameter == "SERVERHOMEDIR" && !line.words.empty())
        home_ = line.words.front();
    if (!home_.empty() && !home_.ends_with('/')) home_ += '/';
    int number = 0;
    for (const auto raw : split(text, '\n')) {
      ++number;
      const std::string line(trimmed(raw));
      const auto parsed = config::parse_lines(line);
      if (parsed.empty() || !parsed.front().error.empty())
        lines_.push_back({number, line});
      else
        take(number, line, parsed.front());
    }
    flush();
    return std::move(lines_);
  }

 private:
  void take(int number, const std::string& text, const config::Line& line) {
    const auto name = shown_name(line);
    if (name.parameter == "SRCFG") return standing(number, name.index, line.words);
    if (name.parameter.starts_with("SR")) return standing_attribute(number, text, name, line.words);
    flush();
    if (name.parameter == "RESDEPTH" && !name.index.empty())
      return depth(number, text, name.index, line.words);
    if (is_needless(name, line)) return drop(number, text);
    if (is_of_numbered_qos(name))
      return lines_.push_back(
          {number, text, "showconfig prints each QOS by a number: set it in QOSCFG of its name"});
    lines_.push_back({number, below_home(name, text)});
  }

  /// Release 3.3 printed the depths of its stacks one after the other, each as RESDEPTH[0].
  void depth(int number, const std::string& text, const std::string& index,
             const config::Words& value) {
    const int place = stacks_++;
    if (place > 0 && says_nothing(value)) return drop(number, text);
    const auto stack = index == "0" ? std::to_string(place) : index;
    lines_.push_back({number, fmt::format("RESERVATIONDEPTH[{}]  {}", stack, join(value, " "))});
  }

  static bool is_of_numbered_qos(const ShownName& name) {
    return name.parameter.starts_with("QOS") && name.parameter != "QOSCFG" && !name.index.empty() &&
           name.index != "0";
  }

  /// Returns the line with a path that does not name the old home directory.
  std::string below_home(const ShownName& name, const std::string& text) const {
    constexpr std::string_view kPaths[] = {"LOGDIR", "LOGFILE", "STATDIR", "CHECKPOINTFILE"};
    const auto at = home_.empty() ? text.npos : text.find(home_);
    if (at == text.npos || at + home_.size() == text.size() ||
        std::find(std::begin(kPaths), std::end(kPaths), name.parameter) == std::end(kPaths))
      return text;
    return text.substr(0, at) + text.substr(at + home_.size());
  }

  bool is_needless(const ShownName& name, const config::Line& line) {
    constexpr std::string_view kAlwaysShown[] = {"LOCKFILE", "SCHEDCFG", "SERVERCONFIGFILE"};
    const auto* parameter = config::find_parameter(name.parameter);
    if (parameter == nullptr) return false;
    if (std::find(std::begin(kAlwaysShown), std::end(kAlwaysShown), name.parameter) !=
        std::end(kAlwaysShown))
      return true;
    // Objects of release 3.3 itself: RMCFG[[DEFAULT]], CLASSCFG[[ALL]].
    if (name.index.starts_with('[')) return true;
    if (name.parameter == "CLASSCFG")
      return std::all_of(line.words.begin(), line.words.end(),
                         [](const std::string& word) { return word == "DEFAULT.FEATURES=[NONE]"; });
    if (name.parameter.starts_with("QOS") && !name.index.empty()) return says_nothing(line.words);
    // The policies of partition DEFAULT repeat those of the whole system.
    if (parameter->index == config::Index::none && !name.index.empty() && name.index != "0")
      return true;
    return parameter->attributes == nullptr &&
           !known_.insert(fmt::format("{}[{}]", parameter->name, name.index)).second;
  }

  void standing_attribute(int number, const std::string& text, const ShownName& name,
                          const config::Words& value) {
    if (name.index != index_) flush();
    index_ = name.index;
    pending_.push_back({number, text});
    const auto attribute = name.parameter.substr(2);
    auto said = attribute == "HOSTLIST" ? join(value, ",") : join(value, " ");
    if (attribute == "RESOURCES") said = resources_above_zero(said);
    if (says_nothing(said) || said == "ALL") return;
    attributes_.emplace_back(attribute, said);
  }

  /// Writes SRCFG of the standing reservation whose single attributes were printed before.
  void standing(int number, const std::string& name, const config::Words& words) {
    std::vector<std::string> pairs;
    for (const auto& word : words)
      if (word.find('=') == word.npos && !pairs.empty())
        pairs.back() += "," + word;  // HOSTLIST=a b
      else
        pairs.push_back(word);
    for (const auto& [attribute, value] : attributes_) {
      const auto head = attribute + "=";
      if (std::none_of(pairs.begin(), pairs.end(),
                       [&](const std::string& pair) { return upper(pair).starts_with(head); }))
        pairs.push_back(head + value);
    }
    for (const auto& said : std::exchange(pending_, {})) drop(said.number, said.text);
    attributes_.clear();
    lines_.push_back({number, fmt::format("SRCFG[{}]  {}", name, join(pairs, " "))});
  }

  /// Keeps the attributes of a standing reservation without an SRCFG, if they say anything.
  void flush() {
    const bool nothing = std::none_of(attributes_.begin(), attributes_.end(),
                                      [](const auto& pair) { return pair.first != "DEPTH"; });
    for (auto& said : std::exchange(pending_, {}))
      nothing ? drop(said.number, said.text) : lines_.push_back(std::move(said));
    attributes_.clear();
  }

  void drop(int number, const std::string& text) { lines_.push_back({number, "#-- " + text}); }

  std::vector<NumberedLine> lines_;
  std::set<std::string> known_;
  std::string home_;   // SERVERHOMEDIR and a slash
  int stacks_ = 0;     // of reservations, so far
  std::string index_;  // of the standing reservation whose attributes are printed
  std::vector<NumberedLine> pending_;
  std::vector<std::pair<std::string, std::string>> attributes_;
};

}  // namespace

std::vector<NumberedLine> lines_of_showconfig(std::string_view text) {
  return Shown().translate(text);
}

}  // namespace maui::migrate
