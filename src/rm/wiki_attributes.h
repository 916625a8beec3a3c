// Converts WIKI records to nodes and jobs, and back.
//
// Nodes and jobs have one table each: a row binds an attribute's name to its reader and its writer.
// Readers run in the order of the table, whatever the order in the record.  An invalid attribute is
// ignored and noted with the record, its name and what was expected.  If it decides where or when a
// job runs, the job is reported with that problem, and a node keeps its previous state.
//
// docs/resource-managers.md documents the attributes; tests compare it with the tables.
#pragma once
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "maui/resource_manager.h"
#include "model/job_extensions.h"
#include "rm/wiki_record.h"

namespace maui {

/// States of a job (more detailed than JobState: they distinguish kinds of holds and of ends).
enum class WikiState : std::uint8_t {
  idle,
  hold,         // user hold in the resource manager
  system_hold,  // system hold in the resource manager
  both_holds,   // user hold and system hold
  starting,
  running,
  suspended,
  completed,
  removed,
  unknown,
};

/// The values of HOSTLIST and EXCLUDE_HOSTLIST as they are written.
struct WrittenHosts {
  std::string listed, excluded;
};

/// A job as a server reports it.  Of its times, Job::submitted, started, ended, earliest_start,
/// deadline and suspended_time are set if they are known.
struct WikiJob {
  explicit WikiJob(std::size_t most_hosts = kMostHosts);
  JobReport report;
  std::size_t most_hosts;  // the most hosts that a list may have
  std::optional<WikiState> state;
  std::vector<std::string> task_list;  // the nodes of the job: a name for each task
  // The suffix of HOSTLIST: "^" to choose among its nodes, "*" for all of them and others, or "".
  std::string host_mark;
  /// Set where many jobs have the same hosts: written instead of the report's lists, which are
  /// empty.
  std::shared_ptr<const WrittenHosts> shared_hosts;
  // True if MAXNODES is given: nodes beyond HOSTLIST may be used, up to that number in all.
  bool max_nodes_given = false;
  bool apart = true;  // no node serves two of its requirements
  std::vector<std::string> unknown_flags;
  std::string ignored_extensions;  // of its comment, with what was expected
  bool barred = false;             // priority 0 in the server, which is a hold while the job waits
  int exit_code = 0;
  std::optional<JobUse> use;            // of all tasks together
  Time used_until = kForever;           // the time of that measurement; kForever: now
  int rejections = 0, reject_code = 0;  // failed starts; code of the last failure
  std::string message;                  // the server's message about the job's outcome

  bool ended() const { return state == WikiState::completed || state == WikiState::removed; }
  bool active() const { return state == WikiState::starting || state == WikiState::running; }
  /// True if no run is reported; a run that it has had is over.
  bool waits() const { return !active() && !ended() && state != WikiState::suspended; }
  bool held() const {
    return state == WikiState::hold || state == WikiState::system_hold ||
           state == WikiState::both_holds;
  }
};

/// Returns the hosts of the job as they are written.
WrittenHosts written_hosts(const WikiJob& job);

/// Notes on a record: unknown attributes, and faults.
struct WikiNotes {
  std::set<std::string> unknown;      // "attribute FOO", "FLAGS=FOO"
  std::vector<std::string> problems;  // faults that do not make the record unusable
};

/// Reads a node's record.  A node without STATE is down; without a number of processors it has one.
/// Fails if it cannot be determined which jobs may use the node.
Result<NodeReport> read_wiki_node(const WikiRecord& record, WikiNotes& notes);
/// Reads a job's record.  Sets the report's problem if an attribute that decides where or when the
/// job may run is invalid, or if a list has more than `most_hosts` hosts; for a waiting job also if
/// such an extension in its comment is.
WikiJob read_wiki_job(const WikiRecord& record, WikiNotes& notes,
                      std::size_t most_hosts = kMostHosts);
/// Returns the attributes of a record that the scheduler does not read, and the flags and
/// extensions that it does not understand.
std::vector<UnusedAttribute> unused_job_attributes(const WikiRecord& record,
                                                   std::size_t most_hosts = kMostHosts);
std::vector<UnusedAttribute> unused_node_attributes(const WikiRecord& record);
/// Returns the missing attributes that scheduling requires, as text; empty if there are none.
std::string missing_in(const WikiJob& job);

/// Reservations: STARTTIME, ENDTIME, NODELIST, and PROCS if they do not hold whole nodes.
ReservationReport read_wiki_reservation(const WikiRecord& record, WikiNotes& notes);
WikiRecord write_wiki_reservation(const ReservationReport& reservation);

/// `updated`: the time of the last change; 0: not reported.
WikiRecord write_wiki_node(const NodeReport& node, Time updated = Time(0));
WikiRecord write_wiki_job(const WikiJob& job, Time updated = Time(0));

/// Return the attributes that are read, followed by those that are known but unused.
std::vector<std::string_view> wiki_node_attributes();
std::vector<std::string_view> wiki_job_attributes();

}  // namespace maui
