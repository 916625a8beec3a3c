// Frames on the wire: eight decimal digits with the size of the message in bytes, one character,
// and the message (guide appendix E).
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "maui/result.h"

namespace maui {

/// The largest message that eight digits can announce.
inline constexpr std::size_t kMaxMessage = 99999999;
/// The longest message that a client may send; most requests are a few words.
inline constexpr std::size_t kMaxRequest = 1u << 20;
/// The bytes by which it may be longer if the client answers a challenge.
inline constexpr std::size_t kChallengeRoom = 64;

/// The bytes of a frame before its message.
inline constexpr std::size_t kFrameHeader = 9;

/// Refuses a message longer than kMaxMessage.
Result<std::string> encode_frame(std::string message);

/// Splits a stream of bytes into messages.  Any bytes may be fed: a header that is not a size, or a
/// size above the limit, is an error as soon as a byte reveals it, and the decoder stays in error
/// from then on.  The decoder holds at most one frame, for which it allocates memory once as soon
/// as its size is known, and the bytes that were fed after that frame in the same call.
class FrameDecoder {
 public:
  explicit FrameDecoder(std::size_t limit = kMaxRequest + kChallengeRoom) : limit_(limit) {}

  void feed(std::string_view bytes);
  /// Returns the next message, nullopt if it is incomplete, or an error.
  Result<std::optional<std::string>> next();
  /// True if part of a frame has arrived.
  bool inside_frame() const { return buffer_.size() > taken_; }
  /// Returns the bytes of memory allocated.
  std::size_t held() const { return buffer_.capacity(); }

 private:
  std::size_t limit_;
  std::string buffer_;
  std::size_t taken_ = 0;  // bytes of buffer_ already returned
  std::optional<Error> broken_;
};

}  // namespace maui
