// schedctl stops, resumes and ends the scheduler.
#include "daemon/control/scheduler_control.h"

#include <boost/asio/io_context.hpp>

#include "cmd/command_fixture.h"
#include "daemon/test_client.h"

namespace maui::test {
namespace {

class TouchedDriver final : public Driver {
 public:
  State state(WallTime) override { return State::waiting; }
  WallTime due() const override { return {}; }
  void step() override {}
  void touch() override { ++touched; }
  int touched = 0;
};

class SchedulerControlTest : public CommandTest {
 protected:
  SchedulerControlTest() {
    Configuration configuration;
    in_use_.emplace(std::move(configuration),
                    ConfigurationInUse::Surroundings{
                        {}, {}, false, log_, lines_, {}, {}, [](const Settings&, auto) {}});
    control_.emplace(SchedulerControl::Surroundings{
        io_, *in_use_, engine(), driver_, records_, log_, [] { return ServiceReply{}; },
        [this] { return loss_; }, [this] { loss_.reset(); }, [this] { announced_ = true; },
        /*has_lease=*/false});
  }
  Reply schedctl(const std::string& flag, const std::string& value = {}) {
    CommandRequest request;
    request.command = "schedctl";
    request.user = "root";
    request.flags.emplace(flag, value);
    return execute(engine(), *control_, request);
  }

  boost::asio::io_context io_{1};
  Log log_{[] { return Time(1000000000); }};
  Lines lines_{log_, /*complete=*/false};
  Records records_{ServerMode::normal, [](int, std::string_view, std::string_view) {},
                   [](const std::string&) {}};
  TouchedDriver driver_;
  std::optional<ConfigurationInUse> in_use_;
  std::optional<std::string> loss_;
  bool announced_ = false;
  std::optional<SchedulerControl> control_;
};

TEST_F(SchedulerControlTest, AnEndIsAnnouncedBeforeTheReply) {
  EXPECT_FALSE(announced_);
  schedctl("k");
  EXPECT_TRUE(announced_);
  EXPECT_TRUE(control_->ending());
}

TEST_F(SchedulerControlTest, SchedulingIsResumedWhenItsTimeHasCome) {
  schedctl("s");
  EXPECT_TRUE(engine().stop_rule().stopped);
  EXPECT_EQ(driver_.touched, 1);
  schedctl("r", "1");
  EXPECT_TRUE(engine().stop_rule().stopped);
  EXPECT_TRUE(run_until(io_, [&] { return !engine().stop_rule().stopped; }));
  EXPECT_FALSE(engine().stop_rule().resume_at);
}

TEST_F(SchedulerControlTest, WhoeverStopsItLastHasTheLastWord) {
  schedctl("s");
  schedctl("r", "1");
  schedctl("s");
  io_.run_for(std::chrono::milliseconds(1500));
  EXPECT_TRUE(engine().stop_rule().stopped);
}

TEST_F(SchedulerControlTest, EndsByCommand) {
  EXPECT_FALSE(control_->ending());
  schedctl("k");
  EXPECT_TRUE(control_->ending());
}

TEST_F(SchedulerControlTest, ResumingAcceptsALoss) {
  loss_ = "no checkpoint can be read";
  EXPECT_TRUE(std::holds_alternative<Refusal>(schedctl("r", "10")));
  EXPECT_TRUE(loss_);
  schedctl("r");
  EXPECT_FALSE(loss_);
}

TEST_F(SchedulerControlTest, WithoutAHistoryThereIsNoReaderOfIt) {
  EXPECT_EQ(control_->history(), nullptr);
  EXPECT_TRUE(control_->waits_of(job("b")).empty());
}

}  // namespace
}  // namespace maui::test
