#include "compare/submission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "daemon/temporary_directory.h"

namespace maui::compare {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class SubmissionTest : public testing::Test {
 protected:
  void SetUp() override {
    write("day.1", "one");
    write("base.cfg", "two");
    ASSERT_TRUE(write_submission(parts_, {place_.path(), {"-w", "stats"}, {"day.1"}, {"base.cfg"}},
                                 2, "/usr/sbin/maui"));
  }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(place_.path() + "/" + name) << text;
  }
  TemporaryDirectory place_;
  std::string parts_ = place_.path() + "/parts";
};

TEST_F(SubmissionTest, PartsUseTheFilesOfTheSubmission) {
  write("day.2", "a day that came since");
  const auto read = read_submission(parts_);
  ASSERT_TRUE(read) << read.error().what;
  EXPECT_THAT(read->workload, ElementsAre("day.1"));
  EXPECT_THAT(read->others, ElementsAre("base.cfg"));
  EXPECT_THAT(read->words, ElementsAre("-w", "stats"));
}

TEST_F(SubmissionTest, AWorkloadThatHasGrownIsRefused) {
  write("day.1", "one and more");
  const auto read = read_submission(parts_);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().what, HasSubstr("'day.1' has changed since --submit"));
}

TEST_F(SubmissionTest, AConfigurationThatHasChangedIsRefused) {
  write("base.cfg", "three");
  const auto read = read_submission(parts_);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().what, HasSubstr("'base.cfg' has changed since --submit"));
}

}  // namespace
}  // namespace maui::compare
