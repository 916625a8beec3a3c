// Facts that commands show of a job that has ended of late.
#pragma once
#include <string_view>

#include "cmd/context.h"
#include "engine/accounts/ended_jobs.h"
#include "maui/reply.h"

namespace maui {

/// The job of that name that ended last, of those that whoever asks may see; nullptr: none.
const EndedJob* ended_job_named(const Context& context, std::string_view name);
CompletedRow completed_row(const EndedJob& job);

}  // namespace maui
