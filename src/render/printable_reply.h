// Makes replies safe for terminals, and their tables for scripts: they hold names that users and
// resource managers chose.
#pragma once
#include "maui/reply.h"

namespace maui {

/// Returns the reply without control characters that a terminal would obey, and with each name on
/// one line.
Reply printable(const Reply& reply);
/// Returns the printable reply for text with columns: all text in it but prose (ReplyMember::prose)
/// is one word, with blanks written as %20 and '%' as %25.
Reply printable_in_columns(const Reply& reply);

}  // namespace maui
