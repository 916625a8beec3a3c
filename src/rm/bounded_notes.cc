#include "rm/bounded_notes.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"

namespace maui {

void BoundedNotes::add(std::string text, Moment now) {
  if (known_.contains(text)) return;
  if (!left_.any(now)) {
    ++left_out_;
    return;
  }
  left_.take(now);
  if (by_age_.size() == kAtOnce) {
    known_.erase(by_age_.front());
    by_age_.pop_front();
  }
  by_age_.push_back(known_.insert(text).first);
  notes_.push_back(std::move(text));
}

std::vector<std::string> BoundedNotes::take(Moment now) {
  auto notes = std::exchange(notes_, {});
  if (left_out_ == 0 || (counted_ != Moment() && now - counted_ < kCounted)) return notes;
  counted_ = now;
  notes.push_back(fmt::format(
      "{} about its records {} left out: after {}, one in {} minutes is written",
      counted(left_out_, "warning"), by_number(left_out_, "was", "were"), kAtOnce, kAgain.count()));
  left_out_ = 0;
  return notes;
}

}  // namespace maui
