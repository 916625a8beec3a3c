// releaseres: ends reservations early (guide G).
#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/name_pattern.h"
#include "base/text.h"
#include "cmd/access.h"
#include "cmd/facts/reservation_facts.h"

namespace maui {
namespace {

bool may_release(const Context& context, const Reservation& r) {
  if (is_admin(context, 2)) return true;
  return r.kind == ReservationKind::job ? owns(context, context.cluster().job(r.job))
                                        : owns(context, r);
}

ReleasedReservation release(const Context& context, const std::string& name) {
  const Cluster& cluster = context.cluster();
  ReleasedReservation result{name, {}, false, {}};
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
  result.type = type_of(r);
  if (!may_release(context, r))
    return refuse(fmt::format("user {} is not authorized to release reservation '{}'",
                              context.request.user, name));
  if (const Status done = context.engine.release_reservation(id); !done)
    return refuse(done.error().what);
  result.done = true;
  return result;
}

/// The reservations that operands name, each once, and operands that name none, with the reason.
class ReservationsAsked {
 public:
  explicit ReservationsAsked(const Context& context) : context_(context) {}

  void add(const std::string& operand) {
    if (!known_.insert(operand).second) return;
    if (!operand.starts_with("x:"))
      all_.push_back({operand, {}, false, {}});
    else if (const Status added = add_matching(operand); !added)
      all_.push_back({operand, {}, false, added.error().what});
  }
  const std::vector<ReleasedReservation>& all() const { return all_; }

 private:
  /// "x:EXPRESSION" stands for all reservations that match and that the user may release.
  Status add_matching(const std::string& operand) {
    if (++expressions_ > kMostExpressions)
      return Error{fmt::format("more than {} expressions in one command", kMostExpressions)};
    const auto pattern = NamePattern::of(std::string_view(operand).substr(2));
    if (!pattern) return Error{"x: " + pattern.error().what};
    const Cluster& cluster = context_.cluster();
    bool any = false;
    for (const ReservationId id : cluster.reservations()) {
      const Reservation& r = cluster.reservation(id);
      if (!may_release(context_, r) || !pattern->in(r.name)) continue;
      any = true;
      if (known_.insert(r.name).second) all_.push_back({r.name, {}, false, {}});
    }
    if (!any) return Error{fmt::format("no reservation of yours matches '{}'", operand)};
    return Done{};
  }

  const Context& context_;
  std::vector<ReleasedReservation> all_;
  std::set<std::string, std::less<>> known_;
  std::size_t expressions_ = 0;
};

}  // namespace

Answer releaseres(const Context& context) {
  ReservationsAsked asked(context);
  for (const std::string& operand : context.request.operands) asked.add(operand);
  ReservationsReleasedReply reply;
  std::vector<std::string> reasons;
  for (const ReleasedReservation& named : asked.all()) {
    reply.reservations.push_back(named.reason.empty() ? release(context, named.name) : named);
    if (!reply.reservations.back().done) reasons.push_back(reply.reservations.back().reason);
  }
  if (reasons.size() == reply.reservations.size()) return Error{join(reasons, "\n")};
  return Reply(std::move(reply));
}

}  // namespace maui
