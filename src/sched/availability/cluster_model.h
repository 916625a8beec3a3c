// The model of availability of a cluster, kept from cycle to cycle.
//
// It takes over what has changed since it last looked: jobs that came to nodes or left them, nodes
// that are other than before.  Priority reservations do not stand in it: a cycle holds their nodes
// for as long as it plans.  What an answer depends on besides the cluster is in Basis, by value:
// where that changes, the model is made anew.
//
// It asks the model in the words of jobs and requests, one requirement at a time; questions stand
// in cluster_questions.cc.
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
#include "sched/availability/requirement_question.h"
#include "sched/availability/slot.h"
#include "sched/placement/node_selection.h"

namespace maui {

class ClusterModel {
 public:
  /// Takes over what has changed.  Requires that no trial is under way.
  void update(const Cluster& cluster, const Settings& settings, Time now);

  availability::Availability& model() { return model_; }
  /// Gives the selector that chooses nodes where the policy is LOCAL; there is none until then.
  void choose_with(NodeSelector* selector) { selection_.choose_with(selector); }
  AccessSets& access_sets() { return *sets_; }
  const AccessSets& access_sets() const { return *sets_; }
  /// The flags in force.
  const JobFlags& flags() const { return basis_.flags; }
  /// It matters whose jobs are where.
  bool users_matter() const { return basis_.users_matter; }

  // --- what jobs have of nodes --------------------------------------------------

  /// One use of each node, whatever the job's requirements.
  struct Holding {
    Time start{0}, end{0};
    UserId user;
    NodeAccess access{};
    bool own = false;            // of the job that is being placed
    std::uint32_t admitted = 0;  // reservations in which it works: a set of the model's tables
    std::vector<std::pair<std::uint32_t, availability::NodeRuns>> shares;  // by amount
  };
  /// That of a job with this placement from `start` on, for its limit.
  Holding holding_of(const Job& job, const Request& request, const Placement& placement,
                     Time start);
  /// Resources on nodes on which some processor is free now, and those of the other nodes.
  struct ByRoom {
    Holding free, busy;
  };
  ByRoom split_by_room(const Holding& holding) const;
  void hold(const Holding& holding) { change(holding, true); }
  void release(const Holding& holding) { change(holding, false); }
  /// The active job leaves its nodes, or is back on them.
  void vacate(JobId job) { change_active(job, false); }
  void put_back(JobId job) { change_active(job, true); }

  /// The job has this too, though it is no company to itself; to be undone with a trial.
  void hold_own(const Job& job, const Request& request, const Placement& placement, Time start);

  // --- questions ------------------------------------------------------------

  /// A question in the model's own words.
  struct Asked {
    Asked() = default;
    Asked(const Asked&) = delete;
    Asked& operator=(const Asked&) = delete;
    const RequirementQuestion* of = nullptr;
    availability::Question question;
    availability::NodeRuns among, hosts;  // that it names
  };
  /// `question` must outlive what is asked.
  void fill(Asked& asked, const RequirementQuestion& question);
  /// Nodes that the allocation policy chooses, if they do at that moment. `sparing`: rather those
  /// which nobody could use before.
  std::optional<Placement> place(const Asked& asked, Time start, bool sparing);
  /// True if there is room for these tasks on just these nodes from then on.
  bool fits_on(const Asked& asked, const Placement& placement, Time start);
  /// True if the job has room on the nodes of this placement, for its limit from then on.
  bool has_room(const Job& job, const Request& request, const Placement& placement, Time start);
  /// The moments at which jobs are to leave these nodes, or these take jobs again, in order.
  std::vector<Time> ends_on(const Placement& placement) const;
  /// Every node that could take tasks from then on.
  std::vector<Offer> offers(const Asked& asked, Time start);
  /// Which of these the allocation policy chooses.
  std::optional<Placement> choose(const RequirementQuestion& question, Time start,
                                  std::vector<Offer> offers);

