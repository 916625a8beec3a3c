// The WIKI server of wiki_rm: it takes a scheduler's requests over TCP, and submissions and holds
// through a socket that only its owner can open.
//
// The server compares the generations of schedulers: a scheduler that has lost the lease may read
// the state but not change it, however late its request arrives.
#pragma once
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "local_rm/cluster.h"
#include "rm/wiki_message.h"

namespace maui {

struct LocalServerOptions {
  EmulatedNodes nodes;
  int port = 0, event_port = 0;
  std::string socket;  // for the owner's commands
  std::optional<WikiSeal> seal;
  Seconds keep{300};
  int refuse_starts = 0;              // number of starts to refuse, to test the scheduler
  std::chrono::seconds deadline{60};  // of a request and its answer
  std::size_t most_bytes = std::size_t{1} << 26;  // of all requests under way over TCP
};

/// Returns the address of a socket with that path; fails if the path is too long for one.
Result<boost::asio::local::stream_protocol::endpoint> socket_place(const std::string& path);

class LocalServer {
 public:
  LocalServer(boost::asio::io_context& io, LocalServerOptions options);
  Status listen();
  int port() const;

 private:
  template <class Acceptor>
  void accept(Acceptor& acceptor, bool owner);
  std::string answer(std::string_view content, bool owner);
  /// Returns a refusal if the scheduler has lost the lease; none if it may make this request.
  std::optional<WikiReply> refusal_if_late(const WikiRequest& request);
  WikiReply reply_to(const WikiRequest& request, bool owner);
  Result<WikiReply> records(const WikiRequest& request) const;
  Status start(const WikiRequest& request);
  Status modify(const WikiRequest& request);
  Result<std::string> submit(const WikiRequest& request);
  void ring();
  void await_child();
  void await_tick();

  boost::asio::io_context& io_;
  LocalServerOptions options_;
  LocalCluster cluster_;
  std::int64_t generation_ = 0;  // the newest generation of a request
  boost::asio::ip::tcp::acceptor network_;
  boost::asio::local::stream_protocol::acceptor local_;
  boost::asio::signal_set children_;
  boost::asio::steady_timer tick_;
  std::shared_ptr<const bool> visits_ = std::make_shared<const bool>(true);  // held by each visit
  std::shared_ptr<std::size_t> bytes_ = std::make_shared<std::size_t>(0);    // that visits hold
};

/// Encode text as one word of a request, and decode it.
std::string one_word(std::string_view text);
std::string plain_words(std::string_view word);

}  // namespace maui
