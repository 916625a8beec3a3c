// A reply that is written slice by slice, with other clients served in between.
#pragma once
#include <chrono>
#include <utility>

#include "maui/reply.h"
#include "proto/reply_codec.h"

namespace maui {

/// The time spent on a request before other clients are served.
inline constexpr std::chrono::milliseconds kSlice{5};

struct ReplyUnderWay {
  ReplyUnderWay(Reply of, ReplyRemarks remarks)
      : reply(std::move(of)), encoder(reply, JsonLayout::compact, std::move(remarks)) {}
  Reply reply;
  ReplyEncoder encoder;
};

}  // namespace maui
