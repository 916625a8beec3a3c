// A part of a reply that takes long to find out.  It is found out a step at a time, so that other
// clients are served meanwhile.
#pragma once
#include "maui/reply.h"

namespace maui {

class FollowUp {
 public:
  virtual ~FollowUp() = default;
  /// False: nothing is left to be found out.
  virtual bool step() = 0;
  /// True if it holds much memory, a copy of the queue or a long list: it is to be finished before
  /// others of the same party are begun.
  virtual bool is_large() const { return true; }
  /// Adds to the reply what has been found out.
  virtual void complete(Reply& reply) const = 0;
};

}  // namespace maui
