// Replies as people and scripts read them: the text of release 3.3, or JSON.
#pragma once
#include <string>

#include "maui/reply.h"

namespace maui {

enum class Format { text, json };

/// What goes to standard output.
std::string render(const Reply& reply, Format format);

}  // namespace maui
