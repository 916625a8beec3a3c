// Nodes and jobs from WIKI records and back.
//
// Each kind has one table: a row binds an attribute's name to its reader and its writer.  Readers
// work in the order of the table, whatever the order in the record.  An attribute that cannot be
// understood is noted with the record, its name and what was expected, and costs that attribute;
// where it decides, a job is reported with that problem, and a node stays as it was.
//
// docs/resource-managers.md lists the attributes for people; the tests hold it to the tables.
#pragma once
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "maui/resource_manager.h"
#include "model/job_extensions.h"
#include "rm/wiki_record.h"

namespace maui {

/// States of a job (wider than JobState: they tell holds and ends apart).
enum class WikiState : std::uint8_t {
  idle,
  hold,         // the resource manager itself holds it back, for its user
  system_hold,  // the same, for an administrator
  both_holds,   // for the one and the other
  starting,
  running,
  suspended,
  completed,
  removed,
  unknown,
};

/// A job as a server reports it.  Of its times, Job::submitted, started, ended, earliest_start,
/// deadline and suspended_time are set where they are known.
struct WikiJob {
  explicit WikiJob(std::size_t most_hosts = kMostHosts);
  JobReport report;
  std::size_t most_hosts;  // that a list may have
  std::optional<WikiState> state;
  std::vector<std::string> task_list;  // where it runs: a name a task
  // The mark of HOSTLIST: "^" for nodes out of it, "*" for all and others, else empty.
  std::string host_mark;
  // MAXNODES is given: other nodes than those of HOSTLIST may be used, so many in all.
  bool max_nodes_given = false;
  std::vector<std::string> unknown_flags;
  bool barred = false;  // the server gives it priority 0, which is a hold while it waits
  int exit_code = 0;
  std::optional<JobUse> use;            // of all its tasks together
  Time used_until = kForever;           // when that was measured; now, if it is not reported
  int rejections = 0, reject_code = 0;  // starts that came to nothing, and how the last one did
  std::string message;                  // the server's words on what became of it

  bool ended() const { return state == WikiState::completed || state == WikiState::removed; }
  bool active() const { return state == WikiState::starting || state == WikiState::running; }
  bool held() const {
    return state == WikiState::hold || state == WikiState::system_hold ||
           state == WikiState::both_holds;
  }
};

/// Notes on a record: what is not known in it, and faults.
struct WikiNotes {
  std::set<std::string> unknown;      // "attribute FOO", "FLAGS=FOO"
  std::vector<std::string> problems;  // of what does not keep a record from being used
};

/// A node without STATE is down, one without processors has one.  Fails where it is not certain
/// what jobs it may have.
Result<NodeReport> read_wiki_node(const WikiRecord& record, WikiNotes& notes);
/// Reads a job's record.  An attribute that cannot be understood and decides where or when the job
/// may run is its report's problem, and so is a list of more hosts than `most_hosts`.
WikiJob read_wiki_job(const WikiRecord& record, WikiNotes& notes,
                      std::size_t most_hosts = kMostHosts);
/// The attributes of a job's record that are not read.
std::vector<UnusedAttribute> unused_job_attributes(const WikiRecord& record);
std::vector<UnusedAttribute> unused_node_attributes(const WikiRecord& record);
/// Which attributes it lacks that scheduling it takes, as text; empty if there are all.
std::string missing_in(const WikiJob& job);

/// Reservations: STARTTIME, ENDTIME, NODELIST, and PROCS where they are not of whole nodes.
ReservationReport read_wiki_reservation(const WikiRecord& record, WikiNotes& notes);
WikiRecord write_wiki_reservation(const ReservationReport& reservation);

/// `updated`: when something changed last; 0: not reported.
WikiRecord write_wiki_node(const NodeReport& node, Time updated = Time(0));
WikiRecord write_wiki_job(const WikiJob& job, Time updated = Time(0));

/// The attributes that are read, then those that are known and of no use here.
std::vector<std::string_view> wiki_node_attributes();
std::vector<std::string_view> wiki_job_attributes();

}  // namespace maui
