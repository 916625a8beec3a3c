// Which of the nodes that could serve a job shall serve it
// (NODEALLOCATIONPOLICY, guide 5.2).
//
// A policy is an order over nodes; tasks are then packed node by node in that
// order.  Ties are broken by the resource manager's order of nodes: from its back
// for LASTAVAILABLE, MINRESOURCE and CPULOAD, from its front for the others.
// docs/decisions/node-choice.md says where the guide leaves room.
#pragma once
#include <optional>
#include <vector>

#include "maui/cluster.h"
#include "maui/settings.h"

namespace maui {

/// A node that can take `tasks` of a job from its start to its end.
struct Offer {
  NodeId node;
  int tasks = 0;
  int tasks_now = 0;      // how many of these it could take at once, idle until then
  Time since{0};          // when it came to have that room, at or before the job's start
  Time until = kForever;  // when something else needs the room
  Affinity affinity = Affinity::neutral;  // that of the reservations in which it would start
  double score = 0;                       // MACHINEPRIO, CPULOAD: the higher the better
};

/// Puts the offers into the order of affinity, and of the policy where it is equal; only the first
/// `needed` need be in their places.
void order_offers(const Cluster& cluster, NodeAllocation policy, std::vector<Offer>& offers,
                  std::size_t needed);

/// True if nodes that differ in nothing that a request can ask about are equal to the policy.
bool chosen_by_kind(NodeAllocation policy);

/// MAXBALANCE: of the offers, those of the smallest range of speeds that serves the requirement,
/// the fastest of several; in order of affinity, then of nodes.  None if all together do not serve
/// it.  Where all nodes have the same speed, that of their processors counts.  Where affinity
/// differs, the range is that of the nodes that are chosen together with all that go before them.
std::vector<Offer> most_balanced(const Cluster& cluster, const Requirement& requirement,
                                 const std::vector<Offer>& offers);

/// CONTIGUOUS: the smallest unbroken row of nodes that serves the requirement comes first, then the
/// others from the largest on, so that a job lies on as few pieces as possible.  Where affinity
/// differs, rows are of those nodes that serve what the ones that go before them leave; a row next
/// to these is preferred.
void order_by_blocks(const Requirement& requirement, std::vector<Offer>& offers);

/// Places a requirement on the offers in their order; nothing if they do not serve it.
std::optional<Placement> place(const Requirement& requirement, std::uint32_t index,
                               const std::vector<Offer>& offers);

/// The same where each of the first `hosts` offers must take a task.
std::optional<Placement> place_on_hosts(const Requirement& requirement, std::uint32_t index,
                                        const std::vector<Offer>& offers, std::size_t hosts);

/// The measure by which MINRESOURCE prefers a node: the fewest configured resources.
struct ConfiguredSize {
  Resources::Quantity memory, procs, disk, swap;
  friend auto operator<=>(const ConfiguredSize&, const ConfiguredSize&) = default;
};
ConfiguredSize configured_size(const Node& node);

/// How fast a node is: its speed, then that of its processors (FASTEST).
struct Pace {
  double speed = 0;
  int proc_speed = 0;
  friend auto operator<=>(const Pace&, const Pace&) = default;
};
Pace pace_of(const Node& node);

}  // namespace maui
