// Parses a reply from JSON without an intermediate tree.
//
// Accepts untrusted bytes: the first error ends the parsing.  Members of later releases are
// skipped, so that old clients can talk to new servers.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "maui/reply.h"
#include "proto/reply_shape.h"

namespace maui {

/// Receives the parser's events (nlohmann::json::sax_parse).
class ReplyReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::optional<Reply> reply;
  std::string error;  // what was expected, and where

  bool null() override;
  bool boolean(bool value) override;
  bool number_integer(number_integer_t value) override;
  bool number_unsigned(number_unsigned_t value) override;
  bool number_float(number_float_t value, const string_t& text) override;
  bool string(string_t& value) override;
  bool binary(binary_t& value) override;
  bool start_object(std::size_t members) override;
  bool key(string_t& name) override;
  bool end_object() override;
  bool start_array(std::size_t elements) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string& last_token,
                   const nlohmann::detail::exception& why) override;

 private:
  /// An open object or list; without a shape, it is skipped.
  struct Open {
    const ReplyShape* shape = nullptr;
    void* value = nullptr;
    const ReplyMember* member = nullptr;  // the next member of an object
  };
  /// The place where the next value is stored; without a shape, nowhere.
  struct Place {
    const ReplyShape* shape = nullptr;
    void* value = nullptr;
  };
  /// Calls set(place) if the value has a place; set() returns false if the value's type is wrong.
  template <class Set>
  bool put(Set set);
  bool open(ReplyShape::Kind kind);
  bool close();
  bool choose_kind(std::string_view name);
  bool fail(std::string_view expected);

  std::vector<Open> open_;
};

}  // namespace maui
