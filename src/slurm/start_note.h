// The note that maui leaves in the admin_comment of a job that it starts.
//
// A start changes what the job asked for: its nodes and their number.  The note keeps what it asked
// for itself, in Slurm, so that a start that fails and a job that comes back can be put right by
// whoever finds them, also after a restart.  Only root can write admin_comment.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "slurm/cluster.h"

namespace maui::slurm {

struct StartNote {
  std::optional<Time> started;       // a start that was asked for and is not taken back
  int min_nodes = 1, max_nodes = 0;  // asked for by the job
  int set_nodes = 0;                 // set by the start, as least and most
  int min_cpus = 1;                  // asked for by the job, on each node
  std::string required_nodes;
  friend bool operator==(const StartNote&, const StartNote&) = default;
};

/// "maui start=1795165419 nodes=1-0 set=2 cpus=1 on=n1,n2"
std::string write_note(const StartNote& note);
/// Nothing if the text is no such note.
std::optional<StartNote> read_note(std::string_view text);

/// The job as its owner asked for it.  What was changed behind the note stays changed.
Job as_asked(Job job);

}  // namespace maui::slurm
