#include "render/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "proto/reply_codec.h"
#include "proto/reply_rows.h"
#include "proto/reply_shape.h"
#include "render/cells.h"
#include "render/printable_reply.h"

namespace maui {
namespace {

/// The lists of an answer that become tables, with their most useful columns.
struct ListRow {
  std::string_view reply, list, columns;
};

constexpr std::string_view kWaiting = "name user state procs limit queued";
constexpr std::string_view kEnded = "name state exit_code user procs run_time started ended";
constexpr ListRow kLists[] = {
    {"queue", "active", "name user state procs remaining started"},
    {"queue", "idle", kWaiting},
    {"queue", "blocked", kWaiting},
    {"active_queue", "jobs",
     "name state partition user procs efficiency xfactor main_host remaining started"},
    {"idle_queue", "jobs", "name priority xfactor user procs limit job_class queued"},
    {"blocked_queue", "jobs", "name user procs limit queued reason"},
    {"completed_queue", "jobs", kEnded},
    {"state", "jobs", "name state user group procs remaining started"},
    {"state", "nodes", "name state frame slot"},
    {"windows", "windows", "partition procs nodes duration"},
    {"windows", "nodes", "node state procs duration memory reason"},
    {"reservations", "reservations", "name type job_state start end nodes procs"},
    {"credential_statistics", "rows",
     "name active_jobs active_procs jobs dedicated_proc_hours average_queue_hours average_xfactor"},
    {"node_statistics", "nodes", "name state memory available busy"},
    {"config", "parameters", "name value"},
    {"jobs_diagnosis", "jobs", "name state user group procs limit queue_time"},
    {"nodes_diagnosis", "nodes", "name state partition procs.free procs.configured load"},
    {"priority", "jobs", "name priority"},
    {"blocked_jobs", "jobs", "name user reason"},
    {"reservations_diagnosis", "reservations", "name type start end nodes tasks procs"},
    {"resource_manager", "managers", "name type state polls failed_polls starts failed_starts"},
    {"credentials", "rows", "name priority"},
    {"holds", "jobs", "name user holds"},
    {"profile", "jobs", kEnded},
    {"history", "jobs", kEnded},
    {"reservation_history", "reservations", "name type start end nodes procs"},
    {"utilisation_history", "steps", "start duration busy_procs up_procs active_jobs waiting_jobs"},
    {kDryRunMember, "shifts", "job user account before after"},
    {kDryRunMember, "users", "name jobs earlier later"},
    {kDryRunMember, "accounts", "name jobs earlier later"},
};

const ListRow* find_list(std::string_view reply, std::string_view list) {
  const auto* at = std::find_if(std::begin(kLists), std::end(kLists), [&](const ListRow& row) {
    return row.reply == reply && row.list == list;
  });
  return at == std::end(kLists) ? nullptr : at;
}

// Members of rows that are times, and those that are durations; -1: no time, no limit.
constexpr std::string_view kMoments[] = {"started",  "queued", "submitted",   "ended",  "start",
                                         "earliest", "latest", "last_answer", "before", "after"};
constexpr std::string_view kDurations[] = {"limit",    "remaining",  "run_time",
                                           "duration", "queue_time", "shorter_limit"};

bool is_one_of(std::span<const std::string_view> names, std::string_view column) {
  const auto last = column.substr(column.rfind('.') + 1);
  return std::find(names.begin(), names.end(), last) != names.end();
}

/// `end` is a time in rows with a start, and so is expected_end.end.
bool is_moment(std::string_view column) {
  return is_one_of(kMoments, column) || column == "end" || column == "expected_end.end";
}

using Value = std::variant<std::monostate, std::int64_t, double, bool, std::string>;

/// A list of an answer, with values instead of C++ types.
struct List {
  std::string_view name;
  std::vector<std::string> shown;  // the most useful columns
  std::vector<std::string> columns;
  std::vector<std::vector<Value>> rows;
};

struct Column {
  std::string name;
  MemberPath member;
};

/// Adds a column for each member that fits in a cell.
void add_columns(const ReplyShape& record, const std::string& before, const MemberPath& way,
                 std::vector<Column>& columns) {
  for (const ReplyMember& member : record.members) {
    Column column{before + std::string(member.name), way};
    column.member.enter(member);
    const ReplyShape& shape = *member.shape;
    const ReplyShape& inner = shape.kind == ReplyShape::Kind::optional ? *shape.element : shape;
    if (inner.kind == ReplyShape::Kind::record)
      add_columns(inner, column.name + ".", column.member, columns);
    else if (shape.is_plain() || shape.is_list_of(ReplyShape::Kind::text))
      columns.push_back(std::move(column));
  }
}

Value value_of(const Column& column, const void* row) {
  const void* const value = column.member.in(row);
  if (value == nullptr) return {};
  switch (column.member.shape().kind) {
    case ReplyShape::Kind::integer:
      return value_as<std::int64_t>(value);
    case ReplyShape::Kind::number:
      return value_as<double>(value);
    case ReplyShape::Kind::boolean:
      return value_as<bool>(value);
    case ReplyShape::Kind::text:
      return value_as<std::string>(value);
    default:
      return join(value_as<std::vector<std::string>>(value), ",");
  }
}

List list_of(const ListRow& known, const ReplyShape& shape, const void* rows) {
  List made{known.list, {}, {}, {}};
  for (const auto word : split(known.columns, ' ')) made.shown.emplace_back(word);
  std::vector<Column> columns;
  add_columns(*shape.element, "", {}, columns);
  for (const Column& column : columns) made.columns.push_back(column.name);
  assert(std::all_of(made.shown.begin(), made.shown.end(), [&](const std::string& column) {
    return std::find(made.columns.begin(), made.columns.end(), column) != made.columns.end();
  }));
  for (std::size_t i = 0, count = shape.count(rows); i < count; ++i) {
    auto& cells = made.rows.emplace_back();
    for (const Column& column : columns) cells.push_back(value_of(column, shape.at(rows, i)));
  }
  return made;
}

void add_lists(std::string_view reply, const ReplyShape& shape, const void* body,
               std::vector<List>& lists) {
  for (const ReplyMember& member : shape.members)
    if (member.shape->is_list_of(ReplyShape::Kind::record))
      if (const ListRow* known = find_list(reply, member.name))
        lists.push_back(list_of(*known, *member.shape, member.in(body)));
}

std::vector<List> lists_of(const Reply& reply) {
  std::vector<List> lists;
  const ReplyShape& shape = shape_of(reply);
  add_lists(reply_kind(reply), shape, body_of(reply), lists);
  const ReplyMember* const dry_run = shape.find(kDryRunMember);
  if (dry_run == nullptr) return lists;
  const void* const value = dry_run->in(body_of(reply));
  if (dry_run->shape->count(value) > 0)
    add_lists(kDryRunMember, *dry_run->shape->element, dry_run->shape->at(value, 0), lists);
  return lists;
}

std::optional<std::size_t> find_column(const List& list, std::string_view column) {
  const auto at = std::find(list.columns.begin(), list.columns.end(), column);
  if (at == list.columns.end()) return std::nullopt;
  return static_cast<std::size_t>(at - list.columns.begin());
}

std::string all_columns(const std::vector<List>& lists) {
  std::string text;
  for (const List& list : lists)
    text += fmt::format("{}: {}\n", list.name, fmt::join(list.columns, " "));
  return text;
}

Status check(const std::vector<List>& lists, const TableChoice& choice) {
  if (lists.empty())
    return Error{"the reply contains no list: --columns, --sort and --limit do not apply"};
  for (const auto& column : choice.columns)
    if (std::none_of(lists.begin(), lists.end(),
                     [&](const List& list) { return find_column(list, column).has_value(); }))
      return Error{fmt::format("unknown column '{}': --columns help shows all", column)};
  return Done{};
}

struct Cell {
  std::string text;
  bool right = false;  // numbers are right-aligned
};

Cell cell(std::string_view column, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    if (is_moment(column)) return {moment(*number), false};
    return {is_one_of(kDurations, column) ? length(*number) : fmt::to_string(*number), true};
  }
  if (const auto* number = std::get_if<double>(&value))
    return {fmt::format("{:.2f}", *number), true};
  if (const auto* yes = std::get_if<bool>(&value)) return {*yes ? "yes" : "no", false};
  const auto* text = std::get_if<std::string>(&value);
  return {text == nullptr || text->empty() ? "-" : *text, false};
}

std::string upper(std::string_view name) {
  std::string text(name);
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

// Terminal colours of states: running jobs green, failures red, held or drained yellow.
std::string_view colour_of(std::string_view state) {
  constexpr std::pair<std::string_view, std::string_view> kColours[] = {
      {"Running", "32"}, {"Busy", "32"},     {"Down", "31"},    {"Unknown", "31"}, {"Failed", "31"},
      {"Removed", "31"}, {"Deferred", "33"}, {"Drained", "33"}, {"Draining", "33"}};
  for (const auto& [name, colour] : kColours)
    if (name == state) return colour;
  return {};
}

/// `total`: the number of rows before the limit was applied.
void add_table(const List& list, std::size_t total, const TableChoice& choice, bool titled,
               bool colour, std::string& text) {
  std::vector<std::string> columns;
  for (const auto& column : choice.columns.empty() ? list.shown : choice.columns)
    if (find_column(list, column)) columns.push_back(column);
  if (columns.empty()) return;
  std::vector<std::vector<Cell>> table(list.rows.size() + 1);
  std::vector<std::size_t> widths;
  for (const auto& name : columns) {
    const auto column = *find_column(list, name);
    table[0].push_back({upper(name), false});
    for (std::size_t i = 0; i < list.rows.size(); ++i)
      table[i + 1].push_back(cell(name, list.rows[i][column]));
    if (!list.rows.empty()) table[0].back().right = table[1].back().right;
    std::size_t width = 0;
    for (const auto& line : table) width = std::max(width, characters(line.back().text));
    widths.push_back(width);
  }
  if (titled) text += fmt::format("{}{}:\n", text.empty() ? "" : "\n", list.name);
  for (std::size_t i = 0; i < table.size(); ++i) {
    std::string line;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Cell& shown = table[i][c];
      const std::string space(widths[c] - characters(shown.text), ' ');
      const auto code = !colour                 ? std::string_view()
                        : i == 0                ? std::string_view("1")
                        : columns[c] == "state" ? colour_of(shown.text)
                                                : std::string_view();
      const auto text_shown =
          code.empty() ? shown.text : fmt::format("\x1b[{}m{}\x1b[0m", code, shown.text);
      line += c > 0 ? "  " : "";
      line += shown.right ? space + text_shown : text_shown + space;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  if (list.rows.size() < total) text += fmt::format("... and {} more\n", total - list.rows.size());
}

}  // namespace

Result<std::string> as_table(const Reply& reply, const TableChoice& choice, bool colour) {
  // The columns are known even without a row.
  RowChoice none;
  none.most = 0;
  const auto empty = choose_rows(reply, none);
  if (!empty) return empty.error();
  const auto headings = lists_of(empty->reply);
  if (auto status = check(headings, choice); !status) return status.error();
  if (choice.list_columns) return all_columns(headings);
  const auto chosen = choose_rows(reply, choice.rows());
  if (!chosen) return chosen.error();
  const auto lists = lists_of(printable_in_columns(chosen->reply));
  std::string text;
  for (const List& list : lists)
    for (const RowTotal& total : chosen->totals)
      if (total.list == list.name)
        add_table(list, total.rows, choice, lists.size() > 1, colour, text);
  return text;
}

}  // namespace maui
