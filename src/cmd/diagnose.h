// The parts of diagnose, each in a file of its own.
#pragma once
#include "cmd/context.h"

namespace maui {

/// The value of -f selects one kind of credential.
Answer diagnose_fairshare(const Context& context);
Answer diagnose_frames(const Context& context);
Answer diagnose_users(const Context& context);
Answer diagnose_groups(const Context& context);
Answer diagnose_accounts(const Context& context);
Answer diagnose_classes(const Context& context);
Answer diagnose_qos(const Context& context);
Answer diagnose_jobs(const Context& context);
Answer diagnose_nodes(const Context& context);
Answer diagnose_priority(const Context& context);
Answer diagnose_queue(const Context& context);
Answer diagnose_reservations(const Context& context);
Answer diagnose_partitions(const Context& context);
Answer diagnose_resource_manager(const Context& context);
Answer diagnose_service(const Context& context);

}  // namespace maui
