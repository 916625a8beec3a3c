// Decodes munge credentials through a helper process (src/maui_munge.cc), never waiting for munged.
//
// Credentials are decoded one at a time, with the parties taking turns.  Each has a time limit; if
// munged does not answer in time, the helper is killed, and nothing is decoded for a while.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/streambuf.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "config/client_authentication.h"
#include "maui/result.h"
#include "proto/credential.h"

namespace maui {

/// Returns the helper's path; an error says what is missing.
Result<std::string> munge_helper();
/// Returns an error if some clients authenticate by munge but the helper is not installed.
Status check_munge(const config::ClientAuthentication& clients);

struct MungeReaderOptions {
  std::string program;  // the helper's path; empty: it is not installed
  std::string socket;   // munged's socket; empty: the usual path
  std::chrono::milliseconds patience{5000}, pause{1000};
  friend bool operator==(const MungeReaderOptions&, const MungeReaderOptions&) = default;
};

class MungeReader {
 public:
  using Done = std::function<void(Result<Voucher>)>;
  using Log = std::function<void(int level, std::string_view text)>;

  MungeReader(boost::asio::io_context& io, MungeReaderOptions options, Log log);
  ~MungeReader();
  MungeReader(const MungeReader&) = delete;
  MungeReader& operator=(const MungeReader&) = delete;

  /// Sets options for later requests.
  void configure(MungeReaderOptions options);
  /// Calls `done` once, from the loop and within `patience`; never from within read().
  void read(const std::string& party, std::string credential, Done done);
  std::size_t waiting() const { return waiting_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Question {
    std::string credential;
    Done done;
    Clock::time_point until;
    bool again = false;  // a helper ended while decoding it
  };
  using Socket = boost::asio::local::stream_protocol::socket;
  /// A running helper; a question it has not answered is lost when it ends.
  struct Helper {
    explicit Helper(boost::asio::io_context& io) : socket(io) {}
    Socket socket;
    boost::asio::streambuf answer{kMostCredential};
    std::string question;
    pid_t process = -1;
  };

  void next();
  bool take_next(Question& into);
  Status ask();
  Status start();
  void has_ended();
  void has_answered(std::string_view line);
  void finish(Result<Voucher> read);
  void give_up(const std::string& why);
  void end_helper();

  boost::asio::io_context& io_;
  MungeReaderOptions options_;
  Log log_;
  std::map<std::string, std::deque<Question>> queues_;  // by party
  std::deque<std::string> turns_;                       // parties with a queue
  std::size_t waiting_ = 0;
  Question asked_;  // `done` is empty: none
  std::shared_ptr<Helper> helper_;
  boost::asio::steady_timer deadline_;
  Clock::time_point not_before_{};
  bool soon_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace maui
