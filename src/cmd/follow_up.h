// The part of a reply that takes long to compute.  It is computed step by step, and other clients
// are served in between.
#pragma once
#include "maui/reply.h"

namespace maui {

class FollowUp {
 public:
  virtual ~FollowUp() = default;
  /// Executes a step; returns false if no work is left.
  virtual bool step() = 0;
  /// True if the object holds much memory, such as a copy of the queue or a long list: it should be
  /// finished before other requests of its party begin.
  virtual bool is_large() const { return true; }
  /// Adds the results to the reply.
  virtual void complete(Reply& reply) const = 0;
};

}  // namespace maui
