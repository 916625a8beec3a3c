#include "daemon/clients/command_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include "base/outside_text.h"
#include "base/text.h"
#include "cmd/dry_run.h"
#include "cmd/execution.h"
#include "daemon/clients/reply_under_way.h"
#include "proto/reply_codec.h"
#include "proto/request_codec.h"

namespace maui {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

bool acts_on_jobs(std::string_view command) {
  return is_one_of(
      command, {"canceljob", "mjobctl", "releasehold", "runjob", "sethold", "setqos", "setspri"});
}

bool acts_on_reservations(std::string_view command) {
  return is_one_of(command, {"setres", "releaseres"});
}

std::string command_line(const CommandRequest& request) {
  std::string text = request.command;
  for (const auto& [flag, value] : request.flags)
    text += fmt::format(" {}{}{}{}", flag.size() == 1 ? "-" : "--", flag, value.empty() ? "" : " ",
                        value);
  for (const auto& operand : request.operands) {
    if (text.size() > kLongestValue) break;
    text += " " + operand;
  }
  return shortened(text);
}

/// Does `step` of a request.  Throws HalfDone if memory runs out after something may have changed.
template <class Step>
void all_or_half_done(const CommandRequest& request, Step step) {
  try {
    step();
  } catch (const std::bad_alloc&) {
    if (only_looks(request)) throw;
    throw HalfDone();
  }
}

ClientServer::Work refusal_of(std::string reason) {
  return [reply = encode_reply(Refusal{std::move(reason)})] { return std::optional(reply); };
}

}  // namespace

/// A request that is being executed, and then its reply while it is being encoded.
class CommandService::UnderWay {
 public:
  /// `line` reports the change, if there is one.
  UnderWay(const Surroundings& around, CommandRequest request, std::string line,
           std::string address)
      : around_(around),
        execution_(around.serving.engine, around.serving.server, std::move(request)),
        line_(std::move(line)),
        address_(std::move(address)) {}

  ClientServer::Slice go_on();

 private:
  using Enough = std::function<bool()>;

  Status execute(const Enough& enough);
  void note(const Reply* reply);
  bool await_save();

  const Surroundings& around_;
  Execution execution_;
  std::string line_, address_;
  std::optional<std::string> lost_;  // why a change is not saved, once known; empty: it is saved
  std::optional<ReplyUnderWay> reply_;
  bool changed_ = false;  // something, and the reply will say so
};

ClientServer::Slice CommandService::UnderWay::go_on() {
  const CommandRequest& asked = execution_.request();
  const auto enough = [&now = around_.now, end = around_.now() + kSlice] { return now() >= end; };
  ClientServer::Slice slice;
  slice.looks = only_looks(asked);
  if (!reply_)
    if (const auto may = execute(enough); !may) {
      slice.data = encode_reply(Refusal{may.error().what});
      return slice;
    }
  bool complete = false;
  if (reply_) all_or_half_done(asked, [&] { complete = reply_->encoder.go_on(enough); });
  if (!complete) {
    if (changed_) around_.changes.begun_by(asked);
    slice.first = reply_ || execution_.is_large();
    slice.awaited = execution_.awaited();
    return slice;
  }
  slice.changed = changed_ && await_save();
  slice.data = reply_->encoder.take();
  if (around_.serving.lines.wants(7))
    around_.serving.log(
        asked, 7,
        fmt::format("{} answered: {} bytes to {}", asked.command, slice.data->size(), address_));
  return slice;
}

/// Goes on with the command; there is a reply_ once it is done.  An error: it must not be begun.
Status CommandService::UnderWay::execute(const Enough& enough) {
  const CommandRequest& asked = execution_.request();
  around_.serving.update_clock();
  if (!lost_) {
    auto why = around_.changes.why_not_saved(asked);
    if (!why) return why.error();
    lost_ = *std::move(why);
  }
  auto reply = execution_.go_on(enough);
  all_or_half_done(asked, [&] {
    note(reply ? &*reply : nullptr);
    if (!reply) return;
    auto remarks = around_.serving.remarks_on(asked, *reply);
    remarks.not_kept = *lost_;
    reply_.emplace(*std::move(reply), std::move(remarks));
  });
  return Done{};
}

/// Handles the consequences of what was done; there may be no reply yet.
void CommandService::UnderWay::note(const Reply* reply) {
  const CommandRequest& asked = execution_.request();
  const auto* refusal = reply != nullptr ? std::get_if<Refusal>(reply) : nullptr;
  changed_ = execution_.has_changed() && refusal == nullptr;
  if (refusal != nullptr) {
    around_.serving.log(
        asked, 2,
        fmt::format("{}{} refused: {}", asked.command, is_dry_run(asked) ? " --dry-run" : "",
                    shortened(on_one_line(refusal->reason))));
    lost_->clear();
  }
  if (!changed_) return;
  if (const auto line = std::exchange(line_, {}); !line.empty()) around_.serving.lines.report(line);
  around_.changed(asked);
}

/// The client is about to be told of a change.  Returns true if its reply waits for a checkpoint.
bool CommandService::UnderWay::await_save() {
  if (lost_->empty() && around_.changes.may_come_from(execution_.request())) {
    around_.changes.await_save();
    return true;
  }
  // A replay of this request after a loss of power must be refused all the same.
  if (const auto status = around_.sync_seen(); !status)
    around_.serving.lines.write(
        0, "fSOCK",
        "ALERT: replayed messages may be accepted after a loss of power: " + status.error().what);
  return false;
}

ClientServer::Work CommandService::serve(const Caller& caller, std::string_view data) {
  auto request = decode_request(data);
  if (!request) return refusal_of(request.error().what);
  request->user = caller.user;
  request->host = caller.host;
  const Serving& serving = around_.serving;
  if (serving.lacks_memory_for(*request)) {
    serving.log(*request, 0, "ALERT: memory is short: requests of ordinary users are refused");
    return refusal_of("the scheduler is short of memory; try again later");
  }
  count(*request);
  auto line =
      fmt::format("{} by user {} from {}", command_line(*request), caller.user, caller.address);
  serving.log(*request, only_looks(*request) ? 4 : 1, line);
  if (serving.lines.wants(8))
    serving.log(*request, 8, fmt::format("{} bytes from {}", data.size(), caller.address));
  return [under_way = std::make_shared<UnderWay>(around_, *std::move(request), std::move(line),
                                                 caller.address)] { return under_way->go_on(); };
}

void CommandService::count(const CommandRequest& request) {
  ++served_.requests;
  served_.job_requests += acts_on_jobs(request.command) ? 1 : 0;
  served_.reservation_requests += acts_on_reservations(request.command) ? 1 : 0;
}

}  // namespace maui
