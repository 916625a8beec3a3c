// Keys and hashes for interning equal kinds of nodes and equal requests.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "maui/node.h"
#include "maui/request.h"

namespace maui {

/// Equal for nodes that do not differ, except by name, in anything a request can ask for.
std::string kind_key(const Node& node);
/// Returns the key of the node if it had these resources in all.
std::string kind_key(const Node& node, const Resources& configured);

/// Returns processors times limit, clamped so that the sum over a million jobs does not overflow.
std::int64_t work_of(const Request& request);
/// Returns the same for sums over the queue; 0 for a job without a limit, which would hide all
/// others.
inline std::int64_t backlog_of(const Request& request) {
  return request.limit < kUnlimited ? work_of(request) : 0;
}

std::size_t hash_of(const Request& request);

}  // namespace maui
