#include "config/standing_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/access_word.h"
#include "base/host_range.h"
#include "base/job_flag_names.h"
#include "base/name_pattern.h"
#include "base/reservation_flag_names.h"
#include "base/text.h"
#include "config/apply.h"
#include "config/attributes.h"
#include "config/triggers.h"

namespace maui::config {
namespace {

using Standing = StandingReservationSettings;

template <class Get>
auto into(Get get) {
  return [get](Settings& settings, const std::string& index, const Words& value) {
    assign(get(settings.standing_reservations[index]), value);
  };
}

// --- access lists ---------------------------------------------------------------

std::string text_of(const AccessWord& word, std::string_view name) {
  constexpr std::array<std::string_view, 3> kAffinities{"", "=", "-"};
  return fmt::format("{}{}{}{}", word.negated ? "!" : "", name,
                     kAffinities[static_cast<std::size_t>(word.affinity)],
                     word.required ? "*" : "");
}

using NameCheck = std::function<Result<std::string>(std::string_view)>;

/// Accepts any number of entries, whose names `check` converts to canonical form.
ValueType access_words(std::string expected, const NameCheck& check,
                       std::string separators = " ,:|") {
  return {std::move(expected) + ", each as NAME, !NAME, NAME- or NAME=, and with a * if required",
          [check, separators = std::move(separators)](const Words& value) -> Result<Words> {
            const auto parts = list("", separators).canonical(value);
            if (!parts) return parts.error();
            Words out;
            for (const auto& part : *parts) {
              if (is_none(part) || trimmed(part).empty()) continue;
              const auto word = parse_access_word(trimmed(part));
              if (word.name.empty()) return Error{fmt::format("'{}' has no name", part)};
              auto name = check(word.name);
              if (!name) return name.error();
              out.push_back(text_of(word, *name));
            }
            return out;
          }};
}

/// Accepts names; quoted names may contain blanks: "domain users".
ValueType names(std::string_view whose) {
  return access_words(
      fmt::format("names of {}", whose),
      [](std::string_view name) { return Result<std::string>(std::string(name)); }, ",:|");
}

void replace(Settings& settings, const std::string& index, AccessKind kind,
             std::vector<AccessWord> words) {
  auto& access = settings.standing_reservations[index].access;
  std::erase_if(access, [kind](const AccessWord& word) { return word.kind == kind; });
  for (auto& word : words) {
    word.kind = kind;
    access.push_back(std::move(word));
  }
}

auto into_access(AccessKind kind) {
  return [kind](Settings& settings, const std::string& index, const Words& value) {
    std::vector<AccessWord> words;
    for (const auto& word : value) words.push_back(parse_access_word(word));
    replace(settings, index, kind, std::move(words));
  };
}

Result<std::string> job_attribute(std::string_view name) {
  std::string all;
  for (const auto& row : kJobFlagNames) {
    if (same_word(row.name, name)) return std::string(row.name);
    all += (all.empty() ? "" : ", ") + std::string(row.name);
  }
  return Error{fmt::format("unknown job attribute '{}' (known: {})", name, all)};
}

void set_job_attributes(Settings& settings, const std::string& index, const Words& value) {
  std::vector<AccessWord> words;
  for (const auto& text : value) {
    auto word = parse_access_word(text);
    for (const auto& row : kJobFlagNames)
      if (row.name == word.name) word.value = static_cast<std::int64_t>(row.value);
    words.push_back(std::move(word));
  }
  replace(settings, index, AccessKind::job_attribute, std::move(words));
}

// --- limits ---------------------------------------------------------------------

constexpr std::array<std::pair<std::string_view, Comparison>, 6> kComparisons{
    {{"<=", Comparison::at_most},
     {">=", Comparison::at_least},
     {"==", Comparison::equal},
     {"<", Comparison::less},
     {">", Comparison::more},
     {"=", Comparison::equal}}};

/// Parses a limit; a number without a sign is an upper bound.
AccessWord bound_of(std::string_view text) {
  AccessWord word;
  std::string_view rest = text;
  if (rest.ends_with('*')) {
    word.required = true;
    rest.remove_suffix(1);
  }
  for (const auto& [sign, compare] : kComparisons)
    if (rest.starts_with(sign)) {
      word.compare = compare;
      rest.remove_prefix(sign.size());
      break;
    }
  word.name = rest;
  word.value = parse_integer<int>(rest).value_or(-1);
  return word;
}

ValueType bound(std::string_view what) {
  return custom(
      fmt::format(
          "the most {}, or a number of them with <, <=, ==, >= or > before it, and a * if required",
          what),
      [](std::string_view text) -> Result<std::string> {
        const auto word = bound_of(text);
        if (word.value < 0) return Error{fmt::format("invalid limit '{}'", text)};
        return std::string(text);
      });
}

auto into_bound(AccessKind kind) {
  return [kind](Settings& settings, const std::string& index, const Words& value) {
    auto word = bound_of(value.at(0));
    word.name.clear();
    std::vector<AccessWord> words;
    if (word.value > 0) words.push_back(std::move(word));
    replace(settings, index, kind, std::move(words));
  };
}

/// Accepts a duration, followed by * if it is required.
ValueType time_limit() {
  return custom("[[[DD:]HH:]MM:]SS, followed by a * if required, or -1 for no access by time",
                [](std::string_view text) -> Result<std::string> {
                  const bool required = text.ends_with('*');
                  if (required) text.remove_suffix(1);
                  auto plain = duration(true).canonical({std::string(text)});
                  if (!plain) return plain.error();
                  return plain->front() + (required ? "*" : "");
                });
}

void set_time_limit(Settings& settings, const std::string& index, const Words& value) {
  std::string_view text = value.at(0);
  AccessWord word;
  if (text.ends_with('*')) {
    word.required = true;
    text.remove_suffix(1);
  }
  const auto limit = parse_duration(text);
  std::vector<AccessWord> words;
  if (limit && *limit >= Seconds(0)) {
    word.value = limit->raw();
    words.push_back(std::move(word));
  }
  replace(settings, index, AccessKind::time, std::move(words));
}

// --- other attributes -------------------------------------------------------------

/// Accepts a time of day or of week.  Only the first field may be as large as the period allows.
ValueType clock_time() {
  return custom("[[[DD:]HH:]MM:]SS", [](std::string_view text) -> Result<std::string> {
    auto time = duration().canonical({std::string(text)});
    if (!time) return time.error();
    const auto fields = split(text, ':');
    for (std::size_t i = 1; i < fields.size(); ++i) {
      const bool hours = fields.size() - i == 3;
      if (parse_integer<int>(fields[i]).value_or(0) >= (hours ? 24 : 60))
        return Error{fmt::format("invalid time '{}' ({} go up to {})", text,
                                 hours ? "hours behind days" : "minutes and seconds",
                                 hours ? 23 : 59)};
    }
    return time->front();
  });
}

constexpr EnumName<StandingPeriod> kPeriods[] = {{StandingPeriod::day, "DAY"},
                                                 {StandingPeriod::week, "WEEK"},
                                                 {StandingPeriod::infinity, "INFINITY"},
                                                 {StandingPeriod::infinity, "INFINITE"}};

void set_period(Settings& settings, const std::string& index, const Words& value) {
  const auto period = value_of(std::span<const EnumName<StandingPeriod>>(kPeriods), value.at(0));
  settings.standing_reservations[index].period = period.value_or(StandingPeriod::day);
}

void set_days(Settings& settings, const std::string& index, const Words& value) {
  constexpr std::array<std::string_view, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  unsigned days = 0;
  for (const auto& word : value) {
    if (same_word(word, "[ALL]")) days = 0x7f;
    for (std::size_t day = 0; day < kDays.size(); ++day)
      if (same_word(word, kDays[day])) days |= 1U << day;
  }
  settings.standing_reservations[index].days = static_cast<std::uint8_t>(days);
}

void set_flags(Settings& settings, const std::string& index, const Words& value) {
  auto& flags = settings.standing_reservations[index].flags;
  flags = 0;
  for (const auto& word : value)
    if (const auto flag =
            value_of(std::span<const EnumName<ReservationFlag>>(kReservationFlagNames), word))
      put(flags, *flag);
}

void set_resources(Settings& settings, const std::string& index, const Words& value) {
  constexpr std::array<std::string_view, kElementary> kNames{"PROCS", "MEM", "SWAP", "DISK"};
  std::array<Resources::Quantity, kElementary> amounts{};
  for (const auto part : split(value.at(0), ';')) {
    const auto equals = part.find('=');
    const auto name = std::find(kNames.begin(), kNames.end(), part.substr(0, equals));
    if (name == kNames.end()) continue;
    amounts[static_cast<std::size_t>(name - kNames.begin())] =
        parse_integer<Resources::Quantity>(part.substr(equals + 1)).value_or(0);
  }
  const Resources task(amounts[0], amounts[1], amounts[2], amounts[3]);
  settings.standing_reservations[index].per_task =
      task.procs() < 0 || task.zero() ? Resources(-1) : task;
}

/// Returns the list with commas for the bars that separate its items (seed 7.1.5.2.1).  Within
/// brackets, and after a backslash, a bar belongs to a regular expression.
std::string with_commas(std::string list) {
  int depth = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\\') {
      ++i;
    } else if (list[i] == '|' && depth == 0) {
      list[i] = ',';
    } else {
      depth += list[i] == '(' || list[i] == '[' ? 1 : 0;
      depth -= list[i] == ')' || list[i] == ']' ? 1 : 0;
    }
  }
  return list;
}

