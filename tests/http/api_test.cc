#include "http/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace maui {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

HttpRequest asked_for(std::string_view target) {
  RequestReader reader;
  reader.feed("GET " + std::string(target) + " HTTP/1.1\r\nHost: a\r\n\r\n");
  auto read = reader.next();
  auto* found = std::get_if<HttpRequest>(&read);
  EXPECT_NE(found, nullptr) << target;
  return found == nullptr ? HttpRequest() : std::move(*found);
}

ApiRequest api_read(std::string_view target) {
  auto found = read_api_request(asked_for(target));
  auto* asked = std::get_if<ApiRequest>(&found);
  EXPECT_NE(asked, nullptr) << target << ": " << std::get<HttpFault>(found).what;
  return asked == nullptr ? ApiRequest() : std::move(*asked);
}

int status(std::string_view target) {
  const auto found = read_api_request(asked_for(target));
  const auto* fault = std::get_if<HttpFault>(&found);
  return fault == nullptr ? 200 : fault->status;
}

TEST(ApiTest, ACommandIsNamedByThePathAndItsFlagsByTheQuery) {
  const auto asked = api_read("/api/v1/checkjob/frank.4?v&n=node01");
  EXPECT_EQ(asked.command.command, "checkjob");
  EXPECT_THAT(asked.command.operands, ElementsAre("frank.4"));
  EXPECT_THAT(asked.command.flags, ElementsAre(Pair("n", "node01"), Pair("v", "")));
  EXPECT_EQ(asked.command.user, "");
  EXPECT_EQ(asked.rows.most, kUsualRows);
}

TEST(ApiTest, RowsAreChosenByTheQueryToo) {
  const auto rows =
      api_read(
          "/api/v1/showq?list=idle&limit=50&offset=100&sort=-priority&search=fra&where=user:a:b")
          .rows;
  EXPECT_EQ(rows.list, "idle");
  EXPECT_EQ(rows.most, 50U);
  EXPECT_EQ(rows.offset, 100U);
  ASSERT_EQ(rows.sort.size(), 1U);
  EXPECT_EQ(rows.sort[0].member, "priority");
  EXPECT_TRUE(rows.sort[0].descending);
  EXPECT_EQ(rows.containing, "fra");
  EXPECT_THAT(rows.equal, ElementsAre(Pair("user", "a:b")));
}

TEST(ApiTest, NoRequestHasMoreRowsThanThereMayBe) {
  EXPECT_EQ(api_read("/api/v1/showq?limit=4000000000").rows.most, kMostRows);
}

TEST(ApiTest, NothingThatChangesSomethingIsDone) {
  int looking = 0;
  for (const CommandSpec& spec : command_specs()) {
    std::string target = "/api/v1/" + std::string(spec.name);
    for (int i = 0; i < spec.min_operands; ++i) target += "/x";
    const bool looks = find_command(spec.name)->looks;
    looking += looks ? 1 : 0;
    EXPECT_EQ(status(target) != 403, looks) << spec.name;
  }
  EXPECT_GT(looking, 8);
  EXPECT_EQ(status("/api/v1/canceljob/x:."), 403);
  EXPECT_EQ(status("/api/v1/schedctl?k"), 403);
  EXPECT_EQ(status("/api/v1/setres/ALL?dry-run"), 403);
}

TEST(ApiTest, InvalidRequestsAreRefused) {
  EXPECT_EQ(status("/api/v1/rm"), 404);
  EXPECT_EQ(status("/api/v1/showq?Z"), 400);
  EXPECT_EQ(status("/api/v1/showq/operand"), 400);
  EXPECT_EQ(status("/api/v1/checkjob"), 400);
  EXPECT_EQ(status("/api/v1/showq?limit=-1"), 400);
  EXPECT_EQ(status("/api/v1/showq?limit=ten"), 400);
  EXPECT_EQ(status("/api/v1/showq?where=user"), 400);
}

TEST(ApiTest, TheIndexListsTheCommandsThatOnlyLook) {
  const auto index = api_index();
  EXPECT_THAT(index, HasSubstr("{\"command\":\"showq\""));
  EXPECT_THAT(index, HasSubstr("{\"command\":\"checkjob\""));
  EXPECT_THAT(index, Not(HasSubstr("\"canceljob\"")));
  EXPECT_TRUE(is_api(asked_for("/api/v1")));
  EXPECT_FALSE(is_api(asked_for("/api")));
  EXPECT_FALSE(is_api(asked_for("/API/v1/showq")));
}

}  // namespace
}  // namespace maui
