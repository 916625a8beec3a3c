// Reads credentials of munge without waiting for munged: a helper process does (src/maui_munge.cc).
//
// One is read at a time, the next one of the party whose turn it is.  Each has its time; if munged
// does not answer the helper is killed, and for a while nobody is asked.
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

/// The helper's path; an error says what is missing.
Result<std::string> munge_helper();
/// Fails if somebody is to be known by munge, and the helper is not there.
Status check_munge(const config::ClientAuthentication& clients);

struct MungeReaderOptions {
  std::string program;  // the helper's path; empty: it is not installed
  std::string socket;   // munged's; empty: at its usual place
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

  /// For those who ask from now on.
  void configure(MungeReaderOptions options);
  /// Calls `done` from the loop, once, within the patience; never from within this function.
  void read(const std::string& party, std::string credential, Done done);
  std::size_t waiting() const { return waiting_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Question {
    std::string credential;
    Done done;
    Clock::time_point until;
    bool again = false;  // another helper ended over it
  };
  using Socket = boost::asio::local::stream_protocol::socket;
  /// A helper that was started; what it was asked dies with it.
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
  std::map<std::string, std::deque<Question>> queues_;  // of each party
  std::deque<std::string> turns_;                       // of those who have one
  std::size_t waiting_ = 0;
  Question asked_;  // without `done`: nobody
  std::shared_ptr<Helper> helper_;
  boost::asio::steady_timer deadline_;
  Clock::time_point not_before_{};
  bool soon_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace maui