/// Accepts host names, names with ranges, and regular expressions, separated by commas, bars,
/// colons or blanks.
ValueType hosts() {
  auto type = text("host names, ranges of them or regular expressions");
  type.canonical = [inner = type.canonical](const Words& value) -> Result<Words> {
    auto all = inner(value);
    if (!all || all->empty()) return all;
    all->front() = with_commas(std::move(all->front()));
    for (const auto& item : split_hosts(all->front()))
      if (!expand_hosts(item))
        if (const auto pattern = NamePattern::of(item); !pattern) return pattern.error();
    return all;
  };
  return type;
}

void set_hosts(Settings& settings, const std::string& index, const Words& value) {
  auto& hosts = settings.standing_reservations[index].hosts;
  hosts = value.empty() ? "" : names_all_in_any_case(value.front()) ? "ALL" : value.front();
}

void set_partition(Settings& settings, const std::string& index, const Words& value) {
  auto& partition = settings.standing_reservations[index].partition;
  partition = value.empty() || names_all_in_any_case(value.front()) ? "" : value.front();
}

ValueType owner() {
  return or_none(custom("KIND:NAME, such as USER:amy", [](std::string_view text) {
    const auto colon = text.find(':');
    auto kind =
        choice("USER GROUP ACCOUNT QOS CLASS").canonical({std::string(text.substr(0, colon))});
    if (!kind) return Result<std::string>(kind.error());
    if (colon == std::string_view::npos || colon + 1 == text.size())
      return Result<std::string>(Error{fmt::format("'{}' names no {}", text, kind->front())});
    return Result<std::string>(kind->front() + std::string(text.substr(colon)));
  }));
}

