#include "http/api.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "proto/json_writer.h"

namespace maui {
namespace {

constexpr std::size_t kPrefix = 2;  // words in /api/v1

Result<std::size_t> count_of(std::string_view name, std::string_view text) {
  const auto number = parse_integer<std::uint32_t>(text);
  if (!number) return Error{fmt::format("{}: invalid value '{}': expected a number", name, text)};
  return *number;
}

/// Returns true if the word selects rows.
Result<bool> read_row_word(const std::string& name, const std::string& value, RowChoice& rows) {
  if (name == "limit" || name == "offset") {
    const auto count = count_of(name, value);
    if (!count) return count.error();
    if (name == "limit")
      rows.most = std::min(*count, kMostRows);
    else
      rows.offset = *count;
  } else if (name == "sort") {
    auto keys = parse_sort_keys(value);
    if (!keys) return Error{"sort: " + keys.error().what};
    rows.sort = *std::move(keys);
  } else if (name == "list") {
    rows.list = value;
  } else if (name == "search") {
    rows.containing = value;
  } else if (name == "where") {
    const auto colon = value.find(':');
    if (colon == value.npos) return Error{"where: expected MEMBER:VALUE"};
    rows.equal.emplace_back(value.substr(0, colon), value.substr(colon + 1));
  } else {
    return false;
  }
  return true;
}

void write(JsonWriter& json, const CommandSpec& spec) {
  json.begin_object();
  json.member("command", spec.name);
  json.member("operands", spec.operands);
  json.member("help", spec.help);
  json.key("flags");
  json.begin_array();
  for (const Flag& flag : spec.flags) {
    json.begin_object();
    json.member("flag", flag.letter != 0 ? std::string(1, flag.letter) : std::string(flag.name));
    json.member("value", flag.argument);
    json.member("help", flag.help);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

bool is_api(const HttpRequest& request) {
  return request.path.size() >= kPrefix && request.path[0] == "api" && request.path[1] == "v1";
}

bool is_event_stream(const HttpRequest& request) {
  return is_api(request) && request.path.size() == kPrefix + 1 && request.path[kPrefix] == "events";
}

std::variant<ApiRequest, HttpFault> read_api_request(const HttpRequest& request) {
  const std::string& name = request.path[kPrefix];
  const CommandSpec* const spec = find_command(name);
  if (spec == nullptr) return HttpFault{404, fmt::format("unknown command '{}'", name)};
  if (!spec->looks)
    return HttpFault{403,
                     fmt::format("'{}' may change something: this interface is read-only", name)};
  ApiRequest made;
  made.rows.most = kUsualRows;
  made.command.command = spec->name;
  made.command.operands.assign(request.path.begin() + kPrefix + 1, request.path.end());
  for (const auto& [key, value] : request.query) {
    const auto about_rows = read_row_word(key, value, made.rows);
    if (!about_rows) return HttpFault{400, about_rows.error().what};
    if (*about_rows) continue;
    const Flag* const flag = find_flag(*spec, key);
    if (flag == nullptr) return HttpFault{400, fmt::format("{} has no flag '{}'", name, key)};
    made.command.flags.emplace(key, value);
  }
  if (const auto right = check_request(*spec, made.command); !right)
    return HttpFault{400, right.error().what};
  return made;
}

std::string api_index() {
  JsonWriter json;
  json.begin_object();
  json.key("commands");
  json.begin_array();
  for (const CommandSpec& spec : command_specs())
    if (spec.looks && spec.same_as.empty()) write(json, spec);
  json.end_array();
  json.end_object();
  return json.take() + "\n";
}

}  // namespace maui
