// The model of availability of a cluster, kept from cycle to cycle.
//
// Each update applies the changes since the last one: jobs that came to nodes or left them, nodes
// that changed.  The model does not contain priority reservations: a cycle holds their nodes while
// it plans.  Basis stores, by value, everything else that results depend on; when it changes, the
// model is made anew.
//
// It translates jobs and requests into questions to the model, one requirement at a time; questions
// are implemented in cluster_questions.cc.
#pragma once
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"
#include "sched/availability/access_sets.h"
#include "sched/availability/availability.h"
#include "sched/availability/granularity.h"
#include "sched/availability/requirement_question.h"
#include "sched/availability/slot.h"
#include "sched/placement/node_selection.h"

namespace maui {

/// The requests that questions are asked for.
enum class Askers : std::uint8_t {
  any_request,
  jobs_of_cluster,  // requests of its jobs, in any of their shapes: nodes that these cannot tell
                    // apart are equal
};

class ClusterModel {
 public:
  /// Applies the changes since the last call.  Requires that no trial is under way.
  void update(const Cluster& cluster, const Settings& settings, Time now,
              Askers askers = Askers::any_request);

  availability::Availability& model() { return model_; }
  /// Sets the selector that chooses nodes where the policy is LOCAL; there is none by default.
  void choose_with(NodeSelector* selector) { selection_.choose_with(selector); }
  AccessSets& access_sets() { return *sets_; }
  const AccessSets& access_sets() const { return *sets_; }
  /// The job flags in force.
  const JobFlags& flags() const { return basis_.flags; }
  /// True if it matters which users' jobs are on a node (SINGLEUSER).
  bool users_matter() const { return basis_.users_matter; }

  // --- holdings: what jobs use of nodes -----------------------------------------

  /// The use that a job makes of its nodes, for all its requirements.
  struct Holding {
    Time start{0}, end{0};
    UserId user;
    JobAccess access;
    bool own = false;            // of the job that is being placed
    std::uint32_t admitted = 0;  // the reservations in which it runs: a set of the model's tables
    std::vector<std::pair<std::uint32_t, NodeRuns>> shares;  // by amount
  };
  /// Returns the holding of a job with this placement from `start` on, for its limit.
  Holding holding_of(const Job& job, const Request& request, const Placement& placement,
                     Time start);
  /// Returns the part of that holding on nodes on which some processor is free now.
  Holding holding_on_free_nodes(const Job& job, const Request& request, const Placement& placement,
                                Time start);
  /// Returns the holding without such a part of it.
  static Holding without(Holding holding, const Holding& part);
  void hold(const Holding& holding) { change(holding, true); }
  void release(const Holding& holding) { change(holding, false); }
  /// Removes an active job from its nodes, or puts it back.
  void vacate(JobId job) { change_active(job, false); }
  void put_back(JobId job) { change_active(job, true); }

  /// Adds a use that does not conflict with the job's own tasks; a trial must undo it.
  void hold_own(const Job& job, const Request& request, const Placement& placement, Time start);

  // --- questions ------------------------------------------------------------

  /// Returns about how many groups the nodes form.  The cluster alone determines the number, so it
  /// is the same for a kept model and a new one, which may differ in groups not yet joined.
  std::size_t most_groups() const;

  /// A question in the terms of the availability model.
  struct Asked {
    Asked() = default;
    Asked(const Asked&) = delete;
    Asked& operator=(const Asked&) = delete;
    const RequirementQuestion* of = nullptr;
    availability::Question question;
    NodeRuns among, hosts;  // the nodes that it names
  };
  /// Requires that `question` outlives `asked`.
  void fill(Asked& asked, const RequirementQuestion& question);
  /// Returns nodes by the allocation policy if they are free from `start` on.  `sparing`: prefer
  /// nodes that nobody could use before then.
  std::optional<Placement> place(const Asked& asked, Time start, bool sparing);
  /// True if exactly these nodes have room for these tasks from `start` on.
  bool fits_on(const Asked& asked, const Placement& placement, Time start);
  /// True if the job has room on the nodes of this placement from `start` on, for its limit.
  bool has_room(const Job& job, const Request& request, const Placement& placement, Time start);
  /// Returns the times after `after` at which has_room() could change, in order.
  std::vector<Time> changes_on(const Job& job, const Request& request, const Placement& placement,
                               Time after);
  /// Returns the times at which jobs should leave these nodes, or the nodes reopen, in order.
  std::vector<Time> ends_on(const Placement& placement) const;
  /// Returns every node that could take tasks from `start` on.
  std::vector<Offer> offers(const Asked& asked, Time start);
  /// Returns the offers that the allocation policy chooses.
  std::optional<Placement> choose(const RequirementQuestion& question, Time start,
                                  std::vector<Offer> offers);

  /// Returns the affinity of a node for jobs of the set that run from `start` for `stay`.
  Affinity affinity(NodeId node, AccessSet set, Time start, Seconds stay) const;
  /// Returns the tasks that fit on the node from `start` on; 0 if it cannot serve them.
  int tasks_on(NodeId node, const RequirementQuestion& question, Time start);
  /// Returns the resources that jobs of a set find on the node now.
  Resources free_on(NodeId node, const RequirementQuestion& question, AccessSet set);
  /// Returns the tasks of the requirement that fit on the node over time, for jobs of a set; the
  /// first time is now.
  std::vector<std::pair<Time, int>> room_on(NodeId node, const RequirementQuestion& question,
                                            AccessSet set);
  /// Returns the first later time at which an answer could change.
  Time next_change(Time after, const RequirementQuestion& question);
  /// Returns the times at which resources that a set could have now decrease, in order.
  std::vector<Time> window_ends(AccessSet set);

