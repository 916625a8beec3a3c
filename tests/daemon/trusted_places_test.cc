#include "daemon/files/trusted_places.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>

#include "daemon/files/private_directories.h"
#include "daemon/temporary_directory.h"

namespace maui {
namespace {

using testing::HasSubstr;

class TrustedPlaces : public testing::Test {
 protected:
  static constexpr const char* kCheckpoints[] = {"maui.ck", "maui.ck.old", "maui.ck.starts",
                                                 "maui.ck.g7"};
  void SetUp() override {
    mode("", 0755);
    std::ofstream(directory_ / "maui.cfg") << "SERVERMODE TEST\n";
    for (const char* name : {"log", "stats", "tools"})
      std::filesystem::create_directory(directory_ / name);
    std::ofstream(directory_ / "tools/feedback") << "#!/bin/sh\n";
    for (const char* name : kCheckpoints) {
      std::ofstream(directory_ / name) << "maui checkpoint\n";
      mode(name, 0600);
    }
    settings_.jobs.feedback_program = "feedback";
    mode("maui.cfg", 0644);
    mode("tools/feedback", 0755);
  }
  void mode(const std::string& name, mode_t mode) {
    ASSERT_EQ(::chmod((directory_ / name).c_str(), mode), 0);
  }
  std::string why_not() {
    const auto status = check_places({directory_.path(), directory_ / "maui.cfg"}, settings_, {});
    return status ? "" : status.error().what;
  }
  /// The program or script of a trigger of standing reservation `index`.
  std::string& data_of(const std::string& index, TriggerAction action) {
    auto& triggers = settings_.standing_reservations[index].triggers;
    triggers.emplace_back().action = action;
    return triggers.back().data;
  }
  TemporaryDirectory directory_;
  Settings settings_;
};

TEST_F(TrustedPlaces, OwnedByTheSchedulersUserInATemporaryDirectoryAreAccepted) {
  EXPECT_EQ(why_not(), "");
}

TEST_F(TrustedPlaces, NoCheckpointThatOthersMayChangeIsRead) {
  for (const char* name : kCheckpoints) {
    mode(name, 0666);
    EXPECT_THAT(why_not(), HasSubstr(std::string(name) + "' may be written to by everybody"));
    mode(name, 0600);
  }
  if (::geteuid() != 0) return;
  ASSERT_EQ(::chown((directory_ / "maui.ck").c_str(), 65534, 65534), 0);
  EXPECT_THAT(why_not(), HasSubstr("maui.ck' belongs to user 65534"));
}

TEST_F(TrustedPlaces, NothingThatOthersMayChangeIsReadOrRun) {
  for (const char* name : {"maui.cfg", "tools/feedback", "tools", "log", "stats", ""}) {
    mode(name, 0757);
    EXPECT_THAT(why_not(), HasSubstr("' may be written to by everybody (mode 0757)")) << name;
    EXPECT_THAT(why_not(), HasSubstr("--shared-home"));
    mode(name, 0755);
  }
  EXPECT_EQ(why_not(), "");
}

TEST_F(TrustedPlaces, NorSharesThatOthersMayChange) {
  std::filesystem::create_directory(directory_ / "shares");
  for (const std::string& name : {std::string("other.cfg"), directory_ / "shares/fs.cfg"}) {
    const auto file = directory_.path() / std::filesystem::path(name);
    settings_.fairshare.config_file = name;
    std::ofstream(file) << "USER:amy PRIORITY=1\n";
    ASSERT_EQ(::chmod(file.c_str(), 0644), 0);
    EXPECT_EQ(why_not(), "");
    ASSERT_EQ(::chmod(file.c_str(), 0666), 0);
    EXPECT_THAT(why_not(), HasSubstr("' may be written to by everybody (mode 0666)"));
    std::filesystem::remove(file);
  }
  mode("shares", 0777);
  EXPECT_THAT(why_not(), HasSubstr("shares' may be written to by everybody"));
}

TEST_F(TrustedPlaces, NoProgramThatAParameterNamesMayBeChangedByOthers) {
  const std::pair<const char*, std::string*> parameters[] = {
      {"FEEDBACKPROGRAM", &settings_.jobs.feedback_program},
      {"NOTIFICATIONPROGRAM", &settings_.jobs.notification_program},
      {"JOBATTRIBUTEPROGRAM", &settings_.local.attribute_program},
      {"PRIORITYPROGRAM", &settings_.local.priority_program},
      {"FAIRNESSPROGRAM", &settings_.local.fairness_program},
      {"BACKFILLPROGRAM", &settings_.local.backfill_program},
      {"SRCFG[a] TRIGGER", &data_of("a", TriggerAction::execute)},
      {"SRCFG[b] TRIGGER", &data_of("b", TriggerAction::submit)},
      {"NODEALLOCATIONPROGRAM", &settings_.node.allocation_program}};
  for (const auto& [parameter, name] : parameters) {
    std::ofstream(directory_ / "tools/asked") << "#!/bin/sh\n";
    mode("tools/asked", 0777);
    *name = directory_ / "tools/asked";
    EXPECT_THAT(why_not(), HasSubstr("tools/asked' may be written to by everybody")) << parameter;
    name->clear();
    EXPECT_EQ(why_not(), "") << parameter;
  }
}

TEST_F(TrustedPlaces, OthersMayNotWriteWhereAProgramIsLookedFor) {
  std::filesystem::create_directory(directory_ / "bin");
  mode("bin", 0777);
  for (const auto action : {TriggerAction::execute, TriggerAction::submit}) {
    data_of("a", action) = directory_ / "bin/later.sh";
    EXPECT_THAT(why_not(), HasSubstr("bin' may be written to by everybody"));
    settings_.standing_reservations.clear();
    EXPECT_EQ(why_not(), "");
  }
}

TEST_F(TrustedPlaces, NorMayOthersChangeTheProgramThatSubmitsAScript) {
  const std::string before = std::getenv("PATH");
  std::filesystem::create_directory(directory_ / "bin");
  std::ofstream(directory_ / "bin/qsub") << "#!/bin/sh\n";
  mode("bin/qsub", 0777);
  ::setenv("PATH", (directory_ / "bin").c_str(), 1);
  EXPECT_EQ(why_not(), "");
  data_of("a", TriggerAction::submit) = "nightly.sh";
  EXPECT_THAT(why_not(), HasSubstr("bin/qsub' may be written to by everybody"));
  ::setenv("PATH", before.c_str(), 1);
}

TEST_F(TrustedPlaces, NorReplaceTheSocketForHttp) {
  std::filesystem::create_directory(directory_ / "run");
  settings_.http.socket = "run/http.sock";
  EXPECT_EQ(why_not(), "");
  mode("run", 0757);
  EXPECT_THAT(why_not(), HasSubstr("run' may be written to by everybody"));
  EXPECT_FALSE(check_directories(directory_.path(), settings_));
}

TEST_F(TrustedPlaces, NorAnswerInThePlaceOfMunge) {
  std::filesystem::create_directory(directory_ / "run");
  config::ClientAuthentication clients;
  clients.set_munge_socket("localhost", directory_ / "run/munge.socket");
  mode("run", 0757);
  EXPECT_TRUE(check_munge_sockets(clients)) << "munge is not used";
  clients.set_ways("localhost", {.munge = true});
  const auto refused = check_munge_sockets(clients);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("MUNGESOCKET: '"));
  EXPECT_THAT(refused.error().what, HasSubstr("run' may be written to by everybody"));
  mode("run", 0755);
  EXPECT_TRUE(check_munge_sockets(clients));
  if (::geteuid() != 0) return;
  ASSERT_EQ(::chown((directory_ / "run").c_str(), 65534, 65534), 0);
  EXPECT_FALSE(check_munge_sockets(clients));
  EXPECT_TRUE(check_place(directory_ / "run/munge.socket", 65534)) << "munge's own user";
}

// Where everybody may create files, he may create modules that the program's interpreter loads.
TEST_F(TrustedPlaces, NorAddFilesBesideAProgram) {
  mode("tools", 01777);
  EXPECT_THAT(why_not(), HasSubstr("tools' may be written to by everybody (mode 1777)"));
  mode("tools", 0755);
  std::filesystem::create_directory(directory_ / "elsewhere");
  std::filesystem::rename(directory_ / "tools/feedback", directory_ / "elsewhere/feedback");
  std::filesystem::create_symlink(directory_ / "elsewhere/feedback", directory_ / "tools/feedback");
  EXPECT_EQ(why_not(), "");
  mode("elsewhere", 01777);
  EXPECT_THAT(why_not(), HasSubstr("elsewhere' may be written to by everybody (mode 1777)"));
}

TEST_F(TrustedPlaces, NorTheInterpreterOfAProgram) {
  std::filesystem::create_directory(directory_ / "bin");
  const auto begins = [&](const std::string& line) {
    std::ofstream(directory_ / "tools/feedback") << line << "\n";
  };
  std::ofstream(directory_ / "bin/shell") << "#!/bin/sh\n";
  mode("bin/shell", 0777);
  begins("#!/bin/sh");
  EXPECT_EQ(why_not(), "");
  for (const std::string& line :
       {"#!" + (directory_ / "bin/shell"), "#! " + (directory_ / "bin/shell -e"),
        "#!/usr/bin/env " + (directory_ / "bin/shell")}) {
    begins(line);
    EXPECT_THAT(why_not(), HasSubstr("bin/shell' may be written to by everybody")) << line;
  }
  const std::string before = std::getenv("PATH");
  ::setenv("PATH", (directory_ / "bin" + ":" + before).c_str(), 1);
  for (const char* line : {"#!/usr/bin/env shell", "#!/usr/bin/env -S A=b shell -e"}) {
    begins(line);
    EXPECT_THAT(why_not(), HasSubstr("bin/shell' may be written to by everybody")) << line;
  }
  std::filesystem::create_symlink("/usr/bin/env", directory_ / "bin/other");
  for (const std::string& line : {std::string("#!/usr/bin/env --split-string=shell"),
                                  "#!" + (directory_ / "bin/other") + " shell"}) {
    begins(line);
    EXPECT_THAT(why_not(), HasSubstr("bin/shell' may be written to by everybody")) << line;
  }
  ::setenv("PATH", before.c_str(), 1);
  begins("#!/usr/bin/env -S PATH=" + (directory_ / "bin") + " shell");
  EXPECT_THAT(why_not(), HasSubstr("has env look for its interpreter in another PATH"));
  begins("#!/usr/bin/env -S -C " + (directory_ / "bin") + " ./shell");
  EXPECT_THAT(why_not(), HasSubstr("has '-C' after env, which the scheduler does not follow"));
  begins("#!/usr/bin/env -iS A=b sh -e");
  EXPECT_EQ(why_not(), "");
  begins("# " + (directory_ / "bin/shell"));
  EXPECT_EQ(why_not(), "");
}

TEST_F(TrustedPlaces, NorWhatAGroupMayChange) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  ASSERT_EQ(::chown((directory_ / "maui.cfg").c_str(), 0, 65534), 0);
  mode("maui.cfg", 0664);
  EXPECT_THAT(why_not(), HasSubstr("maui.cfg' may be written to by group 65534 (mode 0664)"));
}

