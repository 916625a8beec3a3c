#include "migrate/slurm_accounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"

namespace maui::migrate {
namespace {

/// Headings of `sacctmgr -P` with the names that `sacctmgr dump` uses.
constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kHeadings = {{
    {"share", "fairshare"},
    {"defqos", "defaultqos"},
    {"parname", "parentname"},
    {"grpsubmit", "grpsubmitjobs"},
    {"maxsubmit", "maxsubmitjobs"},
    {"maxtres", "maxtresperjob"},
    {"maxwall", "maxwalldurationperjob"},
    {"maxtresmins", "maxtresminsperjob"},
    {"maxtrespu", "maxtresperuser"},
    {"maxjobspu", "maxjobsperuser"},
    {"maxsubmitpu", "maxsubmitjobsperuser"},
    {"maxtrespa", "maxtresperaccount"},
    {"maxjobspa", "maxjobsperaccount"},
    {"maxsubmitpa", "maxsubmitjobsperaccount"},
    {"mintres", "mintresperjob"},
    {"usagethres", "usagethreshold"},
    {"maxtresrunminspu", "maxtresrunminsperuser"},
    {"maxtresrunminspa", "maxtresrunminsperaccount"},
}};

std::string key_of(std::string_view heading) {
  auto name = lower(heading);
  std::erase(name, ' ');
  for (const auto& [short_name, whole] : kHeadings)
    if (name == short_name) return std::string(whole);
  return name;
}

/// A line of a dump: KIND - 'NAME':KEY=VALUE:KEY='VALUE'.
struct DumpLine {
  std::string kind, name;
  std::vector<std::string> fields;
};

std::optional<DumpLine> parse_dump_line(std::string_view line) {
  constexpr std::string_view kDash = " - ";
  const auto dash = line.find(kDash);
  if (dash == line.npos) return std::nullopt;
  DumpLine made{lower(trimmed(line.substr(0, dash))), {}, {}};
  constexpr std::string_view kKinds[] = {"cluster", "parent", "account", "user"};
  if (std::find(std::begin(kKinds), std::end(kKinds), made.kind) == std::end(kKinds))
    return std::nullopt;
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (const char c : line.substr(dash + kDash.size())) {
    if (c == '\'')
      quoted = !quoted;
    else if (c == ':' && !quoted)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  made.name = trimmed(parts.front());
  if (quoted || made.name.empty()) return std::nullopt;
  made.fields.assign(parts.begin() + 1, parts.end());
  return made;
}

class SacctmgrReader {
 public:
  SacctmgrReader(const NamedText& file, std::string_view cluster, SlurmAccounts& into)
      : file_(file), cluster_(cluster), into_(into) {}

  Status read() {
    for (const auto raw : split(file_.text, '\n')) {
      ++number_;
      auto line = raw;
      if (line.ends_with('\r')) line.remove_suffix(1);
      constexpr std::string_view kPrefix = "sacctmgr: ";  // in a dump shown without file=
      if (line.starts_with(kPrefix)) line.remove_prefix(kPrefix.size());
      if (trimmed(line).empty() || line.front() == '#') continue;
      if (const auto dumped = parse_dump_line(line); dumped && columns_.empty())
        take_dumped(*dumped);
      else if (columns_.empty() && !dump_)
        begin_table(line);
      else if (!columns_.empty())
        take_row(line);
      else
        lose(line, "not a line of a dump: expected a line such as Account - 'NAME':KEY=VALUE");
      if (columns_.empty() && !dump_)
        return Error{
            fmt::format("'{}': line {}: not a line of sacctmgr: expected the output of `sacctmgr "
                        "dump`, `sacctmgr -P show assoc tree` or `sacctmgr -P show qos`",
                        file_.name, number_)};
    }
    if (accounts_below_others_ && !parents_known_) into_.tree = false;
    return Done{};
  }

 private:
  void lose(std::string_view what, std::string why) {
    into_.unread.push_back({number_, std::string(what), std::move(why), file_.name});
  }

  bool is_other(std::string_view cluster) const {
    return !cluster_.empty() && !same_word(cluster, cluster_);
  }

  // --- dumps -------------------------------------------------------------------------------------

  void take_dumped(const DumpLine& line) {
    dump_ = true;
    if (line.kind == "cluster") {
      skipped_ = is_other(line.name);
      parent_ = "root";
      if (skipped_)
        lose(fmt::format("Cluster - '{}'", line.name),
             fmt::format("slurm.conf is that of cluster '{}'", cluster_));
    }
    if (skipped_) return;
    if (line.kind == "parent") {
      parent_ = line.name;
      return;
    }
    SlurmAssociation made;
    made.file = file_.name;
    made.said.line = number_;
    for (const auto& field : line.fields) {
      const auto equals = field.find('=');
      if (equals == field.npos)
        lose(field, "expected KEY=VALUE");
      else
        made.said.values[key_of(field.substr(0, equals))] = field.substr(equals + 1);
    }
    if (line.kind == "cluster") {
      made.account = "root";
    } else if (line.kind == "account") {
      made.account = line.name;
      made.parent = parent_;
    } else {
      made.account = parent_;
      made.user = line.name;
      made.partition = made.said.value("partition");
    }
    into_.associations.push_back(std::move(made));
  }

  // --- tables ------------------------------------------------------------------------------------

  void begin_table(std::string_view line) {
    if (line.find('|') == line.npos) return;
    for (const auto heading : split(line, '|')) columns_.push_back(key_of(trimmed(heading)));
    const auto has = [&](std::string_view name) {
      return std::find(columns_.begin(), columns_.end(), name) != columns_.end();
    };
    associations_ = has("account");
    parents_known_ = has("parentname");
    if (!associations_ && !has("name")) columns_.clear();
  }

  void take_row(std::string_view line) {
    const auto cells = split(line, '|');
    if (cells.size() != columns_.size()) {
      lose(line, fmt::format("expected {} columns, as in the heading, but found {}",
                             columns_.size(), cells.size()));
      return;
    }
    SlurmRecord said;
    said.line = number_;
    std::size_t depth = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (columns_[i].empty()) continue;
      if (columns_[i] == "account") depth = std::min(cells[i].find_first_not_of(' '), kDeepest);
      said.values[columns_[i]] = trimmed(cells[i]);
    }
    if (!associations_) {
      said.name = said.value("name");
      into_.qos.push_back({std::move(said), file_.name});
      return;
    }
    if (const auto cluster = said.value("cluster"); !cluster.empty() && is_other(cluster)) {
      if (!std::exchange(others_, true))
        lose(fmt::format("associations of cluster '{}'", cluster),
             fmt::format("slurm.conf is that of cluster '{}'", cluster_));
      return;
    }
    SlurmAssociation made;
    made.account = said.value("account");
    made.user = said.value("user");
    made.partition = said.value("partition");
    made.file = file_.name;
    made.said = std::move(said);
    if (made.user.empty()) made.parent = parent_of(made, depth);
    into_.associations.push_back(std::move(made));
  }

  /// Returns the parent from its column, or from the indentation of the account in a `tree`.
  std::string parent_of(const SlurmAssociation& association, std::size_t depth) {
    if (const auto parent = association.said.value("parentname"); !parent.empty()) return parent;
    if (association.account == "root") {
      above_.assign(1, {depth, association.account});
      return {};
    }
    if (depth > 0) parents_known_ = true;
    accounts_below_others_ = true;
    while (!above_.empty() && above_.back().first >= depth) above_.pop_back();
    auto parent = above_.empty() ? "root" : above_.back().second;
    above_.emplace_back(depth, association.account);
    return parent;
  }

  static constexpr std::size_t kDeepest = 100000;

  const NamedText& file_;
  std::string_view cluster_;
  SlurmAccounts& into_;
  int number_ = 0;
  bool dump_ = false, skipped_ = false, associations_ = false, others_ = false;
  bool parents_known_ = false, accounts_below_others_ = false;
  std::string parent_ = "root";
  std::vector<std::string> columns_;
  std::vector<std::pair<std::size_t, std::string>> above_;  // by indentation
};

}  // namespace

Status read_slurm_accounts(const NamedText& file, std::string_view cluster, SlurmAccounts& into) {
  return SacctmgrReader(file, cluster, into).read();
}

}  // namespace maui::migrate
