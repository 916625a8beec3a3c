#include "maui/reservation.h"

#include <algorithm>

namespace maui {
namespace {

template <class IdType>
bool names(const std::vector<IdType>& list, IdType id) {
  return id.valid() && std::find(list.begin(), list.end(), id) != list.end();
}

}  // namespace

bool AccessList::admits(const Credentials& who) const {
  return names(users, who.user) || names(groups, who.group) || names(accounts, who.account) ||
         names(classes, who.job_class) || names(qos, who.qos);
}

}  // namespace maui
