#include "proto/credential.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proto/message.h"

namespace maui {
namespace {

const std::string kKey(64, 'a');

TEST(CredentialTest, ItsContentSaysWhatItIsForAndHasTheKey) {
  EXPECT_EQ(key_in(credential_content(kKey)), kKey);
  for (const auto& other :
       std::vector<std::string>{"", kKey, "maui request ", "maui request " + kKey + "a",
                                "maui request " + std::string(64, 'X'), "slurm request " + kKey,
                                credential_content(kKey) + '\n'})
    EXPECT_EQ(key_in(other), std::nullopt) << other;
}

TEST(CredentialTest, OnlyAPossibleCredentialIsChecked) {
  EXPECT_TRUE(may_be_credential("MUNGE:AwQFAAAS4i6+/=:"));
  for (const auto& other :
       {std::string(), std::string("MUNGE:"), std::string("MUNGE::"), std::string("MUNGE:a"),
        std::string("munge:a:"), std::string("MUNGE:a b:"), std::string("MUNGE:a\nMUNGE:b:"),
        std::string("MUNGE:a\0b:", 10), "MUNGE:" + std::string(kMostCredential, 'a') + ":"})
    EXPECT_FALSE(may_be_credential(other)) << other.substr(0, 40);
}

TEST(CredentialTest, TheHelpersAnswerIsReadAsItWasWritten) {
  const auto read = read_voucher_line(voucher_line(Voucher{1234, 1700000000, kKey}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->user, 1234U);
  EXPECT_EQ(read->made, 1700000000);
  EXPECT_EQ(read->key, kKey);
  const auto refused = read_voucher_line(voucher_line(Error{"munge: Expired\ncredential"}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "munge: Expired credential");
}

TEST(CredentialTest, AnAnswerThatIsNotUnderstoodVouchesForNobody) {
  for (const auto& line :
       std::vector<std::string>{"", "OK", "OK 0 1700000000", "OK -1 1700000000 " + kKey,
                                "OK 0 now " + kKey, "OK 0 1700000000 " + kKey + "0",
                                "OK 0 1700000000 " + kKey + " more", "ok 0 1700000000 " + kKey})
    EXPECT_FALSE(read_voucher_line(line)) << line;
}

TEST(CredentialTest, AMessageHasItBeforeWhatTheChecksumCovers) {
  const auto made =
      sign(kKey, {.timestamp = 1700000000, .user = "amy", .credential = "MUNGE:abc:"}, "showq");
  EXPECT_THAT(made.text, testing::HasSubstr(" MU=MUNGE:abc: TS=1700000000 AUTH=amy DT=showq"));
  const auto message = parse_message(made.text);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->credential, "MUNGE:abc:");
  EXPECT_EQ(message->user, "amy");
  EXPECT_TRUE(authentic(*message, kKey));
  EXPECT_FALSE(authentic(*message, std::string(64, 'b')));
  const auto without = parse_message(sign(kKey, {1700000000, "amy"}, "MU=x showq").text);
  ASSERT_TRUE(without);
  EXPECT_EQ(without->credential, "");
  EXPECT_EQ(without->data, "MU=x showq");
}

}  // namespace
}  // namespace maui
