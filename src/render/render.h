// Replies as people and scripts read them: the text of release 3.3, JSON, or a picture.
#pragma once
#include <string>

#include "maui/reply.h"
#include "proto/format.h"

namespace maui {

/// The text for standard output.  Charts are drawn `width` columns wide.
std::string render(const Reply& reply, Format format, int width = 80);

}  // namespace maui
