// The parts of diagnose, a file each.
#pragma once
#include "cmd/context.h"

namespace maui {

/// The value of -f: one kind of credential.
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
