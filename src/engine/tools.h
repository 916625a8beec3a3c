// The tools that every part of the engine uses: the knowledge, the resource manager, the clock,
// the log and the observer.
//
// The constructor of a part takes the tools and the other parts that it calls, and nothing else of
// the engine, so that each constructor shows what a part depends on.
#pragma once
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "engine/journal.h"
#include "maui/clock.h"
#include "maui/resource_manager.h"
#include "maui/result.h"
#include "maui/units.h"

namespace maui {

class EngineObserver;
struct EngineKnowledge;

/// Says that the resource manager has refused to `action` ("cancel job 'a'"), or has not answered.
Error not_done(std::string_view action, const Error& error);

struct EngineTools {
  /// All arguments must outlive the tools.
  EngineTools(EngineKnowledge& knowledge, ResourceManager& manager, Clock& time,
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
  template <class Text>
  void log_of_job(JobId job, int level, std::string_view facility, Text text) const {
    journal.log_of_job(job, level, facility, std::move(text));
  }
  /// `manager`: a name; empty: that of the only one.
  template <class Text>
  void log_report(std::string_view manager, int level, std::string_view facility, Text text) const {
    journal.log_report(manager.empty() ? rm.name() : manager, level, facility, std::move(text));
  }
  /// A job's name and user, for a line that may be written when the job is gone.
  struct JobLabel {
    std::string name, user;
  };
  JobLabel label(const Job& job) const;
  /// Logs not_done(); `action`: "cancel job".
  void log_refusal(std::string_view action, const JobLabel& job, const Error& error) const;
  /// Returns the names of the resource managers that are configured.
  std::set<std::string> managers() const;
  /// Returns the name of the job's resource manager.  A report need not name the only one.
  std::string manager_of(const Job& job) const;
  /// Returns the resource manager, for a request to it; notes that a request is made.
  ResourceManager& asked() const;
  /// Yields to other work, then calls `next`.
  void after_others(std::function<void()> next) const;
  /// Calls `step` until it returns true, yielding to other work in between, then calls `next`.
  // Most steps are the only ones: these take no memory.
  template <class Step>
  void in_slices(Step step, std::function<void()> next) const {
    if (step()) return next();
    go_on_in_slices(std::move(step), std::move(next));
  }

  EngineKnowledge& known;
  ResourceManager& rm;
  Clock& clock;
  EngineObserver& observer;
  const Journal journal;

 private:
  void go_on_in_slices(std::function<bool()> step, std::function<void()> next) const;
};

}  // namespace maui
