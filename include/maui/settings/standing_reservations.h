// The settings of a standing reservation: SRCFG and the older SR* parameters (seed 7.1.5.2).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "maui/access_list.h"
#include "maui/resources.h"
#include "maui/units.h"

namespace maui {

enum class StandingPeriod : std::uint8_t { day, week, infinity };

/// An entry of USERLIST or a similar list: [!]NAME[+|-|=][*].
struct AccessWord {
  AccessKind kind = AccessKind::user;
  /// The credential's name; "ALL": every credential.  Other kinds use `value`.
  std::string name;
  std::int64_t value = 0;
  Comparison compare = Comparison::at_most;
  Affinity affinity = Affinity::positive;
  bool negated = false, required = false;
  friend bool operator==(const AccessWord&, const AccessWord&) = default;
};

enum class TriggerEvent : std::uint8_t { create, start, end, min_load };
enum class TriggerAction : std::uint8_t { cancel, execute, submit };

/// EVENT[+OFFSET][@THRESHOLD];ACTION[@DATA]
struct Trigger {
  TriggerEvent event = TriggerEvent::create;
  Seconds offset{0};     // delay after the event
  double threshold = 0;  // min_load: the share of its processors that jobs must use
  TriggerAction action = TriggerAction::cancel;
  std::string data;  // execute: a program; submit: a job script
  friend bool operator==(const Trigger&, const Trigger&) = default;
};

struct StandingReservationSettings {
  std::string name;                             // SRNAME; empty: the index
  std::string hosts;                            // HOSTLIST: host names and expressions; empty: any
  int tasks = 0;                                // TASKCOUNT; 0: as many as the hosts hold
  Resources per_task{-1};                       // RESOURCES; processors -1: everything on a node
  int tasks_per_node = 0;                       // TPN: tasks that an eligible node must hold
  std::vector<std::string> features;            // NODEFEATURES, SRFEATURES
  std::string partition;                        // PARTITION; empty: any
  bool shared = false;                          // ACCESS SHARED: may overlap other reservations
  StandingPeriod period = StandingPeriod::day;  // PERIOD
  std::uint8_t days = 0x7f;                     // DAYS; bit 0: Sunday
  int depth = 2;                                // DEPTH: number of periods ahead
  std::optional<Seconds> start, end;            // STARTTIME, ENDTIME
  std::optional<Seconds> week_start, week_end;  // WSTARTTIME, WENDTIME: for PERIOD WEEK
  std::int64_t priority = 0;                    // PRIORITY: the higher chooses nodes first
  std::uint16_t flags = 0;                      // FLAGS: bits of ReservationFlag
  std::vector<AccessWord> access;  // *LIST, JOBATTRLIST, PROCLIMIT, TASKLIMIT, TIMELIMIT
  bool time_and = false;           // TIMELOGIC AND: TIMELIMIT is required
  std::string owner;               // OWNER: KIND:NAME
  std::string charge_account;      // CHARGEACCOUNT
  std::vector<Trigger> triggers;   // TRIGGER
  friend bool operator==(const StandingReservationSettings&,
                         const StandingReservationSettings&) = default;
};

/// By index, SRCFG[index].
using StandingReservations = std::map<std::string, StandingReservationSettings, std::less<>>;

}  // namespace maui
