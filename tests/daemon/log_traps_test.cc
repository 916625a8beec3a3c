// Lines that TRAP* let into the log (appendix F).
#include <gtest/gtest.h>

#include "daemon/logging/log.h"

namespace maui {
namespace {

class LogTraps : public testing::Test {
 protected:
  bool takes(int level, std::string_view facility, std::string_view text) {
    log.configure(settings);
    return log.may_want(level) && log.wants(level, facility, text);
  }
  LogSettings settings;
  Log log{[] { return Time(0); }};
};

TEST_F(LogTraps, EveryLineAboutWhatIsTrappedIsTaken) {
  settings.trap_jobs = {"frank.4"};
  settings.trap_nodes = {"n1"};
  settings.trap_reservations = {"maint.0"};
  EXPECT_TRUE(takes(9, "fSCHED", "job 'frank.4' of user frank queued"));
  EXPECT_TRUE(takes(9, "fRM", "node 'n1' has changed"));
  EXPECT_TRUE(takes(9, "fSCHED", "reservation 'maint.0' has ended"));
  EXPECT_FALSE(takes(9, "fSCHED", "job 'frank.41' of user frank queued"));
  EXPECT_FALSE(takes(9, "fSCHED", "job 'n1' queued"));
}

TEST_F(LogTraps, EveryLineOfAFacilityThatIsTrappedIsTaken) {
  settings.trap_functions = {"frm"};
  EXPECT_TRUE(takes(9, "fRM", "text"));
  EXPECT_FALSE(takes(9, "fSCHED", "text"));
}

}  // namespace
}  // namespace maui