TEST_F(TrustedPlaces, NorWhatAnAccessListLetsOthersChange) {
  struct Entry {
    std::uint16_t tag, rights;
    std::uint32_t id;
  };
  const auto list = [&](std::initializer_list<Entry> entries) {
    std::string bytes("\2\0\0\0", 4);  // the version
    for (const Entry& entry : entries) {
      const auto all =
          entry.tag | std::uint64_t{entry.rights} << 16 | std::uint64_t{entry.id} << 32;
      for (int byte = 0; byte < 8; ++byte) bytes += static_cast<char>(all >> (8 * byte) & 0xff);
    }
    return ::setxattr((directory_ / "maui.cfg").c_str(), "system.posix_acl_access", bytes.data(),
                      bytes.size(), 0) == 0;
  };
  constexpr std::uint32_t kNoId = 0xffffffff;
  const Entry own{1, 6, kNoId}, group{4, 4, kNoId}, mask{16, 6, kNoId}, others{32, 4, kNoId};
  if (!list({own, {2, 6, 65534}, group, mask, others}))
    GTEST_SKIP() << "the file system has no access lists";
  EXPECT_THAT(why_not(), HasSubstr("maui.cfg' may be written to by user 65534 (mode 0664)"));
  ASSERT_TRUE(list({own, group, {8, 6, 65534}, mask, others}));
  EXPECT_THAT(why_not(), HasSubstr("maui.cfg' may be written to by group 65534 (mode 0664)"));
  ASSERT_TRUE(list({own, {2, 4, 65534}, group, {8, 4, 65534}, mask, others}));
  EXPECT_EQ(why_not(), "") << "they may read";
  ASSERT_TRUE(list({own, {2, 6, 65534}, group, {16, 4, kNoId}, others}));
  EXPECT_EQ(why_not(), "") << "the mask takes it away";
}