  /// How a node draws those of a set that stay there from `start` on.
  Affinity affinity(NodeId node, AccessSet set, Time start, Seconds stay) const;
  /// Tasks that fit on the node from `start` on; 0 where it does not serve.
  int tasks_on(NodeId node, const RequirementQuestion& question, Time start);
  /// The free resources and the company that the job finds on the node from now on.
  void profile_of(NodeId node, const RequirementQuestion& question, Profile& out);
  /// The tasks of the requirement that there is room for on the node, from which moment on, for
  /// those of a set; the first is now.
  std::vector<std::pair<Time, int>> room_on(NodeId node, const RequirementQuestion& question,
                                            AccessSet set);
  /// The first moment after that one at which an answer could change.
  Time next_change(Time after, const RequirementQuestion& question);
  /// The moments at which what a set could have now becomes less, in order.
  std::vector<Time> window_ends(AccessSet set);

 private:
  /// All that the model depends on beside the cluster's logs.
  struct Basis {
    const Cluster* cluster = nullptr;
    std::size_t nodes = 0;
    Seconds unavailable_for{0};  // a node that is down or drained
    Seconds closed_for{0};       // one that takes no jobs for now
    bool users_matter = false;
    JobFlags flags;
    friend bool operator==(const Basis&, const Basis&) = default;
  };
  struct Placed {
    Holding holding;
    bool regular = true;  // each node has just what the holding says
  };
  struct KnownClass {  // without regard to reservations
    UserId user;
    PartitionId partition;
    availability::ClassId of = 0;
  };
  struct KnownClasses {  // of a request
    std::uint64_t serial = 0, epoch = 0;
    std::vector<KnownClass> classes;
  };
  // --- changes
  bool catch_up();
  void begin_anew();
  void take_over_jobs(std::span<const JobId> jobs);
  Time first_expiry() const;
  void add_expired(availability::NodeRuns& nodes) const;
  void recompute(const availability::NodeRuns& nodes);
  void check_regular(const Node& node, const availability::NodeTimeline& timeline);
  std::uint32_t kind_of(const Node& node);
  availability::NodeTimeline timeline_of(const Node& node);
  Seconds closed_for(const Node& node) const;

  // The holdings of jobs.
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
  /// The class of those whom no reservation admits.
  availability::ClassId plain_class(const RequirementQuestion& question);
  availability::ClassId make_class(const RequirementQuestion& question);
  /// The same of those of a set.
  availability::ClassId admitted_class(availability::ClassId plain, AccessSet set);
  void admit(availability::QuestionClass& of, AccessSet set) const;
  /// A class that asks for nothing but what the set may use.
  availability::QuestionClass admission_of(AccessSet set) const;
  availability::Preference preference(NodeAllocation policy, bool sparing);
  NodeStanding standing(NodeId node, Time when) const;

  Basis basis_;
  const Cluster* cluster_ = nullptr;
  const Settings* settings_ = nullptr;
  NodeSelection selection_;
  std::optional<AccessSets> sets_;
  availability::Availability model_;
  std::unordered_map<JobId, Placed> placed_;  // the active jobs
  std::uint64_t jobs_read_ = 0, nodes_read_ = 0, sets_read_ = 0, expiry_read_ = 0;
  std::size_t most_values_ = 0;       // in the model's tables, until it begins anew
  Time next_expiry_ = kForever;       // of a reservation
  std::vector<std::uint32_t> kinds_;  // the model's, by those of the cluster
  // Classes and ranks hold for these.
  std::uint64_t node_changes_ = 0, epoch_ = 0;
  std::vector<KnownClasses> classes_;                                  // by request
  std::unordered_map<std::uint64_t, availability::ClassId> admitted_;  // by plain class and set
  std::vector<int> ranks_;                                             // by kind, of ranks_of_
  std::optional<NodeAllocation> ranks_of_;
  // Kept only to save allocations.
  std::vector<JobId> touched_;
  std::vector<std::pair<std::int64_t, availability::NodeRun>> runs_;
};

}  // namespace maui
