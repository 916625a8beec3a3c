// Sums over jobs in the words of showstats.
#pragma once
#include <string_view>

#include "engine/accounts/job_totals.h"
#include "history/past_time.h"
#include "history/period_totals.h"
#include "maui/replies/statistics.h"

namespace maui {

/// 0 where the whole is.
double ratio(double part, double whole);
/// In per cent; -1 where the whole is 0.
double share(double part, double whole);

void add_completed(CredentialRow& row, const JobTotals& totals);

/// The sums of a period; without what takes all of its values (spreads), tables and grids.
ProfileReply profile_of(const PeriodTotals& totals, const Period& period);

/// showstats -u and its like of a period: rows of those who were given most first.
CredentialStatisticsReply credential_statistics(const PeriodTotals& totals, CredentialKind kind,
                                                const Period& period);

}  // namespace maui
