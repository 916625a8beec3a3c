// A reply that is written slice by slice, while others are served.
#pragma once
#include <chrono>
#include <utility>

#include "maui/reply.h"
#include "proto/reply_codec.h"

namespace maui {

/// How long a request is worked on before others are served.
inline constexpr std::chrono::milliseconds kSlice{5};

struct ReplyUnderWay {
  ReplyUnderWay(Reply of, ReplyRemarks remarks)
      : reply(std::move(of)), encoder(reply, JsonLayout::compact, std::move(remarks)) {}
  Reply reply;
  ReplyEncoder encoder;
};

}  // namespace maui
