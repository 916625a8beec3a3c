// Frames on the wire: eight decimal digits, the size in bytes of the message, then one character,
// then the message (guide appendix E).
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "maui/result.h"

namespace maui {

/// The largest message that eight digits can announce.
inline constexpr std::size_t kMaxMessage = 99999999;
/// The longest message that a server takes from a client; a request is a few words.
inline constexpr std::size_t kMaxRequest = 1u << 20;

/// Bytes of a frame in front of its message.
inline constexpr std::size_t kFrameHeader = 9;

/// Refuses a message longer than kMaxMessage.
Result<std::string> encode_frame(std::string message);

/// Takes bytes as they come and gives whole messages.  Any bytes may be fed: a header that is not
/// a size, or a size above the limit, is an error at the earliest byte that shows it, and the
/// decoder stays in error from then on.  It never holds more than one frame and what was fed
/// beyond it.
class FrameDecoder {
 public:
  explicit FrameDecoder(std::size_t limit = kMaxRequest) : limit_(limit) {}

  void feed(std::string_view bytes);
  /// The next message, nothing if it is not complete, or what is wrong with it.
  Result<std::optional<std::string>> next();
  /// Bytes of a frame have come, but not all.
  bool inside_frame() const { return buffer_.size() > taken_; }
  /// Bytes of memory that it holds.
  std::size_t held() const { return buffer_.size(); }

 private:
  std::size_t limit_;
  std::string buffer_;
  std::size_t taken_ = 0;  // bytes of buffer_ that were given out
  std::optional<Error> broken_;
};

}  // namespace maui
