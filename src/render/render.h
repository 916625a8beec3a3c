// Replies as people and scripts read them: the text of release 3.3, JSON, or a picture.
#pragma once
#include <string>

#include "maui/reply.h"
#include "proto/format.h"
#include "proto/reply_codec.h"

namespace maui {

/// The text for standard output.  Charts are drawn `width` columns wide; remarks are part of JSON
/// alone.
std::string render(const Reply& reply, Format format, int width = 80,
                   const ReplyRemarks& remarks = {});

}  // namespace maui