TEST_F(TrustedPlaces, NorWhatLiesBelowADirectoryOfSomebodyElse) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  std::filesystem::create_directories(directory_ / "his/home");
  ASSERT_EQ(::chown((directory_ / "his").c_str(), 65534, 0), 0);
  const auto status = check_place(directory_ / "his/home");
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().what, HasSubstr("his' belongs to user 65534"));
}

TEST_F(TrustedPlaces, ALinkIsFollowedToWhatItLeadsTo) {
  std::filesystem::create_directory(directory_ / "open");
  mode("open", 0777);
  std::ofstream(directory_ / "open/feedback") << "#!/bin/sh\n";
  ::chmod((directory_ / "open/feedback").c_str(), 0755);
  std::filesystem::remove(directory_ / "tools/feedback");
  std::filesystem::create_symlink(directory_ / "open/feedback", directory_ / "tools/feedback");
  EXPECT_THAT(why_not(), HasSubstr("open' may be written to by everybody"));
}

TEST_F(TrustedPlaces, NorMayOthersOwnALinkThatIsFollowed) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  std::filesystem::create_directory(directory_ / "sticky");
  mode("sticky", 01777);
  const auto link = directory_ / "sticky/program";
  std::filesystem::create_symlink("../tools/feedback", link);
  EXPECT_TRUE(check_place(link)) << "root's own link";
  ASSERT_EQ(::lchown(link.c_str(), 65534, 65534), 0);
  const auto status = check_place(link);
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().what, HasSubstr("sticky/program' belongs to user 65534"));
}

