#include "daemon/bank.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "bank/allocation_file.h"
#include "bank/allocation_server.h"

namespace maui {
namespace {

AllocationServerOptions server_of(const AllocationSettings& settings) {
  AllocationServerOptions options;
  options.host = settings.host;
  options.port = settings.port;
  const auto seconds = std::clamp<std::int64_t>(settings.timeout.raw(), 1, 3600);
  options.timeout = std::chrono::seconds(seconds);
  return options;
}

}  // namespace

void ReplaceableBank::replace(std::unique_ptr<AllocationManager> next) {
  const auto is_over = [](const auto& bank) { return !bank->busy() && bank->save(); };
  std::erase_if(before_, is_over);
  if (now_ && !is_over(now_)) before_.push_back(std::move(now_));
  now_ = std::move(next);
}

void ReplaceableBank::ask(const AllocationRequest& request, Answer done) {
  if (now_) return now_->ask(request, std::move(done));
  done({AllocationVerdict::granted, {}});
}

bool ReplaceableBank::busy() const {
  return (now_ && now_->busy()) ||
         std::any_of(before_.begin(), before_.end(), [](const auto& bank) { return bank->busy(); });
}

// A failure to save where charges went before must not keep anything from being saved now: the
// former banks are saved again with each checkpoint.
Status ReplaceableBank::save() {
  for (const auto& bank : before_) [[maybe_unused]] const Status tried = bank->save();
  return now_ ? now_->save() : Status(Done{});
}

std::unique_ptr<AllocationManager> make_allocation_manager(boost::asio::io_context& io,
                                                           const Settings& settings,
                                                           const std::string& home) {
  if (settings.server.mode != ServerMode::normal && std::getenv("MAUIBANKTEST") == nullptr)
    return nullptr;
  switch (settings.allocations.type) {
    case AllocationManagerType::none:
      return nullptr;
    case AllocationManagerType::file:
      return std::make_unique<AllocationFile>(
          (std::filesystem::path(home) / settings.server.stat_dir / "allocations").string());
    case AllocationManagerType::qbank:
    case AllocationManagerType::resd:
    case AllocationManagerType::gold:
      return std::make_unique<AllocationServer>(io, server_of(settings.allocations));
  }
  return nullptr;
}

}  // namespace maui