std::vector<StandingRow> rows() {
  return {
      {"", "", "SRNAME", text("a name"), "[NONE]", "Name of the standing reservation.",
       into([](Standing & s) -> auto& { return s.name; })},
      {"ACCESS", "", "SRACCESS", choice("DEDICATED SHARED"), "DEDICATED",
       "SHARED: it may use resources that other reservations already hold.",
       [](Settings& settings, const std::string& index, const Words& value) {
         settings.standing_reservations[index].shared = value.at(0) == "SHARED";
       }},
      {"ACCOUNTLIST", "ACCCOUNTLIST", "SRACCOUNTLIST", names("accounts"), "[NONE]",
       "Accounts that have access.", into_access(AccessKind::account)},
      {"CHARGEACCOUNT", "", "SRCHARGEACCOUNT", text("an account"), "[NONE]",
       "Account that is charged for its idle resources.",
       into([](Standing & s) -> auto& { return s.charge_account; })},
      {"CLASSLIST", "", "SRCLASSLIST", names("classes"), "[NONE]", "Classes that have access.",
       into_access(AccessKind::job_class)},
      {"DAYS", "", "SRDAYS", weekdays(), "[ALL]",
       "Days of the week on which it is active, for a period of a day.", set_days},
      {"DEPTH", "", "SRDEPTH", integer(0, 1000), "2",
       "For how many periods it is created, including the current period.",
       into([](Standing & s) -> auto& { return s.depth; })},
      {"STARTTIME", "", "SRSTARTTIME", clock_time(), "00:00:00",
       "Time of the day, or of the week from Sunday on, at which it begins.",
       into([](Standing & s) -> auto& { return s.start; })},
      {"ENDTIME", "", "SRENDTIME", clock_time(), "24:00:00",
       "Time of the day, or of the week from Sunday on, at which it ends.",
       into([](Standing & s) -> auto& { return s.end; })},
      {"WSTARTTIME", "", "SRWSTARTTIME", clock_time(), "0:00:00:00",
       "Time of the week at which it begins, for a period of a week.",
       into([](Standing & s) -> auto& { return s.week_start; })},
      {"WENDTIME", "", "SRWENDTIME", clock_time(), "7:00:00:00",
       "Time of the week at which it ends, for a period of a week.",
       into([](Standing & s) -> auto& { return s.week_end; })},
      {"FLAGS", "FLAG", "SRFLAGS", reservation_flags(), "[NONE]", "Flags of the reservation.",
       set_flags},
      {"GROUPLIST", "", "SRGROUPLIST", names("groups"), "[ALL]",
       "Groups that have access. Without any access list, no job has access.",
       into_access(AccessKind::group)},
      {"HOSTLIST", "", "SRHOSTLIST", hosts(), "",
       "Hosts that it may use; ALL: all nodes. Tasks beyond them go to other nodes. Without hosts "
       "and without a task count, it reserves nothing.",
       set_hosts},
      {"JOBATTRLIST", "", "", access_words("job attributes", job_attribute), "",
       "Attributes of jobs that have access.", set_job_attributes},
      {"NODEFEATURES", "FEATURES", "SRFEATURES", list("node features", " ,:|"), "[NONE]",
       "Features that its nodes must have.",
       into([](Standing & s) -> auto& { return s.features; })},
      {"OWNER", "", "", owner(), "", "Credential that owns it.",
       into([](Standing & s) -> auto& { return s.owner; })},
      {"PARTITION", "", "SRPARTITION", text("a partition"), "[ALL]", "Partition that it is in.",
       set_partition},
      {"PERIOD", "", "SRPERIOD", choice(kPeriods), "DAY", "How often it recurs.", set_period},
      {"PRIORITY", "", "", integer(), "",
       "Its priority: standing reservations of higher priority take their nodes first.",
       into([](Standing & s) -> auto& { return s.priority; })},
      {"PROCLIMIT", "", "", bound("processors"), "", "Sizes of jobs that have access.",
       into_bound(AccessKind::procs)},
      {"QOSLIST", "", "SRQOSLIST", names("QOS"), "[NONE]", "QOS that have access.",
       into_access(AccessKind::qos)},
      {"RESOURCES", "", "SRRESOURCES", task_resources(), "PROCS=-1",
       "Resources of each of its tasks.", set_resources},
      {"TASKCOUNT", "", "SRTASKCOUNT", integer(0), "0",
       "How many tasks it reserves; 0: as many as fit on its hosts.",
       into([](Standing & s) -> auto& { return s.tasks; })},
      {"TASKLIMIT", "", "", bound("tasks"), "", "Task counts of jobs that have access.",
       into_bound(AccessKind::tasks)},
      {"TIMELIMIT", "MAXTIME", "SRMAXTIME", time_limit(), "-1",
       "Longest overlap of a job that has access by time; -1: jobs have no access by time.",
       set_time_limit},
      {"TIMELOGIC", "", "SRTIMELOGIC", choice("AND OR"), "OR",
       "How the time limit is combined with the access lists.",
       [](Settings& settings, const std::string& index, const Words& value) {
         settings.standing_reservations[index].time_and = value.at(0) == "AND";
       }},
      {"TPN", "", "SRTPN", integer(0), "0",
       "How many of its tasks must fit on each node; 0: any number.",
       into([](Standing & s) -> auto& { return s.tasks_per_node; })},
      {"TRIGGER", "", "", triggers(), "", "Actions that its events trigger.",
       [](Settings& settings, const std::string& index, const Words& value) {
         settings.standing_reservations[index].triggers = triggers_of(value);
       }},
      {"USERLIST", "", "SRUSERLIST", names("users"), "[NONE]", "Users who have access.",
       into_access(AccessKind::user)},
  };
}

}  // namespace

const std::vector<StandingRow>& standing_rows() {
  static const auto kRows = rows();
  return kRows;
}

const std::vector<Attribute>& standing_reservation_attributes() {
  static const auto kAttributes = [] {
    std::vector<Attribute> all;
    for (const auto& row : standing_rows())
      if (!row.attribute.empty())
        all.push_back({row.attribute, row.aliases, row.type, true, row.help, row.apply});
    std::sort(all.begin(), all.end(),
              [](const Attribute& a, const Attribute& b) { return a.name < b.name; });
    return all;
  }();
  return kAttributes;
}

}  // namespace maui::config
