// The cluster of an engine, for tests to put into states that reports seldom lead to.
#pragma once
#include "engine/engine.h"

namespace maui::test {

/// An engine itself lets others only read its cluster.
inline Cluster& open_cluster(Engine& engine) { return const_cast<Cluster&>(engine.cluster()); }

}  // namespace maui::test
