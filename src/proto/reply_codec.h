// Replies to JSON and back.
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

/// Remarks of the server on any reply: members beside its own, where there is something to say.
struct ReplyRemarks {
  std::string not_kept;                   // why the change is not on the disk
  std::vector<std::string> not_reported;  // resource managers that have reported nothing yet
  friend bool operator==(const ReplyRemarks&, const ReplyRemarks&) = default;
};

/// {"reply": "<kind>", ...members of the struct...}.  Member names are stable.
std::string encode_reply(const Reply& reply, JsonLayout layout = JsonLayout::compact,
                         ReplyRemarks remarks = {});

/// The same, some rows at a time: that of a long queue takes a while.  The reply outlives it.
class ReplyEncoder {
 public:
  explicit ReplyEncoder(const Reply& reply, JsonLayout layout = JsonLayout::compact,
                        ReplyRemarks remarks = {});
  /// Goes on until all of it is encoded, which is true, or until `enough` says so.
  bool go_on(const std::function<bool()>& enough);
  /// Requires that all of it is encoded.
  std::string take() { return json_.take(); }

 private:
  void write_member(const ReplyMember& member);
  void write_rows(const ReplyMember& member);
  void write_remarks();

  const Reply& reply_;
  JsonWriter json_;
  ReplyRemarks remarks_;
  std::size_t member_ = 0, row_ = 0;  // those that come next
};

Result<Reply> decode_reply(std::string_view json);

/// An encoded reply, without such a remark, that says, too, that the change is not on the disk, and
/// why.
std::string encode_as_not_kept(std::string encoded, std::string_view why);
/// Returns the remarks on an encoded reply.
ReplyRemarks remarks_of(std::string_view json);

}  // namespace maui
