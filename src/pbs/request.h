// Requests to a PBS server, as bytes.
//
// Each function returns a complete request of a user, without a packet; packet() adds one for the
// dialects that use packets.  Source: recorded exchanges (tests/data/pbs).
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "pbs/attribute.h"
#include "pbs/dialect.h"

namespace maui::pbs {

enum class RequestCode : int {
  connect = 0,
  delete_job = 6,
  hold_job = 7,
  manager = 9,
  message_job = 10,
  modify_job = 11,
  release_job = 13,
  rerun = 14,
  run_job = 15,
  signal_job = 18,
  status_job = 19,
  status_queue = 20,
  status_server = 21,
  async_run_job = 23,
  authenticate_user = 49,
  select_status = 51,
  status_node = 58,
  disconnect = 59,
  authenticate_by_credential = 61,
  answer_scheduling = 80,
  authenticate = 95,
  async_run_job_answered = 97,
  register_scheduler = 98,
  delete_jobs = 100,
};

enum class Command : int { create = 0, remove = 1, set = 2, unset = 3 };
enum class ObjectKind : int { server = 0, queue = 1, job = 2, node = 3 };

/// Makes the requests of one user.
class Requests {
 public:
  explicit Requests(std::string user) : user_(std::move(user)) {}

  std::string connect() const;
  std::string disconnect() const;
  /// Asks for the state of all objects of a kind, or of the object `name`.  `wanted`: attributes to
  /// report; empty: all.
  std::string status(RequestCode code, std::string_view name = {},
                     std::span<const std::string_view> wanted = {},
                     std::string_view extension = {}) const;
  /// Starts a job; `code` decides whether the server waits for the start before it answers.
  std::string run(RequestCode code, std::string_view job, std::string_view destination) const;
  std::string manage(RequestCode code, Command command, ObjectKind kind, std::string_view name,
                     std::span<const Attribute> attributes, std::string_view extension = {}) const;
  std::string rerun(std::string_view job, std::string_view extension = {}) const;
  std::string signal(std::string_view job, std::string_view signal) const;
  std::string message(std::string_view job, std::string_view text) const;
  std::string delete_jobs(std::span<const std::string> jobs) const;
  /// Vouches for the connection from `port` of this host: for TORQUE, and for OpenPBS.
  std::string vouch_bare(int port) const;
  std::string vouch_framed(int port) const;
  /// Vouches by munge for the connection, from `port`, that carries the request: for TORQUE with
  /// the credential, and for OpenPBS, which expects the credential in a later packet.
  std::string munge_bare(int port, std::string_view credential) const;
  std::string munge_framed() const;
  std::string register_scheduler(std::string_view name) const;
  /// Answers a user's request to start a job: it was started, or (`error` not 0) it was not.
  std::string answer_scheduling(int command, std::string_view job, int error,
                                std::string_view text) const;

 private:
  std::string whole(RequestCode code, std::string body, std::string_view extension = {}) const;
  std::string user_;
};

/// Returns `payload` in the form in which it is sent.
std::string packet(std::string payload, Dialect dialect);
/// Returns the packet with a credential, for dialects with packets.
std::string credential_packet(std::string_view credential);

}  // namespace maui::pbs
