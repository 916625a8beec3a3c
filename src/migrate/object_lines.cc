#include "migrate/object_lines.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/text.h"

namespace maui::migrate {
namespace {

constexpr std::size_t kMostAlike = 10;  // losses of one kind that are listed

}  // namespace

std::string* ObjectLines::line_of(std::string_view kind, const std::string& name,
                                  const Origin& origin) {
  const auto key = fmt::format("{}[{}]", kind, name);
  const auto known = at_.find(key);
  if (known != at_.end()) return &lines_[known->second].second;
  constexpr std::string_view kOthers = "_-.@+";
  const bool plain = std::all_of(name.begin(), name.end(), [&](unsigned char c) {
    return (c < 128 && std::isalnum(c) != 0) || c >= 128 ||
           kOthers.find(static_cast<char>(c)) != kOthers.npos;
  });
  if (!plain || name.empty() || same_word(name, "DEFAULT") || same_word(name, "ALL")) {
    lose(fmt::format("the name '{}'", name), "maui.cfg does not allow this name", origin);
    return nullptr;
  }
  at_[key] = lines_.size();
  return &lines_.emplace_back(key, std::string()).second;
}

void ObjectLines::say(std::string_view kind, const std::string& name, std::string_view what,
                      const Origin& origin) {
  if (auto* at = line_of(kind, name, origin)) at->append(" ").append(what);
}

// Slurm gives jobs without a QOS the QOS normal, which maui reads as none: QDEF restores it.
void ObjectLines::say_qos(const SlurmQos& qos, std::string_view what) {
  say("QOSCFG", qos.said.name, what, qos.origin());
  if (qos.said.name == "normal" && at_.contains("QOSCFG[normal]") &&
      !std::exchange(has_default_, true))
    lines_.emplace_back("SYSCFG", "QDEF=normal");
}

void ObjectLines::lose(const std::string& what, std::string_view why, const Origin& origin) {
  const auto of = what.find(" of ");
  const auto whose = std::string_view(what).substr(of == what.npos ? what.size() : of);
  const auto about = whose.starts_with(" of QOS")
                         ? what
                         : fmt::format("{}{}", what.substr(0, what.find_first_of("=' ")),
                                       whose.substr(0, whose.find('\'')));
  auto& alike = lost_[fmt::format("{}\n{}", about, why)];
  // A limit on several resources may occur several times.
  const bool known = std::any_of(alike.begin(), alike.end(), [&](const Loss& loss) {
    return loss.what == what && loss.line == origin.line && loss.file == origin.file;
  });
  if (!known) alike.push_back({origin.line, what, std::string(why), origin.file});
}

void ObjectLines::print_lines(Writer& writer) const {
  for (const auto& [name, text] : lines_) writer.set(name, std::string(trimmed(text)));
}

void ObjectLines::print_losses(Writer& writer) const {
  for (const auto& [key, alike] : lost_) {
    const auto listed = std::min(alike.size(), kMostAlike);
    for (std::size_t i = 0; i < listed; ++i) {
      const auto more = alike.size() - listed;
      const bool rest = more > 0 && i + 1 == listed;
      writer.lose(
          alike[i].line,
          rest ? fmt::format("{}, and {} more like these", alike[i].what, more) : alike[i].what,
          alike[i].why, alike[i].file);
    }
  }
}

}  // namespace maui::migrate
