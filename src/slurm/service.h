// The helper process: it serves WIKI requests on one stream and talks to Slurm without blocking.
//
// Requests are answered in order.  A separate thread calls slurmctld, because the calls block; if
// the thread is late, that request fails, and so do all later ones until the thread has returned.
// Between requests the helper checks Slurm each second, and whenever the gate writes a line to the
// event file; if anything has changed, it notifies the scheduler's event port.
#pragma once
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <string>

#include "proto/frame.h"
#include "slurm/adapter.h"

namespace maui::slurm {

struct ServiceOptions {
  std::string events;  // the file that the gate writes to; empty: none
  std::chrono::milliseconds answer_within{5000};
  std::chrono::milliseconds look_every{1000};
  // Commands come in sequence, and a look between them would only delay the next command.
  std::chrono::milliseconds rest_after_command{20};
  std::chrono::milliseconds measure_every{30000};  // like Slurm's own sampling; 0: never
};

/// Returns the reply as text, or a failure if that is longer than `most`.
std::string reply_text(const WikiReply& reply, std::size_t most = kMaxMessage);

class Service {
 public:
  using Log = std::function<void(const std::string&)>;

  /// `stream`: a connected socket, which the service closes at its end.  Requires that `adapter`
  /// outlives the service.
  Service(boost::asio::io_context& io, int stream, Adapter& adapter, Meter& meter,
          ServiceOptions options, Log log);
  ~Service();

  void start();
  /// Returns true if slurmctld owes an answer, so the thread cannot be joined.
  bool stuck() const { return tasks_ > 0 || measuring_; }

 private:
  void read();
  void next_request();
  void handle(const std::string& content);
  void ask(const WikiRequest& request);
  void worked();
  void reply(const WikiReply& reply);
  void watch_events();
  void read_events();
  void look_in(std::chrono::nanoseconds pause);
  void look();
  void notify_scheduler();
  void measure_in(std::chrono::nanoseconds pause);
  void measure();
  void measured(const Result<Usage>& usage, std::chrono::nanoseconds took);

  boost::asio::io_context& io_;
  boost::asio::posix::stream_descriptor stream_;
  boost::asio::posix::stream_descriptor events_;
  boost::asio::steady_timer deadline_, pause_, rest_;
  boost::asio::thread_pool slurm_{1}, meters_{1};
  Adapter& adapter_;
  Meter& meter_;
  ServiceOptions options_;
  Log log_;
  FrameDecoder decoder_{kMaxMessage};
  std::array<char, 8192> buffer_{};
  std::array<char, 4096> notices_{};
  std::string outgoing_;
  unsigned long asked_ = 0;  // number of the request that awaits its answer; 0: none
  unsigned long last_asked_ = 0;
  bool replying_ = false;
  int tasks_ = 0;            // queued or running in the thread
  bool overdue_ = false;     // the thread missed a deadline and has not returned
  bool look_again_ = false;  // something happened while it was busy
  std::chrono::steady_clock::time_point soonest_{};  // of the next look
  unsigned short event_port_ = 0;
  std::string event_word_;  // notifies the scheduler of changed jobs
  bool measuring_ = false;
  std::string meter_trouble_;  // the problem that was last logged
};

}  // namespace maui::slurm
