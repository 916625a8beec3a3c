#include "proto/request_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace maui {
namespace {

using nlohmann::json;

// A command's words: what a shell passes on, and no more than can be looked at in a moment.
constexpr std::size_t kMostOperands = 10000, kMostFlags = 100, kLongestWord = 65536,
                      kLongestName = 100;

/// Says what there is too much of; empty: nothing.
std::string too_much(const CommandRequest& request) {
  if (request.operands.size() > kMostOperands)
    return fmt::format("{}: {} operands are more than the {} of a command; give them in parts",
                       request.command, request.operands.size(), kMostOperands);
  if (request.flags.size() > kMostFlags)
    return fmt::format("{}: {} flags are more than the {} of a command", request.command,
                       request.flags.size(), kMostFlags);
  const auto is_long = [](const std::string& word) { return word.size() > kLongestWord; };
  const bool any = std::any_of(request.operands.begin(), request.operands.end(), is_long) ||
                   std::any_of(request.flags.begin(), request.flags.end(),
                               [&](const auto& flag) { return is_long(flag.second); });
  if (any)
    return fmt::format("{}: a word has more than {} characters", request.command, kLongestWord);
  return {};
}

Error malformed(std::string_view what) { return Error{"malformed request: " + std::string(what)}; }

/// A missing member is empty; a member of another type is wrong.
bool read_text(const json& object, const char* name, std::string& text) {
  const auto at = object.find(name);
  if (at == object.end()) return true;
  if (!at->is_string()) return false;
  text = at->get_ref<const std::string&>();
  return true;
}

bool read_flags(const json& object, CommandRequest& request) {
  const auto at = object.find("flags");
  if (at == object.end()) return true;
  if (!at->is_array()) return false;
  for (const json& flag : *at) {
    if (!flag.is_array() || flag.size() != 2 || !flag[0].is_string() || !flag[1].is_string())
      return false;
    request.flags.emplace(flag[0].get_ref<const std::string&>(),
                          flag[1].get_ref<const std::string&>());
  }
  return true;
}

bool read_operands(const json& object, CommandRequest& request) {
  const auto at = object.find("operands");
  if (at == object.end()) return true;
  if (!at->is_array()) return false;
  for (const json& operand : *at) {
    if (!operand.is_string()) return false;
    request.operands.push_back(operand.get_ref<const std::string&>());
  }
  return true;
}

}  // namespace

std::string encode_request(const CommandRequest& request, std::string_view nonce) {
  json flags = json::array();
  for (const auto& [letter, value] : request.flags) flags.push_back(json::array({letter, value}));
  const json object = {{"command", request.command},
                       {"flags", std::move(flags)},
                       {"operands", request.operands},
                       {"group", request.group},
                       {"nonce", nonce}};
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<CommandRequest> decode_request(std::string_view text) {
  const json object = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return malformed("its data is not a JSON object");
  CommandRequest request;
  if (!read_text(object, "command", request.command) || request.command.empty())
    return malformed("\"command\" must be the name of a command");
  if (request.command.size() > kLongestName) return malformed("the command's name is too long");
  if (!read_text(object, "group", request.group)) return malformed("\"group\" must be a string");
  if (!read_flags(object, request))
    return malformed("\"flags\" must be an array of pairs of strings");
  if (!read_operands(object, request)) return malformed("\"operands\" must be an array of strings");
  if (auto what = too_much(request); !what.empty()) return Error{std::move(what)};
  return request;
}

}  // namespace maui
