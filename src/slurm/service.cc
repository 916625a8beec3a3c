#include "slurm/service.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <memory>
#include <optional>

#include "base/text.h"

namespace maui::slurm {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Failure = boost::system::error_code;

// The pause after a look, as a multiple of the look's duration.
constexpr int kRestAfterLook = 1;
constexpr int kRestAfterMeasure = 20;  // measuring costs every node some time

Time now() { return Time(std::time(nullptr)); }

}  // namespace

std::string reply_text(const WikiReply& reply, std::size_t most) {
  auto text = write_wiki(reply);
  if (text.size() <= most) return text;
  const auto why =
      fmt::format("the answer has {} bytes, and a message at most {}", text.size(), most);
  return write_wiki({kWikiFailed, why, false});
}

Service::Service(asio::io_context& io, int stream, Adapter& adapter, Meter& meter,
                 ServiceOptions options, Log log)
    : io_(io),
      stream_(io, stream),
      events_(io),
      deadline_(io),
      pause_(io),
      rest_(io),
      adapter_(adapter),
      meter_(meter),
      options_(std::move(options)),
      log_(std::move(log)) {}

Service::~Service() = default;

void Service::start() {
  read();
  watch_events();
  look();
  if (options_.measure_every.count() > 0) measure_in(options_.measure_every);
}

void Service::read() {
  stream_.async_read_some(asio::buffer(buffer_), [this](Failure failure, std::size_t count) {
    if (failure) return io_.stop();  // the scheduler has exited
    decoder_.feed(std::string_view(buffer_.data(), count));
    next_request();
  });
}

void Service::next_request() {
  if (asked_ != 0 || replying_) return;
  const auto message = decoder_.next();
  if (!message) {
    log_(message.error().what);
    return io_.stop();
  }
  if (*message) return handle(**message);
  read();
}

void Service::handle(const std::string& content) {
  const auto message = open_wiki(content, std::nullopt);
  if (!message) return reply({kWikiMalformed, message.error().what, false});
  const auto request = read_wiki_request(message->body);
  if (!request) return reply({kWikiMalformed, request.error().what, false});
  if (!same_word(request->command, "INITIALIZE")) return ask(*request);
  event_port_ = parse_integer<unsigned short>(request->option("EPORT")).value_or(0);
  event_word_ = request->option("EWORD");
  reply({kWikiDone, "", false});
}

void Service::ask(const WikiRequest& request) {
  static constexpr const char* kSilent = "slurmctld does not answer";
  // A job whose start is not answered, or not asked for, is not refused.
  const int code = same_word(request.command, "STARTJOB") ? kWikiNotNow : kWikiFailed;
  if (overdue_) return reply({code, kSilent, false});
  asked_ = ++last_asked_;
  deadline_.expires_after(options_.answer_within);
  deadline_.async_wait([this, code, number = asked_](Failure failure) {
    if (failure || asked_ != number) return;
    overdue_ = true;
    reply({code, kSilent, false});
  });
  ++tasks_;
  const bool command = !request.command.starts_with("GET");
  asio::post(slurm_, [this, request, command, number = asked_] {
    auto answer = adapter_.answer(request, now());
    auto warnings = adapter_.take_warnings();
    asio::post(
        io_, [this, command, number, answer = std::move(answer), warnings = std::move(warnings)] {
          for (const auto& warning : warnings) log_(warning);
          if (command)
            soonest_ =
                std::max(soonest_, std::chrono::steady_clock::now() + options_.rest_after_command);
          if (asked_ == number) reply(answer);
          worked();
        });
  });
}

void Service::worked() {
  --tasks_;
  overdue_ = false;
  if (look_again_ && tasks_ == 0) look();
}

void Service::reply(const WikiReply& reply) {
  asked_ = 0;
  replying_ = true;
  outgoing_ = wiki_frame(reply_text(reply), std::nullopt, now());
  asio::async_write(stream_, asio::buffer(outgoing_), [this](Failure failure, std::size_t) {
    if (failure) return io_.stop();
    replying_ = false;
    next_request();
  });
}

