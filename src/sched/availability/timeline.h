// Availability over time, as changed by a cycle or a forecast.
//
// It holds only plans and leaves the cluster untouched.  It answers two questions about a job's
// request: fits_now(), nodes for the whole duration from now on, and earliest(), the first time
// from which there are such nodes.  And it takes changes: hold and release; pin and unpin, for
// nodes that no reservation may be moved from; vacate and put_back, for running jobs.
//
// All changes are a trial of the kept model (cluster_model.h); begin() undoes them.
//
// After a priority reservation is made, most cycles only ask about now.  Therefore, a
// reservation is put into the model on demand: its share of nodes with a free processor when a
// question about now meets it; the rest, which blocks no start now, when a question about later
// times is asked.  Whether a job may fit at all is mostly told by a count of what runs beside a
// single reservation when it begins.
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

  /// `keep_job_reservations`: hold the priority reservations of the cluster; otherwise the cycle
  /// makes them anew.
  void begin(const Cluster& cluster, const Settings& settings, Time now, bool keep_job_reservations,
             Askers askers = Askers::any_request);
  /// Sets the selector that chooses nodes where the policy is LOCAL; there is none by default.
  void choose_with(NodeSelector* selector) { model_.choose_with(selector); }

  AccessSets& access_sets() { return model_.access_sets(); }
  const AccessSets& access_sets() const { return model_.access_sets(); }
  const JobFlags& flags() const { return model_.flags(); }
  Time now() const { return now_; }
  /// True if some job, node or query wants SINGLEUSER access.
  bool users_matter() const { return model_.users_matter(); }

  /// Returns nodes, chosen by the allocation policy, on which the job can start now and run for its
  /// limit; only nodes that are free for `at_least` if that is longer.
  std::optional<Slot> fits_now(const Job& job, const Request& request,
                               Seconds at_least = Seconds(0));
  /// False: fits_now() would find no nodes if the limit were `stay`.  True: it may find some.
  bool may_fit_now(const Job& job, const Request& request, Seconds stay);
  /// True if the job has several requirements or a node set, and its user's jobs have used up their
  /// share of the search: the job is not examined.
  bool passes_over(const Job& job, const Request& request) {
    return draws_on_effort(request) && effort_.share_of(job.credentials.user).over();
  }
  /// True if a search for the job's requirements may have been cut short, so that a job of another
  /// user may fit where this one does not.
  bool cut_short(const Job& job, const Request& request) {
    return draws_on_effort(request) && effort_.share_of(job.credentials.user).spent();
  }
  /// Returns the earliest slot in [from, not_after] for the job.
  std::optional<Slot> earliest(const Job& job, const Request& request, Time from,
                               Time not_after = kForever);
  /// Returns the times at which resources that are free now for a set decrease, in order: the ends
  /// of backfill windows.
  std::vector<Time> window_ends(AccessSet set) { return model_now().window_ends(set); }

  /// Lets the job use its placement from `start` on, for its limit.
  void hold(const Job& job, const Request& request, const Placement& placement, Time start);
  /// Undoes hold(), or drops the priority reservation that the job had at begin().
  void release(JobId job);
  /// Keeps exactly these nodes for the suspended job from `start` on.
  void pin(const Job& job, const Request& request, const Placement& placement, Time start);
  void unpin(JobId job) { give_back(job); }
  /// Removes the active job from its nodes.
  void vacate(JobId job);
  /// Gives the active job its nodes back after vacate().
  void put_back(JobId job);

  /// A priority reservation as this timeline holds it.
  struct Held {
    JobId job;
    const Job* of = nullptr;
    const Request* request = nullptr;
    Time start{0};
    Placement placement;
  };
  /// All priority reservations.  During a cycle their nodes may change, their starts do not.
  const std::vector<Held>& held() const { return held_; }
  const Held* held_by(JobId job) const;
  /// True if the job has nodes here, from now on or later.
  bool holds(JobId job) const { return taken_.contains(job); }
  /// True if some priority reservation of the cluster cannot be kept, since its nodes are gone or
  /// something other than a job has them; it is not held.
  bool dislodged() const { return dislodged_; }
  /// Makes held() state this start and this placement of the job, whatever nodes are actually kept
  /// for it.
  void restate_held(JobId job, Time start, Placement placement);
  /// True if the priority reservations may be packed anew for a job that finds no nodes now.
  bool repacks_for(const Request& request);
  /// Moves each priority reservation forward as far as possible, in this order, none of them ever
  /// later; returns false and changes nothing if processors are not interchangeable.
  bool slide_together(std::span<const JobId> by_priority);

  /// The model, for queries about single nodes.
  ClusterModel& model() { return whole_model(); }

 private:
  static bool draws_on_effort(const Request& request) {
    return request.requirements.size() > 1 || request.node_set;
  }
  /// The nodes that the timeline has given to a job.
  struct Taken {
    /// Of a later start: some of the nodes are not in the model yet.
    std::optional<Held> later;
    bool partly = false;            // only those with a free processor are
    ClusterModel::Holding holding;  // what is in the model
    int procs = 0;                  // counted in started_procs_
    bool begun = false;             // the job has the nodes from now on

    bool outside() const { return later && !partly; }
  };
  /// Returns the first slot in a time frame for a variant of the request; nullptr: the request as
  /// it is.
  using Search = std::function<std::optional<Slot>(const Variant*, Time from, Time not_after)>;
  /// The most tasks of a class of question that can run when a reservation begins.
  struct Beside {
    availability::ClassId of = 0;
    std::optional<long long> tasks;  // nullopt: not known
  };
  /// A measure of how weakly affinity draws a job to its nodes: compared by tasks on nodes of last
  /// resort, then by tasks on neutral nodes.
  struct Reluctance {
    int repelled = 0, indifferent = 0;
    friend auto operator<=>(const Reluctance&, const Reluctance&) = default;
  };

  Taken& take(const Held& held);
  void forget_counts();
  void give_back(JobId job);
  void withdraw(const Taken& taken);
  ClusterModel::Holding holding_of(const Held& held);
  /// Returns the model including all shares on nodes with a free processor.
  ClusterModel& model_now();
  /// Returns the model including all shares.
  ClusterModel& whole_model();
  /// Returns the only share that is not in the model yet; nullptr if there is none, or several.
  const Held* only_later() const;
  /// Returns how many tasks have room beside that share when it begins: for its class of question.
  const Beside& room_beside(const Held& later);
  /// Answers may_fit_now() in one partition.
  bool may_fit_now(const RequirementQuestion& question);
  /// True if the job could not start now even if only processors mattered.
  bool too_few_procs(const Request& request) const;
  /// Returns the priority reservation that the job keeps if it cannot begin earlier and nothing
  /// came free since its nodes were chosen; nullptr if there is none.
  const Reservation* kept_reservation(const Job& job, const Request& request,
                                      const Variant* variant) const;

  // One variant of a request.
  std::optional<Slot> now_in_variant(const Job& job, const Request& request, const Variant* variant,
                                     Seconds at_least);
  std::optional<Slot> earliest_in_variant(const Job& job, const Request& request,
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

  // Packing reservations (reservation_packing.cc).
  bool interchangeable(const Request& request);
  RequirementQuestion anywhere(const Job& job, const Request& request) const;
  std::optional<Time> first_by_count(const Request& request, Time from, Time not_after);
  std::optional<Placement> place(const Job& job, const Request& request, Time start);
  bool pack(std::vector<Held> wanted);
  bool pack_all(std::vector<Held> wanted);
  std::optional<Placement> repack(const Job& job, const Request& request, Time start);

  const Cluster* cluster_ = nullptr;
  Time now_{0};
  ClusterModel model_;
  std::optional<availability::Availability::Trial> trial_;
  std::vector<Held> held_;
  std::multimap<JobId, Taken> taken_;   // includes priority reservations and pins
  std::size_t later_ = 0, partly_ = 0;  // how many are not, or partly, in the model
  std::int64_t started_procs_ = 0;      // of jobs that start in this cycle
  std::vector<JobId> vacated_;
  std::optional<std::vector<std::pair<Time, long long>>> free_procs_;  // made on first use
  std::optional<Beside> beside_;                                       // likewise
  SearchEffort effort_;  // for jobs with several requirements or node sets
  bool dislodged_ = false;
  bool pinned_ = false;  // there is or was something that cannot be moved
};

}  // namespace maui
