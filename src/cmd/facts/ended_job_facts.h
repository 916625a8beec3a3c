// Facts about a recently ended job that commands show.
#pragma once
#include <string_view>

#include "cmd/context.h"
#include "engine/accounts/ended_jobs.h"
#include "maui/reply.h"

namespace maui {

/// Returns the last ended job of that name that the requesting user may see; nullptr: none.
const EndedJob* ended_job_named(const Context& context, std::string_view name,
                                bool by_number = true);
CompletedRow completed_row(const EndedJob& job);

}  // namespace maui