void Service::watch_events() {
  if (options_.events.empty()) return;
  const int notify = ::inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (notify < 0 || ::inotify_add_watch(notify, options_.events.c_str(), IN_MODIFY) < 0) {
    log_(fmt::format("cannot watch '{}' ({}); polling Slurm every {} ms instead", options_.events,
                     std::strerror(errno), options_.look_every.count()));
    if (notify >= 0) ::close(notify);
    return;
  }
  events_.assign(notify);
  read_events();
}

void Service::read_events() {
  events_.async_read_some(asio::buffer(notices_), [this](Failure failure, std::size_t) {
    if (failure) return;
    look();
    read_events();
  });
}

void Service::look_in(std::chrono::nanoseconds pause) {
  pause_.expires_after(pause);
  pause_.async_wait([this](Failure failure) {
    if (!failure) look();
  });
}

// However frequent events are, the pauses between looks limit the load on slurmctld and the host.
void Service::look() {
  using Wall = std::chrono::steady_clock;
  look_again_ = tasks_ > 0;
  if (look_again_) return;
  const auto begun = Wall::now();
  if (begun < soonest_) return look_in(soonest_ - begun);
  ++tasks_;
  using Asked = Adapter::Asked;
  asio::post(slurm_, [this, begun, asked = event_port_ != 0 ? Asked::at_once : Asked::some_time] {
    const bool changed = adapter_.look(now(), asked);
    asio::post(io_, [this, begun, changed] {
      const auto done = Wall::now();
      soonest_ = done + kRestAfterLook * (done - begun);
      if (changed) notify_scheduler();
      look_in(options_.look_every);
      worked();
    });
  });
}

void Service::measure_in(std::chrono::nanoseconds pause) {
  rest_.expires_after(pause);
  rest_.async_wait([this](Failure failure) {
    if (!failure) measure();
  });
}

// The Slurm thread owns the list of jobs; another thread measures, because a node that does not
// respond delays the answer.
void Service::measure() {
  using Wall = std::chrono::steady_clock;
  measuring_ = true;
  asio::post(slurm_, [this] {
    auto jobs = adapter_.running();
    const auto lack = jobs.empty() ? Result<std::string>("") : adapter_.no_usage();
    if (!lack || !lack->empty())
      return asio::post(
          io_, [this, why = lack ? *lack : lack.error().what] { measured(Error{why}, {}); });
    asio::post(meters_, [this, jobs = std::move(jobs)] {
      const auto begun = Wall::now();
      auto usage = jobs.empty() ? Result<Usage>(Usage{}) : meter_.measure(jobs);
      asio::post(io_, [this, usage = std::move(usage), took = Wall::now() - begun] {
        measured(usage, took);
      });
    });
  });
}

void Service::measured(const Result<Usage>& usage, std::chrono::nanoseconds took) {
  measuring_ = false;
  const std::string trouble = usage ? "" : usage.error().what;
  if (!trouble.empty() && trouble != meter_trouble_)
    log_("cannot measure what jobs use: " + trouble);
  // Without running jobs nothing is measured, so that result does not end a problem.
  if (!usage || !usage->empty()) meter_trouble_ = trouble;
  if (usage)
    asio::post(slurm_, [this, usage = *usage, when = now()] { adapter_.take(usage, when); });
  measure_in(std::max<std::chrono::nanoseconds>(options_.measure_every, kRestAfterMeasure * took));
}

void Service::notify_scheduler() {
  if (event_port_ == 0) return;
  auto socket = std::make_shared<tcp::socket>(io_);
  const auto word = std::make_shared<const std::string>(event_word_);
  socket->async_connect(tcp::endpoint(asio::ip::address_v4::loopback(), event_port_),
                        [socket, word](Failure failure) {
                          if (failure) return;  // the scheduler polls anyway
                          asio::async_write(*socket, asio::buffer(*word),
                                            [socket, word](Failure, std::size_t) {});
                        });
}

}  // namespace maui::slurm
