// The news in a record that a WIKI server repeats.
#pragma once
#include "rm/wiki_record.h"

namespace maui {

/// The part of two records that is compared.  The time of the last update never counts.
enum class Aspect {
  all,
  request,  // what the job asks for
  limit,    // its wallclock limit
};

/// True if the records agree in that aspect; a server may report attributes in another order.
bool same(const WikiRecord& a, const WikiRecord& b, Aspect aspect);
/// True if a complete answer repeats the known record.
bool repeats(const SharedWikiRecord& answer, const SharedWikiRecord& known);
/// Returns the known record updated by an answer; `all`: the answer is complete.
SharedWikiRecord next_record(const SharedWikiRecord& known, const SharedWikiRecord& answer,
                             bool all);
/// True if the record reports the job's CPU time as of now.  An unchanged value is news, too: the
/// job has used no CPU time since.
bool has_cpu_time_as_of_now(const WikiRecord& record);

}  // namespace maui
