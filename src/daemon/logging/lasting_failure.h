// A failure that lasts: logged when it begins, when its reason changes, and when it is over.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "maui/result.h"

namespace maui {

class LastingFailure {
 public:
  /// `over` is the line for the end of the failure.
  explicit LastingFailure(std::string_view over) : over_(over) {}
  /// Notes the outcome of another attempt; returns a line if there is something new to say.
  std::optional<std::string> note(const Status& outcome) {
    const std::string why = outcome ? std::string() : outcome.error().what;
    if (why == why_) return std::nullopt;
    why_ = why;
    return why.empty() ? std::string(over_) : "ALERT: " + why;
  }

 private:
  std::string_view over_;
  std::string why_;
};

}  // namespace maui
