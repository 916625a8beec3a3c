// The reasons why a node cannot serve a job.
#pragma once
#include <cstdint>

namespace maui {

/// The reason why one node cannot take a task of a job now (guide G, checkjob).
enum class NodeReason : std::uint8_t {
  none,          // the node can take a task
  job_class,     // Class
  cpu,           // CPU: does not possess the processors
  disk,          // Disk
  features,      // Features
  memory,        // Memory
  network,       // Network
  state,         // State: down, drained or busy
  swap,          // Swap
  architecture,  // Arch
  opsys,         // Opsys
  partition,     // Partition
  host_list,     // HostList
  access,        // Access: occupied under DEDICATED or SINGLEUSER, or by MAXJOB jobs
  resources,     // Resources: consumables are held by running jobs
  reserve_time,  // ReserveTime: reserved for others before the job could end
};

}  // namespace maui
