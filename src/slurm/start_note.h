// The note that maui writes to the admin_comment of a job that it starts.
//
// A start changes what the job asked for: its nodes and their number.  The note keeps the original
// request in Slurm itself, so that any scheduler can restore it after a failed start or a requeue,
// even after a restart of maui.  Only root can write admin_comment.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slurm/cluster.h"

namespace maui::slurm {

struct StartNote {
  std::string words;                           // the text for users, before the note
  std::optional<Time> started;                 // a start that was requested and is not reverted
  std::int64_t generation = 0;                 // of the lease under which it was requested; 0: none
  int min_nodes = 1, max_nodes = 0;            // requested by the job
  int set_nodes = 0;                           // set by the start, as minimum and maximum
  int min_cpus = 1;                            // requested by the job, on each node
  bool overcommitted = false;                  // Job::overcommitted, before any change
  std::string required_nodes, excluded_nodes;  // requested by the job
  std::vector<int> shares;                     // tasks of the start, by node in Slurm's order
  // The failed starts, the last failure's code for obstacle_of(), and Slurm's reason.
  int refusals = 0, refusal_code = 0;
  std::string refusal;
  friend bool operator==(const StartNote&, const StartNote&) = default;
};

/// "maui: started 2026-11-22T13:40:00 | maui start=1795165419 generation=7 nodes=1-0 set=2 cpus=1
/// on=n1,n2 not=n3 over=1 share=3,1 refused=1 code=-913 why=Licenses"
std::string write_note(const StartNote& note);
/// Returns the part of the text for users; empty if there is none.
std::string_view words_in(std::string_view text);
/// Returns nullopt if the text is not such a note.
std::optional<StartNote> read_note(std::string_view text);

/// Returns the job as its owner submitted it.  Changes made since the note stay in effect.
Job as_asked(Job job);

}  // namespace maui::slurm
