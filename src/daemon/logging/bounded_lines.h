// The lines of the log that others can cause in any number (docs/security.md, "What is logged").
//
// Clients that are not administrators have a number of lines; jobs and reports have a share of the
// log that LOGFILEMAXSIZE and LOGFILEROLLDEPTH keep, so that whatever is reported, the log reaches
// back for more than a day.  Lines beyond that are counted.
#pragma once
#include <array>
#include <string_view>

#include "daemon/logging/line_budget.h"
#include "daemon/logging/log.h"
#include "engine/engine_observer.h"

namespace maui {

class BoundedLines {
 public:
  using Moment = LineBudget::Moment;

  /// The log must outlive this.
  explicit BoundedLines(Log& log) : log_(log) { configure({}); }

  /// Shares out the log that these settings keep.
  void configure(const LogSettings& settings);
  /// Writes a line unless the party has caused too many.  From LOGLEVEL 5 on, and about what is
  /// trapped, all lines of jobs and reports are written: those are for seeing everything.
  void write(LineCause cause, std::string_view party, int level, std::string_view facility,
             std::string_view text, Moment now);
  /// Writes how many lines were left out about parties of which none was for a minute.
  void tell(Moment now);

 private:
  LineBudget& budget_of(LineCause cause) { return budgets_[static_cast<std::size_t>(cause)]; }
  void write_withheld(const LineBudget::Withheld& withheld);

  Log& log_;
  double kept_ = 0;  // bytes that are shared out
  std::array<LineBudget, kLineCauses> budgets_;
};

}  // namespace maui
