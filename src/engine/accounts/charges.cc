#include "engine/accounts/charges.h"

#include <utility>

namespace maui {

Charges::Charges(AllocationManager& manager,
                 std::function<void(const AllocationRequest&, const AllocationAnswer&)> notify)
    : manager_(manager), notify_(std::move(notify)) {}

void Charges::add(AllocationRequest request) {
  due_.push_back(std::move(request));
  send();
}

void Charges::retry() {
  failed_ = waiting_ = false;
  send();
}

// An answer may come before ask() returns; then this loop continues with the next request.
void Charges::send() {
  if (std::exchange(sending_, true)) return;
  while (!due_.empty() && !asked_ && !failed_ && !waiting_) {
    asked_ = true;
    manager_.ask(due_.front(),
                 [this, alive = std::weak_ptr(alive_)](const AllocationAnswer& answer) {
                   if (!alive.expired()) answered(answer);
                 });
  }
  sending_ = false;
}

void Charges::answered(const AllocationAnswer& answer) {
  asked_ = false;
  failed_ = failing_ = answer.verdict == AllocationVerdict::failed;
  notify_(due_.front(), answer);
  if (!failed_) due_.pop_front();
  send();
}

}  // namespace maui
