// Sums over jobs in the form that showstats displays.
#pragma once
#include <string_view>

#include "engine/accounts/job_totals.h"
#include "history/past_time.h"
#include "history/period_totals.h"
#include "maui/replies/statistics.h"

namespace maui {

/// Returns 0 if `whole` is 0.
double ratio(double part, double whole);
/// Returns a percentage; -1 if `whole` is 0.
double share(double part, double whole);

void add_completed(CredentialRow& row, const JobTotals& totals);

/// Returns the sums of a period.  Spreads have only mean and worst; tables and grids are left out.
ProfileReply profile_of(const PeriodTotals& totals, const Period& period);

/// Returns showstats -u and the like of a period: rows in order of dedicated time, highest first.
CredentialStatisticsReply credential_statistics(const PeriodTotals& totals, CredentialKind kind,
                                                const Period& period);

}  // namespace maui
