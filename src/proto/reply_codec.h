// Converts replies to JSON and back.
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maui/reply.h"
#include "maui/result.h"
#include "proto/json_writer.h"
#include "proto/reply_kinds.h"
#include "proto/reply_shape.h"

namespace maui {

/// The server's remarks on a reply: additional members, present if there is something to remark.
struct ReplyRemarks {
  std::string not_kept;                   // why the change is not saved on disk
  std::vector<std::string> not_reported;  // resource managers that have not reported yet
  std::string stopped;                    // that scheduling is stopped, and so the data is old
  friend bool operator==(const ReplyRemarks&, const ReplyRemarks&) = default;
};

/// Returns {"reply": "<kind>", ...members of the struct...}.  Member names are stable.
std::string encode_reply(const Reply& reply, JsonLayout layout = JsonLayout::compact,
                         ReplyRemarks remarks = {});

/// Encodes a reply some rows at a time, as a long queue takes a while.  The reply must outlive it.
class ReplyEncoder {
 public:
  explicit ReplyEncoder(const Reply& reply, JsonLayout layout = JsonLayout::compact,
                        ReplyRemarks remarks = {});
  /// Continues until all is encoded and returns true, or until `enough` returns true.
  bool go_on(const std::function<bool()>& enough);
  /// Returns the JSON.  Requires that all is encoded.
  std::string take() { return json_.take(); }

 private:
  void write_member(const ReplyMember& member);
  void write_rows(const ReplyMember& member);
  void write_remarks();

  const Reply& reply_;
  JsonWriter json_;
  ReplyRemarks remarks_;
  std::size_t member_ = 0, row_ = 0;  // the next to encode
};

Result<Reply> decode_reply(std::string_view json);

/// Adds a remark to an encoded reply without such a remark: the change is not saved on disk, and
/// why.
std::string encode_as_not_kept(std::string encoded, std::string_view why);
/// Returns the remarks on an encoded reply.
ReplyRemarks remarks_of(std::string_view json);

}  // namespace maui
