// Formats replies for people and scripts: the text of release 3.3, JSON, or a picture.
#pragma once
#include <string>

#include "maui/reply.h"
#include "proto/format.h"
#include "proto/reply_codec.h"

namespace maui {

/// Returns the text for standard output.  Charts are `width` columns wide; remarks appear in JSON
/// only.
std::string render(const Reply& reply, Format format, int width = 80,
                   const ReplyRemarks& remarks = {});

}  // namespace maui
