// Keys and hashes by which nodes, and requests, that are alike are interned.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "maui/node.h"
#include "maui/request.h"

namespace maui {

/// Equal for nodes that differ in nothing that a request can ask about but their name.
std::string kind_key(const Node& node);

/// Processors times limit, neither beyond what a million jobs' sum can hold.
std::int64_t work_of(const Request& request);

std::size_t hash_of(const Request& request);

}  // namespace maui
