// The forms in which replies have times, amounts and names.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "maui/cluster.h"
#include "maui/reply.h"
#include "sched/query/explain.h"

namespace maui {

/// Seconds as replies have them; -1: without limit.
std::int64_t raw(Seconds duration);
/// A time as replies have it; -1: never.
std::int64_t raw(Time when);
std::string_view access_name(NodeAccess access);
std::string_view reason_words(NodeReason reason);
/// The names of bits of JobFlag.
std::vector<std::string> flag_names(std::uint16_t flags);
AmountBound bound_of(const Bound& bound);
/// The bound on memory or disk: without one "at least none", as in traces and release 3.3.
AmountBound floor_of(const Bound& bound);
/// PROCS, MEM, SWAP, DISK and generic resources of which there are some; no class initiators.
std::vector<ResourceAmount> amounts_of(const Cluster& cluster, const Resources& resources);
std::vector<ClassAmount> classes_of(const Cluster& cluster, const Resources& free,
                                    const Resources& configured);
std::vector<std::string> feature_names(const Cluster& cluster,
                                       const std::vector<FeatureId>& features);
std::string or_none(const std::string& text);

}  // namespace maui
