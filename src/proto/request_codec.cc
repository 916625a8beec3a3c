#include "proto/request_codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/json.h"

namespace maui {
namespace {

using nlohmann::json;

// Limits of a command line: what a shell can pass, and no more than can be processed quickly.
constexpr std::size_t kMostOperands = 10000, kMostFlags = 100, kLongestWord = 65536,
                      kLongestName = 100;

// Limits for members that this server does not know: number of values, and nesting depth.
constexpr std::size_t kMostValues = kMostOperands + 5 * kMostFlags;
constexpr int kDeepest = 20;

Error malformed(std::string_view what) { return Error{"malformed request: " + std::string(what)}; }

/// Parses a request value by value and stops as soon as it cannot be valid: a tree of arbitrary
/// data would use a hundred times its size in memory.
class RequestReader final : public nlohmann::json_sax<json> {
 public:
  Result<CommandRequest> read(std::string_view text) {
    if (!json::sax_parse(text, this))
      return error_ ? *error_ : malformed("its data is not a JSON object");
    if (request_.command.empty()) return malformed(kCommand);
    if (request_.command.size() > kLongestName) return malformed("the command's name is too long");
    const auto is_long = [](const std::string& word) { return word.size() > kLongestWord; };
    if (std::any_of(request_.operands.begin(), request_.operands.end(), is_long) ||
        std::any_of(request_.flags.begin(), request_.flags.end(),
                    [&](const auto& flag) { return is_long(flag.second); }))
      return Error{
          fmt::format("{}: a word has more than {} characters", request_.command, kLongestWord)};
    return std::move(request_);
  }

  // The events of the JSON parser, one per value.
  bool null() override { return no_text(); }
  bool boolean(bool) override { return no_text(); }
  bool number_integer(number_integer_t) override { return no_text(); }
  bool number_unsigned(number_unsigned_t) override { return no_text(); }
  bool number_float(number_float_t, const string_t&) override { return no_text(); }
  bool binary(binary_t&) override { return no_text(); }
  bool parse_error(std::size_t, const std::string&, const json::exception&) override {
    return false;
  }

  bool string(string_t& text) override {
    if (!count()) return false;
    if (depth_ == 1 && member_ == Member::command) {
      request_.command = std::move(text);
    } else if (depth_ == 1 && member_ == Member::group) {
      request_.group = std::move(text);
    } else if (depth_ == 2 && member_ == Member::operands) {
      if (request_.operands.size() == kMostOperands)
        return fail(Error{fmt::format("{}: more than {} operands; give them in parts",
                                      request_.command, kMostOperands)});
      request_.operands.push_back(std::move(text));
    } else if (depth_ == 3 && member_ == Member::flags) {
      pair_.push_back(std::move(text));
    } else {
      return belongs_nowhere();
    }
    return true;
  }

  bool key(string_t& name) override {
    if (depth_ != 1) return true;
    member_ = name == "command"    ? Member::command
              : name == "group"    ? Member::group
              : name == "flags"    ? Member::flags
              : name == "operands" ? Member::operands
                                   : Member::other;
    return true;
  }

  bool start_object(std::size_t) override {
    if (depth_ > 0 && !no_text()) return false;
    return enter();
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ == 0) return false;
    const bool list = depth_ == 1 && (member_ == Member::flags || member_ == Member::operands);
    const bool pair = depth_ == 2 && member_ == Member::flags;
    if (!(list || pair ? count() : no_text())) return false;
    if (list) (member_ == Member::flags ? request_.flags.clear() : request_.operands.clear());
    pair_.clear();
    return enter();
  }
  bool end_array() override {
    --depth_;
    if (member_ != Member::flags || depth_ != 2) return true;
    if (pair_.size() != 2) return belongs_nowhere();
    if (request_.flags.size() == kMostFlags)
      return fail(Error{fmt::format("{}: more than {} flags", request_.command, kMostFlags)});
    request_.flags.emplace(std::move(pair_[0]), std::move(pair_[1]));
    return true;
  }

 private:
  enum class Member : std::uint8_t { command, group, flags, operands, other };
  static constexpr std::string_view kCommand = "\"command\" must be the name of a command";

  bool no_text() { return count() && belongs_nowhere(); }
  /// Fails if a known member has a value of this type.
  bool belongs_nowhere() {
    switch (member_) {
      case Member::command:
        return fail(malformed(kCommand));
      case Member::group:
        return fail(malformed("\"group\" must be a string"));
      case Member::flags:
        return fail(malformed("\"flags\" must be an array of pairs of strings"));
      case Member::operands:
        return fail(malformed("\"operands\" must be an array of strings"));
      case Member::other:
        return depth_ > 0;
    }
    return false;
  }
  bool count() { return ++values_ <= kMostValues || fail(malformed("too many values")); }
  bool enter() { return ++depth_ <= kDeepest || fail(malformed("nested too deeply")); }
  bool fail(Error error) {
    error_ = std::move(error);
    return false;
  }

  CommandRequest request_;
  std::vector<std::string> pair_;  // a flag's letter and value
  Member member_ = Member::other;
  int depth_ = 0;
  std::size_t values_ = 0;
  std::optional<Error> error_;
};

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

Result<CommandRequest> decode_request(std::string_view text) { return RequestReader().read(text); }

}  // namespace maui
