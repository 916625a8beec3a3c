// Class initiators (guide 3.2.1.8): each class is a consumable resource of the nodes that offer
// it, and each task of a job of the class consumes one initiator.
#pragma once
#include <string>
#include <string_view>

namespace maui {

/// The prefix of the names of these consumables.
inline constexpr std::string_view kInitiatorPrefix = "class:";

inline std::string initiator_name(std::string_view job_class) {
  return std::string(kInitiatorPrefix).append(job_class);
}

}  // namespace maui
