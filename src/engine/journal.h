// Lines of the log, and events, that are about more than one decision (guide 14.2;
// docs/manual/log.md has the levels): nodes that go down and return, why each job waits, the
// outcome of an iteration.
#pragma once
#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "engine/engine_observer.h"
#include "maui/resource_manager.h"

namespace maui {

struct EngineKnowledge;

class Journal {
 public:
  /// Both outlive it.
  Journal(const EngineKnowledge& known, EngineObserver& observer)
      : known_(known), observer_(observer) {}

  /// `text` is called only if somebody wants the line.
  template <class Text>
  void log(int level, std::string_view facility, Text text) const {
    if (observer_.wants(level)) observer_.log(level, facility, text());
  }
  /// `words` is called only if somebody wants the event.
  template <class Words>
  void notify(EventType type, Words words) const {
    if (observer_.wants_events()) observer_.event({type, words()});
  }

  void step(std::string_view what) const;  // of this iteration
  void update(std::string_view manager, const Update& update) const;
  void node(NodeId id) const;
  void job(JobId id) const;
  /// `what` ("job") of that name has these nodes.
  void placement(std::string_view what, std::string_view name, const Placement& nodes) const;
  /// The node was in that state before: a change is logged, and is an event if it went down or
  /// is up again.  Returns true if it went down.
  bool node_state(NodeId id, NodeState before) const;
  /// These nodes went down: logs the jobs and reservations that have them, each an event.
  void lost_nodes(const std::vector<NodeId>& nodes) const;
  void priorities() const;
  /// A job whose turn did not come for its resources says so itself; of any other the limit is
  /// named that it would pass, or what else keeps it out.
  void rejections(Time now) const;
  void outcome() const;

 private:
  const EngineKnowledge& known_;
  EngineObserver& observer_;
};

}  // namespace maui