 private:
  /// Everything that the model depends on besides the cluster's logs.
  struct Basis {
    const Cluster* cluster = nullptr;
    std::size_t nodes = 0;
    Seconds unavailable_for{0};  // of a node that is down or drained
    Seconds closed_for{0};       // of a node that takes no jobs for now
    bool users_matter = false;
    JobFlags flags;
    friend bool operator==(const Basis&, const Basis&) = default;
  };
  struct Placed {
    Holding holding;
    bool regular = true;  // each node has exactly what the holding says
  };
  struct KnownClass {  // of a request, ignoring reservations
    std::uint32_t requirement = 0;
    UserId user;
    PartitionId partition;
    availability::ClassId of = 0;
  };
  struct KnownClasses {  // by request
    std::uint64_t serial = 0, epoch = 0;
    std::vector<KnownClass> classes;
  };
  struct OtherClasses {  // of the last request that is none of the cluster's
    std::uint64_t epoch = 0;
    Request request;
    std::vector<KnownClass> classes;
  };
  // --- updates
  bool catch_up();
  void begin_anew(Time now);
  void take_over_jobs(std::span<const JobId> jobs);
  Time first_expiry() const;
  void add_expired(NodeRuns& nodes) const;
  void recompute(const NodeRuns& nodes);
  void check_regular(const Node& node, const availability::NodeTimeline& timeline);
  /// `rounded`: with rounded amounts.
  std::uint32_t kind_of(const Node& node, bool rounded);
  std::uint32_t attributes_of(const Node& node);
  /// Returns a node for each value of NodeKind::attributes; some are invalid: no node has them.
  const std::vector<NodeId>& examples();
  Resources whole_of(const Node& node) const;
  bool leaves_remainder(const Node& node) const;
  template <class Visit>
  void each_reserved(const Node& node, const Visit& visit) const;
  availability::NodeTimeline timeline_of(const Node& node);
  Seconds closed_for(const Node& node) const;

  // The holdings of jobs.
  /// Returns the holding without its shares.
  Holding frame_of(const Job& job, const Request& request, const Placement& placement, Time start);
  Holding holding_of_active(const Job& job);
  std::uint32_t admitted_to(const Job& job, const Request& request, Time start, Time end);
  void add_shares(Holding& holding, const Request& request, const Placement& placement);
  availability::Use use_on(const availability::NodeTimeline& timeline, const Holding& holding,
                           std::uint32_t amount);
  availability::Use use_on(const availability::NodeTimeline& timeline, const Occupant& occupant);
  void change(const Holding& holding, bool add);
  void change_active(JobId job, bool add);

  // Questions.
  availability::ClassId class_for(const RequirementQuestion& question);
  /// Returns the class of a requirement that is asked about these nodes.
  availability::ClassId class_on(const Placement& placement, const Job& job, const Request& request,
                                 std::uint32_t requirement, Seconds stay);
  /// Returns the class of jobs that no reservation admits.
  availability::ClassId plain_class(const RequirementQuestion& question);
  /// Returns the class among those known of the question's request; adds it if it is new.
  availability::ClassId class_among(std::vector<KnownClass>& classes,
                                    const RequirementQuestion& question);
  availability::ClassId make_class(const RequirementQuestion& question);
  /// Returns the class of jobs of a set.
  availability::ClassId admitted_class(availability::ClassId plain, AccessSet set);
  void admit(availability::QuestionClass& of, AccessSet set) const;
  /// Returns a class that asks only for what the set may use.
  availability::QuestionClass admission_of(AccessSet set) const;
  availability::Preference preference(NodeAllocation policy, bool sparing);
  NodeStanding standing(NodeId node, Time when) const;

  Basis basis_;
  const Cluster* cluster_ = nullptr;
  const Settings* settings_ = nullptr;
  NodeSelection selection_;
  std::optional<AccessSets> sets_;
  availability::Availability model_;
  std::unordered_map<JobId, Placed> placed_;  // active jobs
  std::uint64_t jobs_read_ = 0, nodes_read_ = 0, sets_read_ = 0, expiry_read_ = 0;
  std::size_t most_values_ = 0;  // in the model's tables, before it is made anew
  std::size_t most_classes_ = 0;
  bool begun_anew_ = false;      // in the last cycle
  Time next_expiry_ = kForever;  // the next end of a reservation
  Granularity granularity_;
  std::vector<std::uint32_t> kinds_;       // the model's kinds, by the cluster's kinds
  std::vector<std::uint32_t> attributes_;  // by the cluster's kinds
  std::unordered_map<NodeTraits, std::uint32_t, NodeTraitsHash> attribute_numbers_;
  std::vector<NodeId> examples_;  // by attributes
  std::uint64_t examples_epoch_ = 0;
  // The revisions for which classes and ranks are valid.
  std::uint64_t node_changes_ = 0, epoch_ = 0;
  std::vector<KnownClasses> classes_;  // by request
  OtherClasses others_;
  std::unordered_map<std::uint64_t, availability::ClassId> admitted_;  // by plain class and set
  std::vector<int> ranks_;  // by attributes, for ranks_of_
  std::optional<NodeAllocation> ranks_of_;
  // Kept only to save allocations.
  std::vector<JobId> touched_;
  std::vector<std::pair<std::int64_t, NodeRun>> runs_;
};

}  // namespace maui
