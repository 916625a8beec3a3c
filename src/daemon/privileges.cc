#include "daemon/privileges.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace maui {

void drop_capabilities(ReservedPorts ports) {
  // Capabilities of programs started later, up to the last one that the kernel knows.
  for (unsigned long capability = 0; ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0;
       ++capability) {
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> kept{};
  if (ports == ReservedPorts::needed) {
    constexpr std::uint32_t kBind = 1U << CAP_NET_BIND_SERVICE;
    kept[0].permitted = kept[0].effective = kBind;
    if (::syscall(SYS_capset, &header, kept.data()) == 0) return;
    kept = {};  // it does not have that capability either
  }
  ::syscall(SYS_capset, &header, kept.data());
}

void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

std::size_t descriptor_limit() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

}  // namespace maui
