// Availability over time, as a cycle or whoever looks ahead changes it.
//
// It only ever holds plans; the cluster is not touched.  It answers two questions about a job's
// request: fits_now(), nodes for the whole duration from now on, and earliest(), the first moment
// from which there are such nodes.  And it takes changes: hold and release; pin and unpin, of what
// no reservation may move; vacate and put_back, of what runs.
//
// All of it is a trial of the model that is kept (cluster_model.h), undone when it begins anew.
//
// Mostly nobody asks about more than now once a priority reservation is made.  So it is put into
// the model only when somebody asks: what it has of nodes on which some processor is free now when
// that somebody asks about now, the rest, which keeps nobody from starting now, when he asks about
// later times.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sched/availability/cluster_model.h"
#include "sched/availability/search_effort.h"
#include "sched/placement/variants.h"

namespace maui {

class Timeline {
 public:
  Timeline() = default;
  Timeline(const Cluster& cluster, const Settings& settings, Time now, bool keep_job_reservations) {
    begin(cluster, settings, now, keep_job_reservations);
  }
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  /// `keep_job_reservations`: the priority reservations that the cluster has stand; else the cycle
  /// will make them anew.
  void begin(const Cluster& cluster, const Settings& settings, Time now,
             bool keep_job_reservations);
  /// Gives the selector that chooses nodes where the policy is LOCAL; there is none until then.
  void choose_with(NodeSelector* selector) { model_.choose_with(selector); }

  AccessSets& access_sets() { return model_.access_sets(); }
  const AccessSets& access_sets() const { return model_.access_sets(); }
  const JobFlags& flags() const { return model_.flags(); }
  Time now() const { return now_; }
  /// Some job, some node, or what is only asked about, wants SINGLEUSER access.
  bool users_matter() const { return model_.users_matter(); }

  /// Nodes on which the job can start now and stay for its limit, chosen by the allocation policy;
  /// only nodes that are free for `at_least`, where that is longer.
  std::optional<Slot> fits_now(const Job& job, const Request& request,
                               Seconds at_least = Seconds(0));
  /// False: it would find none.  True: it may.
  bool may_fit_now(const Job& job, const Request& request);
  /// The job has several requirements, and its user's jobs have had their share of the search for
  /// nodes: it is not looked at.
  bool passes_over(const Job& job, const Request& request) {
    return request.requirements.size() > 1 && effort_.share_of(job.credentials.user).over();
  }
  /// The earliest moment in [from, not_after] from which the job could run; with nodes.
  std::optional<Slot> earliest(const Job& job, const Request& request, Time from,
                               Time not_after = kForever);
  /// The moments at which what is free now for a set becomes less, in order: where backfill windows
  /// end.
  std::vector<Time> window_ends(AccessSet set) { return model_now().window_ends(set); }

  /// The job uses its placement from `start` on, for its limit.
  void hold(const Job& job, const Request& request, const Placement& placement, Time start);
  /// Takes back what hold() did, or drops the priority reservation that the job came with.
  void release(JobId job);
  /// The suspended job has these nodes, and no others, from `start` on.
  void pin(const Job& job, const Request& request, const Placement& placement, Time start);
  void unpin(JobId job) { give_back(job); }
  /// The active job leaves its nodes.
  void vacate(JobId job);
  /// The active job has its nodes again, as before vacate().
  void put_back(JobId job);

  /// A priority reservation as it stands in this timeline.
  struct Held {
    JobId job;
    const Job* of = nullptr;
    const Request* request = nullptr;
    Time start{0};
    Placement placement;
  };
  /// All of them.  Their nodes may change while the cycle goes on, their starts do not.
  const std::vector<Held>& held() const { return held_; }
  const Held* held_by(JobId job) const;
  /// The job has nodes here, for later or from now on.
  bool holds(JobId job) const { return taken_.contains(job); }
  /// Some priority reservation that the cluster has can not stand any longer, as its nodes are gone
  /// or something else than a job has them: it is not held.
  bool dislodged() const { return dislodged_; }
  /// From now on held() states this start and this placement of the job, whatever nodes are in fact
  /// kept for it.
  void restate_held(JobId job, Time start, Placement placement);
  /// Moves every priority reservation forward as far as it goes, in this order, none of them ever
  /// later; false, and nothing is changed, where processors are not interchangeable.
  bool slide_together(std::span<const JobId> by_priority);

