// Answers as XML, with the elements and attributes that public tools for successors of release 3.3
// read: showq, checkjob, diagnose -n and -j, showstate.
#pragma once
#include <string>

#include "maui/command.h"
#include "maui/reply.h"

namespace maui {

/// Returns the answer as one line of XML; empty if the reply has no XML form.
std::string as_xml(const Reply& reply);

/// True if the answer to `request` has an XML form.
bool has_xml(const CommandRequest& request);

}  // namespace maui
