// releaseres: ends reservations early (guide G).
#include <fmt/format.h>

#include <functional>
#include <set>

#include "base/name_pattern.h"
#include "base/text.h"
#include "cmd/access.h"

namespace maui {
namespace {

bool may_release(const Context& context, const Reservation& r) {
  if (is_admin(context, 2)) return true;
  return r.kind == ReservationKind::job ? owns(context, context.cluster().job(r.job))
                                        : owns(context, r);
}

ReleasedReservation release(const Context& context, const std::string& name) {
  const Cluster& cluster = context.cluster();
  ReleasedReservation result{name, "User", false, {}};
  const auto refuse = [&](std::string reason) {
    result.reason = std::move(reason);
    return result;
  };
  const ReservationId id = cluster.find_reservation(name);
  if (!id.valid()) {
    if (const JobId job = cluster.find_job(name); job.valid() && cluster.job(job).active())
      return refuse(fmt::format("job '{}' is active: its reservation ends with the job", name));
    return refuse(fmt::format("cannot locate reservation '{}'", name));
  }
  const Reservation& r = cluster.reservation(id);
  const bool of_job = r.kind == ReservationKind::job;
  if (of_job) result.type = "Job";
  if (!may_release(context, r))
    return refuse(fmt::format("user {} is not authorized to release reservation '{}'",
                              context.request.user, name));
  if (const Status done = context.engine.release_reservation(id); !done)
    return refuse(done.error().what);
  result.done = true;
  return result;
}

/// Returns the given names, each once; "x:EXPRESSION" stands for all reservations that match and
/// that the user may release.
Result<std::vector<std::string>> names_asked(const Context& context) {
  const Cluster& cluster = context.cluster();
  std::vector<std::string> names;
  std::set<std::string, std::less<>> known;
  std::size_t expressions = 0;
  for (const auto& operand : context.request.operands) {
    if (!known.insert(operand).second) continue;
    if (!operand.starts_with("x:")) {
      names.push_back(operand);
      continue;
    }
    if (++expressions > kMostExpressions)
      return Error{fmt::format("more than {} expressions in one command", kMostExpressions)};
    const auto pattern = NamePattern::of(std::string_view(operand).substr(2));
    if (!pattern) return Error{"x: " + pattern.error().what};
    bool any = false;
    for (const ReservationId id : cluster.reservations()) {
      const Reservation& r = cluster.reservation(id);
      if (!may_release(context, r) || !pattern->in(r.name)) continue;
      any = true;
      if (known.insert(r.name).second) names.push_back(r.name);
    }
    if (!any) return Error{fmt::format("no reservation of yours matches '{}'", operand)};
  }
  return names;
}

}  // namespace

Answer releaseres(const Context& context) {
  ReservationsReleasedReply reply;
  std::vector<std::string> reasons;
  const auto names = names_asked(context);
  if (!names) return names.error();
  for (const auto& name : *names) {
    reply.reservations.push_back(release(context, name));
    if (!reply.reservations.back().done) reasons.push_back(reply.reservations.back().reason);
  }
  if (reasons.size() == reply.reservations.size()) return Error{join(reasons, "\n")};
  return Reply(std::move(reply));
}

}  // namespace maui
