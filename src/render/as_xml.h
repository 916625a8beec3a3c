// Answers as XML, in the elements and attributes that public tools for the successors of release
// 3.3 read: showq, checkjob, diagnose -n and -j, showstate.
#pragma once
#include <string>

#include "maui/command.h"
#include "maui/reply.h"

namespace maui {

/// The answer as one line of XML; empty for a reply that has no such form.
std::string as_xml(const Reply& reply);

/// True if the answer to `request` has such a form.
bool has_xml(const CommandRequest& request);

}  // namespace maui
