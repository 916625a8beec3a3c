// What the server answers: one plain struct a command, and a refusal.
//
// Replies carry facts, never formatted text: times as epoch seconds, durations
// as seconds, amounts as numbers (-1: without limit where the field says so).
// src/render turns a reply into the text of release 3.3 or into JSON, whose
// member names are those of the structs and do not change.
#pragma once
#include <string>
#include <variant>

#include "maui/replies/config.h"
#include "maui/replies/control.h"
#include "maui/replies/diagnosis.h"
#include "maui/replies/job.h"
#include "maui/replies/node.h"
#include "maui/replies/queue.h"
#include "maui/replies/reservation.h"
#include "maui/replies/statistics.h"

namespace maui {

/// The command was understood and refused, or failed; `reason` is one clear sentence.
struct Refusal {
  std::string reason;
};

using Reply =
    std::variant<Refusal /* , one struct a command */>;

}  // namespace maui
