#include "proto/frame.h"

#include <fmt/format.h>

#include <algorithm>

namespace maui {
namespace {

constexpr std::size_t kDigits = 8;

}  // namespace

Result<std::string> encode_frame(std::string message) {
  if (message.size() > kMaxMessage)
    return Error{fmt::format("a message of {} bytes is too long; a frame holds at most {}",
                             message.size(), kMaxMessage)};
  message.insert(0, fmt::format("{:08} ", message.size()));
  return message;
}

void FrameDecoder::feed(std::string_view bytes) {
  if (!broken_) buffer_.append(bytes);
}

Result<std::optional<std::string>> FrameDecoder::next() {
  if (broken_) return *broken_;
  const auto rest = std::string_view(buffer_).substr(taken_);
  const auto header = rest.substr(0, kDigits);
  std::size_t size = 0;
  for (const char c : header) {
    if (c < '0' || c > '9') {
      broken_ = Error{"a frame must begin with its size in eight decimal digits"};
      buffer_.clear();
      taken_ = 0;
      return *broken_;
    }
    size = size * 10 + static_cast<std::size_t>(c - '0');
  }
  if (header.size() < kDigits) return std::optional<std::string>();
  if (size > limit_) {
    broken_ = Error{fmt::format("a frame of {} bytes is above the limit of {}", size, limit_)};
    buffer_.clear();
    taken_ = 0;
    return *broken_;
  }
  if (rest.size() < kFrameHeader + size) {
    buffer_.reserve(taken_ + kFrameHeader + size);
    return std::optional<std::string>();
  }
  std::optional<std::string> message(rest.substr(kFrameHeader, size));
  taken_ += kFrameHeader + size;
  if (taken_ == buffer_.size()) {
    constexpr std::size_t kKept = 1u << 16;  // do not keep the memory of one large message
    if (buffer_.capacity() > kKept) std::string().swap(buffer_);
    buffer_.clear();
    taken_ = 0;
  } else if (taken_ > buffer_.size() / 2) {  // so that each byte is moved at most once
    buffer_.erase(0, taken_);
    taken_ = 0;
  }
  return message;
}

}  // namespace maui
