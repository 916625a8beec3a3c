// Reads a reply out of JSON, without a tree in between.
//
// For bytes that nobody vouches for: the first thing wrong ends it.  A member of a later release is
// skipped, so that old clients can talk to new servers.
#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maui/reply.h"
#include "proto/reply_shape.h"

namespace maui {

/// Receives what the parser meets (nlohmann::json::sax_parse).
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
  /// An object or a list that is open; no shape: it is skipped.
  struct Open {
    const ReplyShape* shape = nullptr;
    void* value = nullptr;
    const ReplyMember* member = nullptr;  // of an object, the one that comes next
  };
  /// The place to which the next value goes; no shape: nowhere.
  struct Place {
    const ReplyShape* shape = nullptr;
    void* value = nullptr;
  };
  /// Calls set(place) where a value belongs somewhere; false is what the place has no room for.
  template <class Set>
  bool put(Set set);
  bool open(ReplyShape::Kind kind);
  bool close();
  bool choose_kind(std::string_view name);
  bool fail(std::string_view expected);

  std::vector<Open> open_;
};

}  // namespace maui
