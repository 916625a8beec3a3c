#include "migrate/account_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace maui::migrate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SlurmAssociation account(const std::string& name, const std::string& parent,
                         const std::string& most_jobs = {}) {
  SlurmAssociation association;
  association.account = name;
  association.parent = parent;
  if (!most_jobs.empty()) association.said.values["maxjobs"] = most_jobs;
  return association;
}

std::vector<std::string> names(const AccountTree& tree) {
  std::vector<std::string> all;
  for (const auto* one : tree.accounts()) all.push_back(one->name);
  return all;
}

std::vector<std::string> lost(const ObjectLines& lines) {
  Writer writer(Source::slurm);
  lines.print_losses(writer);
  std::vector<std::string> all;
  for (const auto& loss : writer.take().losses) all.push_back(loss.what);
  return all;
}

TEST(AccountTreeTest, GoesFromRootDownAndPassesOnWhatIsSaid) {
  SlurmAccounts accounts;
  accounts.associations = {account("waves", "physics"), account("physics", "root", "7"),
                           account("chem", ""), account("root", "", "-1")};
  SlurmAssociation amy = account("waves", "");
  amy.user = "amy";
  accounts.associations.push_back(amy);
  ObjectLines lines;
  const AccountTree tree(accounts, lines);
  EXPECT_THAT(names(tree), ElementsAre("root", "chem", "physics", "waves"));
  const auto& waves = *tree.accounts().back();
  ASSERT_EQ(waves.users.size(), 1U);
  EXPECT_EQ(waves.users[0]->user, "amy");
  EXPECT_EQ(tree.inherited(waves, "maxjobs"), "7");
  EXPECT_EQ(tree.inherited(*tree.accounts()[1], "maxjobs"), "");
  EXPECT_THAT(lost(lines), IsEmpty());
}

TEST(AccountTreeTest, AccountsWithNoPlaceInTheTreeAreLost) {
  SlurmAccounts accounts;
  accounts.associations = {account("a", "b"), account("b", "a"), account("c", "nowhere")};
  ObjectLines lines;
  const AccountTree tree(accounts, lines);
  EXPECT_THAT(names(tree), ElementsAre("root", "c"));
  EXPECT_THAT(lost(lines), testing::UnorderedElementsAre(HasSubstr("'a'"), HasSubstr("'b'"),
                                                         HasSubstr("'c' below 'nowhere'")));
}

}  // namespace
}  // namespace maui::migrate
