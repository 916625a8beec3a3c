// The precision with which requests tell nodes apart by their memory, swap and disk.
//
// Nodes of one model rarely have exactly the same memory, and what is in use of it differs on every
// node.  As long as no request can tell two such nodes apart, they are equal to the scheduler.
#pragma once
#include <array>
#include <map>

#include "maui/request.h"
#include "maui/resources.h"

namespace maui {

/// The amounts that a set of requests asks for.
class AskedAmounts {
 public:
  void add(const Request& request) { count(request, 1); }
  /// Requires that the request was added.
  void remove(const Request& request) { count(request, -1); }

  /// Returns the greatest common divisor of all amounts per task; 0 if no task asks for any.
  Resources::Quantity grain(ConsumableId what) const { return asked_[what.index()].grain; }
  /// True if some request compares what nodes have in all: with a bound, or with each other, as
  /// node sets of equal memory do.
  bool compared(ConsumableId what) const { return asked_[what.index()].comparisons > 0; }

 private:
  struct Asked {
    std::map<Resources::Quantity, int> times;  // how many requirements ask for an amount per task
    Resources::Quantity grain = 0;
    int comparisons = 0;

    void count(Resources::Quantity amount, int by);
  };

  void count(const Request& request, int by);

  std::array<Asked, kElementary> asked_;
};

}  // namespace maui
