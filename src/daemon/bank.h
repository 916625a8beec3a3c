// The allocation manager that the settings name (guide 6.4).
#pragma once
#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>
#include <vector>

#include "maui/allocation_manager.h"
#include "maui/settings.h"

namespace maui {

/// A replaceable allocation manager; each request is answered by the manager that received it.
class ReplaceableBank final : public AllocationManager {
 public:
  explicit ReplaceableBank(std::unique_ptr<AllocationManager> first) : now_(std::move(first)) {}

  /// With nullptr, every request is granted and nothing is charged.
  void replace(std::unique_ptr<AllocationManager> next);

  void ask(const AllocationRequest& request, Answer done) override;
  bool busy() const override;
  Status save() override;

 private:
  std::unique_ptr<AllocationManager> now_;
  std::vector<std::unique_ptr<AllocationManager>> before_;  // still owe answers, or are not saved
};

/// Returns nullptr if BANKTYPE is NONE, and in SIMULATION and TEST mode unless MAUIBANKTEST is set
/// in the environment.  BANKTYPE FILE writes `allocations` in STATDIR.
std::unique_ptr<AllocationManager> make_allocation_manager(boost::asio::io_context& io,
                                                           const Settings& settings,
                                                           const std::string& home);

}  // namespace maui
