// Which allocation manager the settings name (guide 6.4).
#pragma once
#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>
#include <vector>

#include "maui/allocation_manager.h"
#include "maui/settings.h"

namespace maui {

/// One allocation manager after another: what was asked of the one before is answered by that.
class ReplaceableBank final : public AllocationManager {
 public:
  explicit ReplaceableBank(std::unique_ptr<AllocationManager> first) : now_(std::move(first)) {}

  /// Without one, everything is granted and nobody is told.
  void replace(std::unique_ptr<AllocationManager> next);

  void ask(const AllocationRequest& request, Answer done) override;
  bool busy() const override;
  Status save() override { return now_ ? now_->save() : Status(Done{}); }

 private:
  std::unique_ptr<AllocationManager> now_;
  std::vector<std::unique_ptr<AllocationManager>> before_;  // that owe answers
};

/// None where BANKTYPE says none, and in SIMULATION and TEST mode unless MAUIBANKTEST is set in the
/// environment.  BANKTYPE FILE writes `allocations` in STATDIR.
std::unique_ptr<AllocationManager> make_allocation_manager(boost::asio::io_context& io,
                                                           const Settings& settings,
                                                           const std::string& home);

}  // namespace maui
