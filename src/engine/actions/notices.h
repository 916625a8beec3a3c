// Notices to users about their waiting jobs, for resource managers that display them.
#pragma once

namespace maui {

class Cluster;
class ResourceManager;

void send_notices(const Cluster& cluster, ResourceManager& manager);

}  // namespace maui
