// Converts times, amounts and names to their form in replies.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "maui/cluster.h"
#include "maui/reply.h"
#include "sched/query/explain.h"

namespace maui {

/// Returns seconds as in replies; -1: unlimited.
std::int64_t raw(Seconds duration);
/// Returns a time as in replies; -1: never.
std::int64_t raw(Time when);
std::string_view access_name(NodeAccess access);
std::string_view reason_words(NodeReason reason);
/// Returns the names of the JobFlag bits.
std::vector<std::string> flag_names(std::uint16_t flags);
AmountBound bound_of(const Bound& bound);
/// Returns the bound on memory or disk; "at least 0" without one, as in traces and release 3.3.
AmountBound floor_of(const Bound& bound);
/// Returns PROCS, MEM, SWAP, DISK and generic resources that are not zero; no class initiators.
std::vector<ResourceAmount> amounts_of(const Cluster& cluster, const Resources& resources);
std::vector<ClassAmount> classes_of(const Cluster& cluster, const Resources& free,
                                    const Resources& configured);
std::vector<std::string> feature_names(const Cluster& cluster,
                                       const std::vector<FeatureId>& features);
std::string or_none(const std::string& text);

}  // namespace maui
