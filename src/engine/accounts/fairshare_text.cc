#include "engine/accounts/fairshare_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/date.h"
#include "base/percent.h"
#include "base/text.h"
#include "model/credentials.h"

namespace maui {
namespace {

struct Kind {
  CredentialKind kind;
  std::string_view word, other;
};
constexpr Kind kKinds[] = {{CredentialKind::user, "User", "user"},
                           {CredentialKind::group, "Group", "group"},
                           {CredentialKind::account, "Account", "acct"},
                           {CredentialKind::qos, "QOS", "qos"},
                           {CredentialKind::job_class, "Class", "class"}};
constexpr std::string_view kComplete = "Complete Until:";

// Returns the number that follows `label`.
std::optional<std::int64_t> number_after(std::string_view line, std::string_view label) {
  const auto at = line.find(label);
  if (at == std::string_view::npos) return std::nullopt;
  const auto rest = words(line.substr(at + label.size()));
  return rest.empty() ? std::nullopt : parse_integer<std::int64_t>(rest.front());
}

void read_heading(std::string_view line, FairshareFile& file) {
  if (const auto length = number_after(line, "(Duration:"); length && *length > 0)
    file.window.length = Seconds(*length);
  if (const auto until = number_after(line, kComplete)) file.complete_until = Time(*until);
}

// Returns false if the line cannot be parsed.
bool read_line(const std::vector<std::string_view>& parts, FairshareFile& file,
               ClusterNames& names) {
  const auto amount = parse_number(parts.back());
  if (!amount || parts.size() < 2 || *amount < 0) return false;
  if (same_word(parts.front(), "TOTAL") || same_word(parts.front(), "sched")) {
    file.window.total = *amount;
    return true;
  }
  if (parts.size() != 3) return false;
  for (const auto& row : kKinds) {
    if (!same_word(parts.front(), row.word) && !same_word(parts.front(), row.other)) continue;
    auto& used = file.window.used[row.kind];
    const auto number = intern(names, row.kind, percent_unescaped(parts[1]));
    if (number >= used.size()) used.resize(number + std::size_t{1});
    used[number] = *amount;
    return true;
  }
  return false;
}

}  // namespace

std::string fairshare_text(const Cluster& names, const FairshareWindow& window,
                           Time complete_until) {
  std::string text =
      fmt::format("# Fairshare Data File (Duration: {} Seconds) Starting: {}\n# {} {} ({})\n\n",
                  window.length.raw(), format_date(window.start), kComplete, complete_until.raw(),
                  format_date(complete_until));
  const auto line = [&](std::string_view kind, std::string_view name, double amount) {
    fmt::format_to(std::back_inserter(text), "{:<10} {:>15} {:>14.3f}\n", kind, name, amount);
  };
  for (const auto& row : kKinds) {
    const auto& all = names_of(names, row.kind);
    const auto& used = window.used[row.kind];
    for (std::size_t i = 0; i < used.size(); ++i)
      if (used[i] >= 0.0005) line(row.word, percent_escaped(all[i]), used[i]);
  }
  line("TOTAL", "", std::max(window.total, 0.0));
  return text;
}

FairshareFile read_fairshare_text(std::string_view text, Time start, Seconds length,
                                  ClusterNames& names) {
  FairshareFile file;
  file.window.start = start;
  file.window.length = length;
  int number = 0;
  for (const auto line : split(text, '\n')) {
    ++number;
    const auto parts = words(line);
    if (parts.empty()) continue;
    if (parts.front().starts_with('#'))
      read_heading(line, file);
    else if (!read_line(parts, file, names))
      file.problems.push_back(fmt::format(
          "line {}: expected User, Group, Account, QOS, Class and a name, or TOTAL, and an amount",
          number));
  }
  return file;
}

}  // namespace maui
