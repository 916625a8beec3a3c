#include "replay/progress.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace maui {
namespace {

using std::chrono::duration;

TEST(ProgressTest, ReportsWhatIsDoneAndWhatIsLeft) {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  EXPECT_EQ(progress_text({28476, 10532, Time(855661200)}, duration<double>(0.5)),
            "36 %  Tue Feb 11 1997  10532 of 28476 jobs  21064 jobs/s  1 s left");
  EXPECT_EQ(progress_text({1000, 10, Time(0)}, duration<double>(10)),
            "1 %  10 of 1000 jobs  1.0 jobs/s  00:16:30 left");
}

TEST(ProgressTest, NothingIsForetoldBeforeAJobHasEnded) {
  EXPECT_EQ(progress_text({100, 0, Time(0)}, duration<double>(2)), "0 %  0 of 100 jobs");
  EXPECT_EQ(progress_text({0, 0, Time(0)}, duration<double>(0)), "0 %  0 of 0 jobs");
}

TEST(ProgressTest, IsNeverMoreThanAll) {
  EXPECT_EQ(progress_text({10, 12, Time(0)}, duration<double>(1)).substr(0, 5), "100 %");
}

}  // namespace
}  // namespace maui
