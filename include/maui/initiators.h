// The initiators of classes (guide 3.2.1.8): a class is a consumable resource of the nodes that
// offer it, and a task of a job of the class takes one.
#pragma once
#include <string>
#include <string_view>

namespace maui {

/// The names of these consumables begin so.
inline constexpr std::string_view kInitiatorPrefix = "class:";

inline std::string initiator_name(std::string_view job_class) {
  return std::string(kInitiatorPrefix).append(job_class);
}

}  // namespace maui
