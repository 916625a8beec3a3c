#include "proto/general_options.h"

#include <fmt/format.h>

#include "base/enum_names.h"
#include "base/text.h"

namespace maui {
namespace {

Status set_number(std::string_view value, int low, int high, int& into) {
  const auto number = parse_integer<int>(value);
  if (!number || *number < low || *number > high)
    return Error{
        fmt::format("invalid value '{}': expected a number from {} to {}", value, low, high)};
  into = *number;
  return Done{};
}

constexpr EnumName<Format> kFormats[] = {
    {Format::text, "text"}, {Format::json, "json"}, {Format::xml, "xml"}, {Format::svg, "svg"}};

Status set_format(GeneralOptions& options, std::string_view value) {
  const auto format = value_of(std::span<const EnumName<Format>>(kFormats), value);
  if (!format)
    return Error{fmt::format("invalid value '{}': expected text, json, xml or svg", value)};
  options.format = *format;
  return Done{};
}

Status set_port(GeneralOptions& options, std::string_view value) {
  int port = 0;
  auto status = set_number(value, 1, 65535, port);
  if (status) options.port = port;
  return status;
}

Status set_columns(GeneralOptions& options, std::string_view value) {
  options.table.list_columns = value == "help";
  if (options.table.list_columns) return Done{};
  for (const auto column : split(value, ',')) {
    if (column.empty()) return Error{"expected names of columns, or help"};
    options.table.columns.emplace_back(column);
  }
  return Done{};
}

Status set_sort(GeneralOptions& options, std::string_view value) {
  auto keys = parse_sort_keys(value);
  if (!keys) return keys.error();
  options.table.sort = *std::move(keys);
  return Done{};
}

Status set_limit(GeneralOptions& options, std::string_view value) {
  int rows = 0;
  auto status = set_number(value, 0, 1000000000, rows);
  if (status) options.table.limit = static_cast<std::size_t>(rows);
  return status;
}

Status set_watch(GeneralOptions& options, std::string_view value) {
  int seconds = 0;
  auto status = set_number(value, 1, 86400, seconds);
  if (status) options.watch = seconds;
  return status;
}

template <auto Member>
Status switch_on(GeneralOptions& options, std::string_view) {
  options.*Member = true;
  return Done{};
}

template <auto Member>
Status set_text(GeneralOptions& options, std::string_view value) {
  if (value.empty()) return Error{"expected a value"};
  options.*Member = value;
  return Done{};
}

constexpr GeneralOption kOptions[] = {
    {"about", 0, {}, "show the version and built-in defaults", switch_on<&GeneralOptions::about>},
    {"columns", 0, "NAME,...", "print lists as tables with these columns; help lists the columns",
     set_columns},
    {"configfile", 'C', "FILE", "read this file instead of maui.cfg",
     set_text<&GeneralOptions::config_file>},
    {"format", 0, "text|json|xml|svg",
     "format of the answer; xml is for showq, checkjob, diagnose -n and -j, and showstate, svg for "
     "charts",
     set_format},
    {"help", 'h', {}, "show this help", switch_on<&GeneralOptions::help>},
    {"host", 0, "HOST", "connect to the scheduler on this host", set_text<&GeneralOptions::host>},
    {"keyfile", 0, "FILE", "read the secret from this file instead of maui-private.cfg",
     set_text<&GeneralOptions::key_file>},
    {"limit", 0, "ROWS", "print at most this many rows of each list, as a table", set_limit},
    {"loglevel", 'L', "LEVEL", "report progress on standard error, from 0 (nothing) to 9",
     [](GeneralOptions& options, std::string_view value) {
       return set_number(value, 0, 9, options.log_level);
     },
     'D'},
    {"port", 0, "PORT", "connect to the scheduler at this port", set_port},
    {"sort", 0, "NAME,...",
     "print lists as tables sorted by these columns; -NAME: in descending order", set_sort},
    {"version", 0, {}, "show the release", switch_on<&GeneralOptions::version>},
    {"watch", 0, "SECONDS", "repeat the command at this interval until interrupted", set_watch},
    {"xml",
     0,
     {},
     "the same as --format=xml",
     [](GeneralOptions& options, std::string_view) -> Status {
       options.format = Format::xml;
       return Done{};
     }},
};

}  // namespace

std::span<const GeneralOption> general_options() { return kOptions; }

}  // namespace maui
