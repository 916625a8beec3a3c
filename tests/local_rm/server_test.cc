#include "local_rm/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "daemon/temporary_directory.h"
#include "maui/clock.h"
#include "rm/wiki_link.h"
#include "support/asking_loop.h"

namespace maui {
namespace {

using testing::HasSubstr;

class StoppedClock : public Clock {
 public:
  Time now() const override { return Time(1'000'000); }
};

class LocalServerTest : public testing::Test, public test::AskingLoop {
 protected:
  void SetUp() override { ASSERT_TRUE(server.listen()); }

  WikiReply ask(const std::string& command, std::int64_t generation) {
    WikiRequest request{command, command.starts_with("GET") ? "0:ALL" : "local.1", {}};
    request.generation = generation;
    if (!link) link = make_wiki_dialer(io, {{}, server.port(), Seconds(5), std::nullopt}, clock);
    const auto reply = answer_to<Result<WikiReply>>([&](auto done) {
      link->ask(request, [done](WikiAnswer answer) { done(std::move(answer.reply)); });
    });
    EXPECT_TRUE(reply);
    return reply ? *reply : WikiReply{};
  }

  TemporaryDirectory directory;
  LocalServer server{io, {{}, 0, 0, directory / "socket", std::nullopt, Seconds(300), 0}};
  StoppedClock clock;
  std::unique_ptr<WikiLink> link;
};

constexpr const char* kChanges[] = {"INITIALIZE", "STARTJOB",   "CANCELJOB", "SUSPENDJOB",
                                    "RESUMEJOB",  "REQUEUEJOB", "MODIFYJOB", "SIGNALJOB"};

TEST_F(LocalServerTest, ASchedulerThatLostTheLeaseChangesNothing) {
  for (const char* change : kChanges)
    EXPECT_THAT(ask(change, 6).text, testing::Not(HasSubstr("lease"))) << change;
  ask("GETNODES", 7);
  for (const char* change : kChanges) {
    const auto reply = ask(change, 6);
    EXPECT_EQ(reply.code, kWikiRefused) << change;
    EXPECT_EQ(reply.text, "generation 6 of the lease is over: generation 7 has asked since")
        << change;
    EXPECT_THAT(ask(change, 7).text, testing::Not(HasSubstr("lease"))) << change;
  }
}

TEST_F(LocalServerTest, ASchedulerThatLostTheLeaseMayQueryAndBlocksNobody) {
  ask("GETNODES", 7);
  EXPECT_FALSE(ask("GETJOBS", 6).failed());
  EXPECT_THAT(ask("CANCELJOB", 6).text, HasSubstr("lease"));
}

TEST_F(LocalServerTest, APairThatComesAfterASchedulerWithoutALeaseCountsFromOne) {
  ask("GETNODES", 7);
  ask("GETNODES", 0);
  EXPECT_THAT(ask("CANCELJOB", 1).text, testing::Not(HasSubstr("lease")));
}

}  // namespace
}  // namespace maui
