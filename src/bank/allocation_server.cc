#include "bank/allocation_server.h"

#include <fmt/format.h>

#include <memory>

#include "bank/allocation_lines.h"
#include "net/tcp_question.h"

namespace maui {
namespace {

constexpr std::size_t kLongestAnswer = 4096;

}  // namespace

AllocationServer::AllocationServer(boost::asio::io_context& io, AllocationServerOptions options)
    : io_(io), options_(std::move(options)) {}

AllocationServer::~AllocationServer() { *alive_ = false; }

void AllocationServer::ask(const AllocationRequest& request, Answer done) {
  waiting_.emplace_back(allocation_line(request), std::move(done));
  next();
}

void AllocationServer::next() {
  while (!waiting_.empty() && open_ < options_.at_once) {
    auto [line, done] = std::move(waiting_.front());
    waiting_.pop_front();
    ++open_;
    call(line, std::move(done));
  }
}

void AllocationServer::call(const std::string& line, Answer done) {
  auto reply = std::make_shared<std::string>();
  TcpQuestion question{options_.host, options_.port, options_.timeout, line + '\n', {}, {}};
  question.take = [reply](std::string_view bytes) -> Result<bool> {
    reply->append(bytes);
    const auto end = reply->find('\n');
    if (end == std::string::npos && reply->size() > kLongestAnswer)
      return Error{fmt::format("the answer exceeds {} bytes", kLongestAnswer)};
    if (end != std::string::npos) reply->resize(end + 1);
    return end != std::string::npos;
  };
  question.done = [this, alive = alive_, reply, done = std::move(done)](const Status& status,
                                                                        bool) {
    if (*alive) ended(status, *reply, done);
  };
  ask_over_tcp(io_, std::move(question));
}

// The callbacks may make new requests.
void AllocationServer::ended(const Status& status, std::string_view reply, const Answer& done) {
  --open_;
  if (status) {
    done(parse_allocation_answer(reply));
  } else {
    const AllocationAnswer failed{AllocationVerdict::failed, status.error().what};
    const auto waiting = std::exchange(waiting_, {});
    for (const auto& [line, other] : waiting) other(failed);
    done(failed);
  }
  next();
}

}  // namespace maui
