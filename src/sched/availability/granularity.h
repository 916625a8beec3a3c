// The accuracy with which a model of availability knows the memory, swap and disk of nodes.
//
// If all requests ask for multiples of 1 GB per task, a node with 15.6 GB serves them like a node
// with 15 GB; and if none asks for memory, all nodes have enough.  Therefore, amounts are rounded
// down to what requests can tell apart, and nodes that differ in less are equal.  No answer
// changes.
#pragma once
#include <array>

#include "maui/asked_amounts.h"
#include "maui/resources.h"

namespace maui {

class Granularity {
 public:
  /// Amounts as they are: for questions of any request.
  Granularity();
  /// For questions of these requests.  `by_size`: nodes are also compared by their size.
  Granularity(const AskedAmounts& asked, bool by_size);

  /// True if amounts are as they are.
  bool exact() const;
  /// True if answers under this granularity are exact for all requests that `coarser` is for.
  bool serves(const Granularity& coarser) const;
  /// True if the requests that it is for may ask for this amount per task.
  bool covers(const Resources& per_task) const;
  /// True if an amount in use on a node leaves no remainder.  Where some does, the node's amounts
  /// must not be rounded.
  bool divides(const Resources& amount) const;

  /// Returns the resources that jobs find on a node, rounded down.
  Resources rounded(Resources amount) const;
  /// Returns what a reservation keeps of a node that has `configured` in all.  The remainder of the
  /// node is part of a reservation of the whole node, so it is rounded down, too.
  Resources reserved(Resources amount, const Resources& configured) const;
  /// Returns what a node has in all, rounded down as far as requests cannot tell.
  Resources configured(Resources amount) const;

 private:
  std::array<Resources::Quantity, kElementary> grains_;  // 0: nobody asks
  std::array<bool, kElementary> compared_;               // what nodes have in all, as it is
};

}  // namespace maui
