#include "support/carry_out.h"

#include <fmt/format.h>

namespace maui::test {
namespace {

class Deeds {
 public:
  Deeds(Cluster& cluster, Time now) : cluster_(cluster), now_(now) {}

  void operator()(const StartJob& start) const {
    const auto& shapes = cluster_.job(start.job).alternatives;
    if (!shapes.empty()) {
      Request shaped = cluster_.request_of(start.job);
      shaped.requirements.front().tasks = shapes[start.alternative].first;
      shaped.limit = shapes[start.alternative].second;
      cluster_.set_request(start.job, std::move(shaped));
    }
    cluster_.start_job(start.job, start.placement, now_, start.backfilled);
  }
  void operator()(const ReserveJob& reserve) const {
    const Job& job = cluster_.job(reserve.job);
    if (job.reservation.valid())
      return cluster_.move_reservation(job.reservation, reserve.start, reserve.placement);
    Reservation kept;
    kept.kind = ReservationKind::job;
    kept.job = reserve.job;
    kept.start = reserve.start;
    kept.end = reserve.start + cluster_.request_of(reserve.job).limit;
    kept.nodes = reserve.placement;
    cluster_.add_reservation(std::move(kept));
  }
  void operator()(const DropReservation& drop) const {
    cluster_.release_reservation(drop.reservation);
  }
  void operator()(const MakeReservation& make) const { cluster_.add_reservation(make.wanted); }
  void operator()(const ChangeReservation& change) const {
    cluster_.change_reservation(change.reservation, change.wanted);
  }
  void operator()(const HoldJob& hold) const {
    std::uint8_t holds = cluster_.job(hold.job).own_holds;
    put(holds, hold.hold);
    cluster_.set_own_holds(hold.job, holds, hold.reason);
  }
  void operator()(const PreemptJob& victim) const {
    const Job& job = cluster_.job(victim.job);
    const Seconds run = job.run_so_far(now_);
    const Time queued = job.queued + run;  // as the engine does
    switch (victim.how) {
      case Preemption::requeue:
        cluster_.requeue_job(victim.job, now_);
        return cluster_.set_queued(victim.job, queued);
      case Preemption::suspend:
        return cluster_.suspend_job(victim.job, now_);
      case Preemption::checkpoint:
        cluster_.checkpoint_job(victim.job, now_, run);
        return cluster_.set_queued(victim.job, queued);
    }
  }
  void operator()(const ResumeJob& one) const { cluster_.resume_job(one.job, now_); }

 private:
  Cluster& cluster_;
  Time now_;
};

class Telling {
 public:
  Telling(const Cluster& cluster, Time now) : cluster_(cluster), now_(now) {}

  std::string operator()(const StartJob& start) const {
    return fmt::format("{} {} on {}\n", start.backfilled ? "backfill" : "start",
                       cluster_.job(start.job).name, show(cluster_, start.placement));
  }
  std::string operator()(const ReserveJob& reserve) const {
    return fmt::format("reserve {} in {} s on {}\n", cluster_.job(reserve.job).name,
                       (reserve.start - now_).raw(), show(cluster_, reserve.placement));
  }
  std::string operator()(const DropReservation& drop) const {
    return fmt::format("drop {}\n", cluster_.reservation(drop.reservation).name);
  }
  std::string operator()(const MakeReservation& make) const {
    return fmt::format("make {} on {}\n", make.wanted.name, show(cluster_, make.wanted.nodes));
  }
  std::string operator()(const ChangeReservation& change) const {
    return fmt::format("change {} to {}\n", cluster_.reservation(change.reservation).name,
                       show(cluster_, change.wanted.nodes));
  }
  std::string operator()(const HoldJob& hold) const {
    return fmt::format("hold {}: {}\n", cluster_.job(hold.job).name, hold.reason.text);
  }
  std::string operator()(const PreemptJob& victim) const {
    constexpr std::string_view kDeeds[] = {"requeue", "suspend", "checkpoint"};
    return fmt::format("{} {} for {}\n", kDeeds[static_cast<std::size_t>(victim.how)],
                       cluster_.job(victim.job).name, cluster_.job(victim.preemptor).name);
  }
  std::string operator()(const ResumeJob& one) const {
    return fmt::format("resume {}\n", cluster_.job(one.job).name);
  }

 private:
  const Cluster& cluster_;
  Time now_;
};

}  // namespace

void carry_out(Cluster& cluster, const Plan& plan, Time now) {
  for (const Decision& decision : plan.decisions) std::visit(Deeds(cluster, now), decision);
}

std::string decisions(const Cluster& cluster, const Plan& plan, Time now) {
  std::string text;
  for (const Decision& decision : plan.decisions)
    text += std::visit(Telling(cluster, now), decision);
  return text;
}

std::string started(const Cluster& cluster, const Plan& plan) {
  std::string names;
  for (const Decision& decision : plan.decisions)
    if (const auto* start = std::get_if<StartJob>(&decision))
      names += (names.empty() ? "" : " ") + cluster.job(start->job).name;
  return names;
}

std::string describe(const Cluster& cluster, const Plan& plan, Time now) {
  std::string text = decisions(cluster, plan, now);
  for (std::size_t rank = 0; rank < plan.order.size(); ++rank)
    text += fmt::format("{}={} ", cluster.job(plan.order[rank].job).name,
                        static_cast<int>(plan.reasons[rank]));
  return text;
}

}  // namespace maui::test
