// The parts of a checkpoint, each written and read in its own file.
//
// Readers throw the JSON library's exceptions if the text is not as expected.
#pragma once
#include <string>
#include <string_view>

#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_values.h"
#include "maui/cluster_names.h"

namespace maui {

// Shares of nodes, which both jobs and reservations have (checkpoint_reservations.cc).
void to_json(nlohmann::json& out, const NamedShare& share);
void from_json(const nlohmann::json& in, NamedShare& share);

}  // namespace maui

namespace maui::checkpointing {

// Jobs (checkpoint_jobs.cc).
void append_job(std::string& out, const Cluster& cluster, const CheckpointedJob& saved);
CheckpointedJob checkpointed(const Json& in, ClusterNames& names);

// Reservations, and triggers that have not gone off yet (checkpoint_reservations.cc).
Json json_of(const Cluster& cluster, const CheckpointedReservation& saved);
CheckpointedReservation reservation_of(const Json& in, ClusterNames& names);
Json json_of(const Cluster& cluster, const Triggers::Later& later);
Triggers::Later later_of(const Json& in, ClusterNames& names);

// Fairshare and statistics (checkpoint_accounts.cc).
Json json_of(const Cluster& names, const FairshareHistory& history);
FairshareHistory fairshare_of(const Json& in, ClusterNames& names);
Json json_of(const Cluster& cluster, const Statistics& statistics);
/// `nobody`: the name under which jobs without such a credential are counted.
void read(const Json& in, std::string_view nobody, const PlotSettings& plot, ClusterNames& names,
          Statistics& statistics);

// Learned run times (checkpoint_learning.cc).
void append_learned(std::string& out, const RunTimeLearning::Memory& learned);
RunTimeLearning::Memory learned_of(const Json& in);

}  // namespace maui::checkpointing
