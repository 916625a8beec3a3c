#include "pbs/registration.h"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>

#include "pbs/steps.h"

namespace maui::pbs {
namespace {

constexpr int kSchedulerConnected = 15230;
constexpr int kBadHost = 15008;
// The event number of a user's qrun.
constexpr std::int64_t kRunThis = 11;

}  // namespace

Task<Status> Registration::say_name(Connection& connection) {
  std::string request = Requests(server_->options.user).register_scheduler("default");
  const Result<Reply> reply = co_await connection.ask(std::move(request), server_->options.timeout);
  if (!reply) co_return reply.error();
  if (reply->code == 0) co_return Done{};
  if (reply->code == kSchedulerConnected)
    co_return Error{"another scheduler is registered with the server: stop pbs_sched"};
  if (reply->code == kBadHost)
    co_return Error{fmt::format(
        "the server accepts a scheduler only from the address of its own host name (PBS error {}): "
        "use that name, as in RMCFG[base] HOST=headnode, or set sched_host to maui's host",
        reply->code)};
  co_return Error{fmt::format("the server does not accept maui as its scheduler: {}",
                              refusal(*reply, Family::openpbs).text)};
}

Task<Status> Registration::make(std::shared_ptr<Connection> first) {
  if (first->dialect() != Dialect::parts) co_return Done{};
  drop();
  const Status named = co_await say_name(*first);
  if (!named) co_return named;
  Result<std::shared_ptr<Connection>> second = co_await open_trusted(*server_);
  if (!second) co_return second.error();
  const Status both = co_await say_name(**second);
  if (!both) co_return both;
  if (closed_) co_return Error{"the connection to the server is not needed any more"};
  second_ = *second;
  notified_ = false;
  boost::asio::co_spawn(server_->io, listen(shared_from_this(), first, second_), kPassOn);
  co_return Done{};
}

void Registration::close() {
  closed_ = true;
  drop();
}

void Registration::drop() {
  if (second_) second_->close();
  second_.reset();
}

Task<void> Registration::listen(std::shared_ptr<Registration> self,
                                std::shared_ptr<Connection> first,
                                std::shared_ptr<Connection> second) {
  while (true) {
    const Result<std::string> event = co_await second->hear();
    if (self->second_ != second) co_return;
    if (!event || !self->take(*event)) break;
  }
  self->drop();
  first->close();
  self->handlers_.happened();
}

/// Returns false if the bytes are not an event.
bool Registration::take(const std::string& event) {
  DisReader from(event);
  const auto number = from.number();
  const std::string job(number == kRunThis ? from.text() : std::string_view());
  if (!from.good()) return false;
  notified_ = true;
  if (number == kRunThis) handlers_.asked_to_run(job);
  handlers_.happened();
  return true;
}

void Registration::cycle_over() {
  if (!std::exchange(notified_, false) || !second_) return;
  boost::asio::co_spawn(server_->io, say_over(shared_from_this(), second_), kPassOn);
}

Task<void> Registration::say_over(std::shared_ptr<Registration> self,
                                  std::shared_ptr<Connection> connection) {
  std::string over = DisWriter().number(0).take();
  [[maybe_unused]] const Status said =
      co_await connection->send(std::move(over), self->server_->options.timeout);
}

}  // namespace maui::pbs