  /// The model, for who looks at single nodes.
  ClusterModel& model() { return whole_model(); }

 private:
  /// The share that a job has been given.
  struct Taken {
    std::optional<Held> later;  // nothing of it is in the model yet
    ClusterModel::Holding holding;
    std::optional<ClusterModel::ByRoom> split;  // only what is on free nodes is in the model yet
    int procs = 0;                              // counted in started_procs_
  };
  /// The first slot in a time frame, for a variant of the request; nullptr: the only one.
  using Search = std::function<std::optional<Slot>(const Variant*, Time from, Time not_after)>;
  /// How little affinity draws a job to its nodes: by tasks on nodes of last resort, then by those
  /// on nodes that do not draw it.
  struct Reluctance {
    int repelled = 0, indifferent = 0;
    friend auto operator<=>(const Reluctance&, const Reluctance&) = default;
  };

  Taken& take(const Held& held);
  void give_back(JobId job);
  void withdraw(const Taken& taken);
  ClusterModel::Holding holding_of(const Held& held);
  /// The model with all that has been taken where some processor is free now.
  ClusterModel& model_now();
  /// The model with all that has been taken.
  ClusterModel& whole_model();
  /// True if the job would not start now even if nothing but processors mattered.
  bool too_few_procs(const Request& request) const;
  /// Returns the job's priority reservation: there it stays as long as it can begin no earlier and
  /// nothing came free since its nodes were chosen.  nullptr: nowhere.
  const Reservation* kept_reservation(const Job& job, const Request& request,
                                      const Variant* variant) const;

  // One variant of a request.
  std::optional<Slot> now_one_way(const Job& job, const Request& request, const Variant* variant,
                                  Seconds at_least);
  std::optional<Slot> earliest_one_way(const Job& job, const Request& request,
                                       const Variant* variant, Time from, Time not_after);
  std::optional<Slot> earliest_of_one(const Job& job, const Request& request,
                                      const Variant* variant, Time from, Time not_after);
  Reluctance reluctance(const Job& job, const Request& request, const Slot& slot);
  std::optional<Slot> first_in_partitions(
      const Job& job, const Request& request, Time from, Time not_after,
      const std::function<std::optional<Slot>(PartitionId, Time not_after)>& in);

  // Node sets and speeds (timeline_sets.cc).
  std::optional<Slot> now_by_variants(const Job& job, const Request& request, const Search& search);
  std::optional<Slot> earliest_by_variants(const Job& job, const Request& request, Time from,
                                           Time not_after, const Search& search);
  std::optional<Slot> first_in_sets(const Job& job, const Request& request,
                                    const std::vector<Variants::Set>& sets, Time from,
                                    Time not_after, const Search& search);
  double penalty(const Job& job, const Request& request, const Variants::Set& set,
                 const Slot& slot);
  long long room_in(const Job& job, const Request& request, const Variants::Set& set,
                    const Slot& slot);

  // Arranging reservations anew (reservation_packing.cc).
  bool interchangeable(const Request& request);
  RequirementQuestion anywhere(const Job& job, const Request& request) const;
  std::optional<Time> first_by_count(const Request& request, Time from, Time not_after);
  std::optional<Placement> place(const Job& job, const Request& request, Time start);
  bool arrange(std::vector<Held> wanted);
  bool arrange_all(std::vector<Held> wanted);
  std::optional<Placement> rearrange(const Job& job, const Request& request, Time start);

  const Cluster* cluster_ = nullptr;
  Time now_{0};
  ClusterModel model_;
  std::optional<availability::Availability::Trial> trial_;
  std::vector<Held> held_;
  std::multimap<JobId, Taken> taken_;  // priority reservations and pins too
  std::size_t later_ = 0, split_ = 0;  // so many of these are not in the model, or in part
  std::int64_t started_procs_ = 0;     // of jobs that start in this cycle
  std::vector<JobId> vacated_;
  std::optional<std::vector<std::pair<Time, long long>>> free_procs_;  // once somebody asks
  SearchEffort effort_;  // for jobs with several requirements
  bool dislodged_ = false;
  bool pinned_ = false;  // there is, or was, something that cannot be arranged anew
};

}  // namespace maui