TEST_F(TrustedPlaces, NorChangeALinkInTheMiddleOfAChain) {
  std::filesystem::create_directory(directory_ / "open");
  const auto first = directory_ / "tools/first";
  for (const std::string& target : {directory_ / "open/second", std::string("../open/second"),
                                    std::string("./../tools/../open//second")}) {
    mode("open", 0755);
    std::filesystem::remove(first);
    std::filesystem::remove(directory_ / "open/second");
    std::filesystem::create_symlink(target, first);
    std::filesystem::create_symlink("../tools/feedback", directory_ / "open/second");
    EXPECT_TRUE(check_place(first)) << target;
    mode("open", 0777);
    const auto status = check_place(first);
    ASSERT_FALSE(status) << target;
    EXPECT_THAT(status.error().what, HasSubstr("open' may be written to by everybody")) << target;
  }
}

TEST_F(TrustedPlaces, NorChangeALinkToADirectoryOnTheWay) {
  std::filesystem::create_directories(directory_ / "open/inner");
  std::filesystem::create_directory_symlink("open/inner", directory_ / "way");
  std::filesystem::create_directory_symlink(directory_ / "tools", directory_ / "open/inner/tools");
  EXPECT_TRUE(check_place(directory_ / "way/tools/feedback"));
  EXPECT_TRUE(check_place(directory_ / "way/../../tools/feedback"));
  mode("open", 0777);
  EXPECT_FALSE(check_place(directory_ / "way/tools/feedback"));
  EXPECT_FALSE(check_place(directory_ / "way/../../tools/feedback"));
}

TEST_F(TrustedPlaces, NorMakeWhatIsMissing) {
  std::filesystem::create_directory(directory_ / "sticky");
  mode("sticky", 01777);
  for (const char* missing : {"sticky/program", "sticky/bin/program"}) {
    const auto status = check_place(directory_ / missing);
    ASSERT_FALSE(status) << missing;
    EXPECT_THAT(status.error().what, HasSubstr("sticky' may be written to by everybody"));
  }
  std::ofstream(directory_ / "sticky/program") << "#!/bin/sh\n";
  mode("sticky/program", 0755);
  EXPECT_TRUE(check_place(directory_ / "sticky/program"));
  EXPECT_TRUE(check_place(directory_ / "tools/missing"));
}

TEST_F(TrustedPlaces, LinksAreFollowedAsFarAsTheSystemFollowsThem) {
  const auto link = [&](int number) { return directory_ / fmt::format("link{}", number); };
  std::filesystem::create_symlink("tools/feedback", link(0));
  for (int number = 1; number <= 40; ++number)
    std::filesystem::create_symlink(fmt::format("link{}", number - 1), link(number));
  EXPECT_TRUE(check_place(link(39)));
  const auto status = check_place(link(40));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().what, fmt::format("'{}' leads through more than 40 links", link(40)));
  std::filesystem::create_symlink("loop", directory_ / "loop");
  EXPECT_FALSE(check_place(directory_ / "loop"));
}

}  // namespace
}  // namespace maui
