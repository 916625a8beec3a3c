// The note that maui leaves in the admin_comment of a job that it starts.
//
// A start changes what the job asked for: its nodes and their number.  The note keeps what it asked
// for itself, in Slurm, so that a start that fails and a job that comes back can be put right by
// whoever finds them, also after a restart.  Only root can write admin_comment.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "slurm/cluster.h"

namespace maui::slurm {

struct StartNote {
  std::string words;                           // before it, for users
  std::optional<Time> started;                 // a start that was asked for and is not taken back
  std::int64_t generation = 0;                 // of the lease, of who asked for it; 0: none
  int min_nodes = 1, max_nodes = 0;            // asked for by the job
  int set_nodes = 0;                           // set by the start, as least and most
  int min_cpus = 1;                            // asked for by the job, on each node
  bool overcommitted = false;                  // Job::overcommitted, before anything was changed
  std::string required_nodes, excluded_nodes;  // asked for by the job
  std::vector<int> shares;                     // tasks of the start, by node in Slurm's order
  // Starts that came to nothing, how the last one did as obstacle_of() knows it, and Slurm's word.
  int refusals = 0, refusal_code = 0;
  std::string refusal;
  friend bool operator==(const StartNote&, const StartNote&) = default;
};

/// "maui: started 2026-11-22T13:40:00 | maui start=1795165419 generation=7 nodes=1-0 set=2 cpus=1
/// on=n1,n2 not=n3 over=1 share=3,1 refused=1 code=-913 why=Licenses"
std::string write_note(const StartNote& note);
/// The words for users in the text; empty if there are none.
std::string_view words_in(std::string_view text);
/// Nothing if the text is no such note.
std::optional<StartNote> read_note(std::string_view text);

/// The job as its owner asked for it.  What was changed behind the note stays changed.
Job as_asked(Job job);

}  // namespace maui::slurm
