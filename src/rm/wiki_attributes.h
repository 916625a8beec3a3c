// Nodes and jobs from WIKI records and back.
//
// Each kind has one table: a row binds an attribute's name to its reader and its writer.  Readers
// work in the order of the table, whatever the order in the record.  What is read is whole or
// refused: an error names the record, the attribute and what was expected.
//
// docs/resource-managers.md lists the attributes for people; the tests hold it to the tables.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "maui/resource_manager.h"
#include "rm/wiki_record.h"

namespace maui {

/// States of a job (wider than JobState: they tell holds and ends apart).
enum class WikiState : std::uint8_t {
  idle,
  hold,  // the resource manager itself holds it back
  starting,
  running,
  suspended,
  completed,
  removed,
  unknown,
};

/// A job as a server tells of it.  Of its times, Job::submitted, started, ended, earliest_start,
/// deadline and suspended_time are set where they are known.
struct WikiJob {
  WikiJob();
  JobReport report;
  std::optional<WikiState> state;
  std::vector<std::string> task_list;  // where it runs: a name a task
  std::string
      host_mark;       // of HOSTLIST: "^" for nodes out of it, "*" for all and others, else empty
  int most_nodes = 0;  // MAXNODES, or the end of NODERANGE
  int exit_code = 0;
  std::string message;  // the server's words on what became of it

  bool ended() const { return state == WikiState::completed || state == WikiState::removed; }
  bool active() const { return state == WikiState::starting || state == WikiState::running; }
};

/// What was found beside what is known.
struct WikiNotes {
  std::set<std::string> unknown;      // names of attributes
  std::vector<std::string> problems;  // of what does not keep a record from being used
};

/// A node without STATE is down, one without processors has one.
Result<NodeReport> read_wiki_node(const WikiRecord& record, WikiNotes& notes);
Result<WikiJob> read_wiki_job(const WikiRecord& record, WikiNotes& notes);
/// Which attributes it lacks that scheduling it takes, as text; empty if there are all.
std::string missing_in(const WikiJob& job);

/// `updated`: when something changed last; 0: not told.
WikiRecord write_wiki_node(const NodeReport& node, Time updated = Time(0));
WikiRecord write_wiki_job(const WikiJob& job, Time updated = Time(0));

/// The attributes that are read, then those that are known and of no use here.
std::vector<std::string_view> wiki_node_attributes();
std::vector<std::string_view> wiki_job_attributes();

}  // namespace maui
