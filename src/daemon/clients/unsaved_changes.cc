#include "daemon/clients/unsaved_changes.h"

#include <fmt/format.h>

#include <utility>

#include "daemon/clients/serving.h"
#include "daemon/slices.h"
#include "proto/reply_codec.h"

namespace maui {

bool UnsavedChanges::may_come_from(const CommandRequest& request) const {
  return around_.checkpoints != nullptr && !only_looks(request) && !controls_scheduler(request);
}

Result<std::string> UnsavedChanges::why_not_saved(const CommandRequest& request) {
  if (around_.checkpoints == nullptr && !only_looks(request) && !controls_scheduler(request) &&
      around_.engine.settings().server.mode == ServerMode::test)
    return std::string("SERVERMODE is TEST: no checkpoint is written");
  if (!may_come_from(request)) return std::string();
  if (around_.checkpoints->lost()) return std::string(CheckpointKeeper::kLoss);
  if (any_) return std::string();  // the next checkpoint includes this change, too
  const auto can = around_.checkpoints->can_keep();
  if (can) return std::string();
  if (around_.engine.settings().server.checkpoint_failure == CheckpointFailure::refuse)
    return Error{
        fmt::format("nothing was changed, since it cannot be saved: {}", can.error().what)};
  return can.error().what;
}

void UnsavedChanges::begun_by(const CommandRequest& request) {
  if (may_come_from(request)) around_.checkpoints->outdated();
}

void UnsavedChanges::await_save() {
  around_.keep_replies();
  any_ = true;
}

void UnsavedChanges::save() {
  if (!any_) return;
  CheckpointKeeper& checkpoints = *around_.checkpoints;
  serve_ready(around_.io, gathering_time(checkpoints.took()));
  const auto begin = std::chrono::steady_clock::now();
  const auto saved = checkpoints.write(CheckpointKeeper::Occasion::change);
  const auto took = std::chrono::steady_clock::now() - begin;
  any_ = false;
  if (saved) return around_.send_replies({}, took);
  const bool goes_on =
      around_.engine.settings().server.checkpoint_failure == CheckpointFailure::proceed;
  const std::string& why = saved.error().what;
  const auto revise = [&](std::string data) {
    if (goes_on) return encode_as_not_kept(std::move(data), why);
    return encode_reply(Refusal{fmt::format("it was done, but cannot be saved: {}", why)});
  };
  around_.send_replies(revise, took);
}

}  // namespace maui
