// The tools with which every part of the engine works: the knowledge, the resource manager, the
// clock, the log, and those who observe.
//
// A part is given them when it is made, with the other parts that it calls and nothing else, so
// that each constructor shows who depends on whom.
#pragma once
#include <functional>
#include <string_view>
#include <utility>

#include "engine/journal.h"
#include "maui/clock.h"
#include "maui/resource_manager.h"
#include "maui/units.h"

namespace maui {

class EngineObserver;
struct EngineKnowledge;

struct EngineTools {
  /// All of them outlive it.
  EngineTools(EngineKnowledge& knowledge, ResourceManager& manager, const Clock& time,
              EngineObserver& listener)
      : known(knowledge),
        rm(manager),
        clock(time),
        observer(listener),
        journal(knowledge, listener) {}
  EngineTools(const EngineTools&) = delete;
  EngineTools& operator=(const EngineTools&) = delete;

  Time now() const { return clock.now(); }
  template <class Text>
  void log(int level, std::string_view facility, Text text) const {
    journal.log(level, facility, std::move(text));
  }
  /// The resource manager has refused to `action` ("cancel job") what is called `name`.
  void log_refusal(std::string_view action, std::string_view name, std::string_view why) const;
  /// The resource manager, which is asked to do something.
  ResourceManager& asked() const;
  /// Calls `next` once others have had their turn.
  void after_others(std::function<void()> next) const;
  /// Calls `step` until it says that all is done, others having their turn in between, and `next`.
  void in_slices(std::function<bool()> step, std::function<void()> next) const;

  EngineKnowledge& known;
  ResourceManager& rm;
  const Clock& clock;
  EngineObserver& observer;
  const Journal journal;
};

}  // namespace maui
