#include "maui/command.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "proto/arguments.h"
#include "proto/general_options.h"

namespace maui {
namespace {

Result<Invocation> parse(std::string_view command, std::vector<std::string> words) {
  const auto* spec = find_command(command);
  EXPECT_NE(spec, nullptr) << command;
  return parse_arguments(*spec, words);
}

CommandRequest parsed(std::string_view command, std::vector<std::string> words) {
  auto invocation = parse(command, std::move(words));
  EXPECT_TRUE(invocation) << invocation.error().what;
  return invocation ? invocation->request : CommandRequest{};
}

std::string refused(std::string_view command, std::vector<std::string> words) {
  const auto invocation = parse(command, std::move(words));
  EXPECT_FALSE(invocation) << command;
  return invocation ? "" : invocation.error().what;
}

TEST(CommandTableTest, IsInAlphabeticalOrder) {
  EXPECT_TRUE(std::is_sorted(command_specs().begin(), command_specs().end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
}

TEST(CommandTableTest, NoFlagHidesAnotherOrAGeneralOption) {
  for (const auto& spec : command_specs()) {
    std::set<std::string> seen;
    for (const auto& option : general_options()) {
      seen.emplace(option.name);
      if (option.letter != 0) seen.emplace(1, option.letter);
    }
    // Release 3.3 holds with -h and checkpoints with -C there; --help and --configfile remain.
    if (spec.name == "mjobctl") seen.erase("h"), seen.erase("C");
    for (const auto& flag : spec.flags) {
      if (flag.letter != 0) {
        EXPECT_TRUE(seen.emplace(1, flag.letter).second) << spec.name << " -" << flag.letter;
      }
      if (!flag.name.empty()) {
        EXPECT_TRUE(seen.emplace(flag.name).second) << spec.name << " --" << flag.name;
      }
      EXPECT_FALSE(flag.help.empty()) << spec.name << " -" << flag.letter;
    }
  }
}

TEST(CommandTableTest, AnotherNameFindsTheCommandItself) {
  ASSERT_NE(find_command("mdiag"), nullptr);
  EXPECT_EQ(find_command("mdiag"), find_command("diagnose"));
  EXPECT_EQ(find_command("showQ"), nullptr);
  EXPECT_EQ(find_command(""), nullptr);
}

TEST(CommandTableTest, ACommandLooksOrActsOnJobsNotBoth) {
  for (const auto& spec : command_specs())
    EXPECT_FALSE(spec.looks && spec.jobs_from >= 0) << spec.name;
}

TEST(CommandRequestTest, OnlyLooksByItsCommandOrByOneOfItsFlags) {
  const auto asked = [](std::string command, std::string flag = {}) {
    CommandRequest request;
    request.command = std::move(command);
    if (!flag.empty()) request.flags.emplace(std::move(flag), "");
    return only_looks(request);
  };
  for (const auto* command : {"showq", "checkjob", "diagnose", "mdiag"})
    EXPECT_TRUE(asked(command)) << command;
  for (const auto* command : {"canceljob", "setres", "resetstats", "mjobctl", "schedctl"})
    EXPECT_FALSE(asked(command)) << command;
  EXPECT_TRUE(asked("setres", "dry-run"));
  EXPECT_TRUE(asked("releaseres", "dry-run"));
  EXPECT_TRUE(asked("mjobctl", "q"));
  EXPECT_FALSE(asked("mjobctl", "c"));
  EXPECT_TRUE(asked("schedctl", "l"));
  EXPECT_FALSE(asked("schedctl", "k"));
}

TEST(CommandRequestTest, TheLastValueOfAFlagCounts) {
  CommandRequest request;
  request.flags = {{"u", "amy"}, {"u", "bob"}, {"v", ""}};
  EXPECT_EQ(request.value("u"), "bob");
  EXPECT_EQ(request.value("v", "x"), "");
  EXPECT_EQ(request.value("t", "x"), "x");
  EXPECT_EQ(request.value("z", "x"), "x");
}

TEST(CheckRequestTest, RefusesWhatTheRowDoesNotHave) {
  const auto& showq = *find_command("showq");
  CommandRequest request;
  request.command = "showq";
  EXPECT_TRUE(check_request(showq, request));
  request.flags = {{"Z", ""}};
  EXPECT_FALSE(check_request(showq, request));
  request.flags = {{"i", "value"}};
  EXPECT_FALSE(check_request(showq, request));
  request.flags = {{"p", ""}};
  EXPECT_FALSE(check_request(showq, request));
  request.flags = {{"i", ""}, {"i", ""}};
  EXPECT_FALSE(check_request(showq, request));
  request.flags = {};
  request.operands = {"extra"};
  EXPECT_FALSE(check_request(showq, request));
}

TEST(ArgumentsTest, FlagsMayBeClusteredAndTheirValuesAttached) {
  EXPECT_EQ(parsed("showq", {"-vi"}).flags, parsed("showq", {"-v", "-i"}).flags);
  EXPECT_EQ(parsed("showq", {"-pDEFAULT"}).value("p"), "DEFAULT");
  EXPECT_EQ(parsed("showq", {"-vpDEFAULT"}).value("p"), "DEFAULT");
  EXPECT_EQ(parsed("showq", {"-p", "DEFAULT"}).value("p"), "DEFAULT");
}

TEST(ArgumentsTest, GeneralOptionsStandAnywhereAndBothWays) {
  const auto a = parse("showq", {"-L9", "--host=h", "--port", "42", "-C", "/x", "--format=json"});
  ASSERT_TRUE(a) << a.error().what;
  EXPECT_EQ(a->general.log_level, 9);
  EXPECT_EQ(a->general.host, "h");
  EXPECT_EQ(a->general.port, 42);
  EXPECT_EQ(a->general.config_file, "/x");
  EXPECT_EQ(a->general.format, Format::json);
  const auto b = parse("checkjob", {"job1", "--loglevel", "3", "--configfile=/y", "--keyfile=/k"});
  ASSERT_TRUE(b);
  EXPECT_EQ(b->general.log_level, 3);
  EXPECT_EQ(b->general.config_file, "/y");
  EXPECT_EQ(b->general.key_file, "/k");
  EXPECT_EQ(b->request.operands, std::vector<std::string>{"job1"});
}

TEST(ArgumentsTest, TheLogLevelHasItsFormerLetterToo) {
  const auto told = parse("showq", {"-D", "2"});
  ASSERT_TRUE(told) << told.error().what;
  EXPECT_EQ(told->general.log_level, 2);
  EXPECT_EQ(refused("checkjob", {"-D12", "a"}),
            "checkjob: -D: invalid value '12': expected a number from 0 to 9");
}

TEST(ArgumentsTest, AnOptionalValueIsTheNextWordUnlessThatIsAFlag) {
  EXPECT_EQ(parsed("showstats", {"-u", "amy"}).value("u", "-"), "amy");
  EXPECT_EQ(parsed("showstats", {"-u", "-v"}).value("u", "-"), "");
  EXPECT_EQ(parsed("showstats", {"-u"}).value("u", "-"), "");
  EXPECT_EQ(parsed("schedctl", {"-S", "100I"}).value("S"), "100I");
  EXPECT_EQ(parsed("schedctl", {"-s5"}).value("s"), "5");
}

TEST(ArgumentsTest, AWordAfterAnotherFlagGoesToTheOneFlagThatLacksIt) {
  const auto request = parsed("diagnose", {"-n", "-t", "part", "node1"});
  EXPECT_EQ(request.value("n"), "node1");
  EXPECT_EQ(request.value("t"), "part");
  EXPECT_TRUE(request.operands.empty());
}

TEST(ArgumentsTest, NegativeNumbersAndRelativeTimesAreNoFlags) {
  EXPECT_EQ(parsed("setspri", {"-r", "-100", "job1"}).operands,
            (std::vector<std::string>{"-100", "job1"}));
  EXPECT_EQ(parsed("setres", {"-s", "+1:00:00", "-d", "60", "ALL"}).value("s"), "+1:00:00");
}

TEST(ArgumentsTest, TwoDashesEndTheFlags) {
  EXPECT_EQ(parsed("canceljob", {"--", "-v"}).operands, std::vector<std::string>{"-v"});
}

// Only after -c does a comma have another meaning, so the letter is kept.
TEST(ArgumentsTest, SetresKnowsThreeLettersForAClassList) {
  for (const char* letter : {"c", "l", "q"})
    EXPECT_EQ(parsed("setres", {std::string("-") + letter, "a,b", "ALL"}).value(letter), "a,b");
  EXPECT_EQ(refused("setres", {"-q", "a", "-q", "b", "ALL"}), "setres: -q is given twice");
}

TEST(ArgumentsTest, SaysWhatIsWrongWithACall) {
  EXPECT_EQ(refused("showq", {"-Z"}), "showq: unknown flag '-Z'");
  EXPECT_EQ(refused("mjobctl", {"-S", "a"}),
            "mjobctl: -S no longer exists: jobs are submitted to their resource manager");
  EXPECT_EQ(refused("mdiag", {"-s"}),
            "diagnose: -s no longer exists: diagnose -r also shows standing reservations");
  EXPECT_EQ(refused("showstats", {"-d", "1"}),
            "showstats: -d never changed what showstats prints; -L LEVEL reports the client's "
            "progress");
  EXPECT_EQ(refused("showq", {"--nosuch"}), "showq: unknown option '--nosuch'");
  EXPECT_EQ(refused("showq", {"-p"}), "showq: -p must be followed by PARTITION");
  EXPECT_EQ(refused("showq", {"extra"}), "showq: unexpected 'extra'");
  EXPECT_EQ(refused("showq", {"--port=0"}),
            "showq: --port: invalid value '0': expected a number from 1 to 65535");
  EXPECT_EQ(refused("showq", {"-L", "10"}),
            "showq: -L: invalid value '10': expected a number from 0 to 9");
  EXPECT_EQ(refused("showq", {"--format=pdf"}),
            "showq: --format: invalid value 'pdf': expected text, json, xml or svg");
  EXPECT_EQ(refused("showq", {"--help=x"}), "showq: --help takes no value");
  EXPECT_EQ(refused("showq", {"--host"}), "showq: --host must be followed by HOST");
  EXPECT_EQ(refused("checkjob", {}), "checkjob: expected JOB");
  EXPECT_EQ(refused("changeparam", {"LOGLEVEL"}), "changeparam: expected PARAMETER VALUE...");
}

TEST(ArgumentsTest, HelpIsGivenHoweverTheRestLooks) {
  const auto invocation = parse("checkjob", {"-h"});
  ASSERT_TRUE(invocation);
  EXPECT_TRUE(invocation->general.help);
}

TEST(ArgumentsTest, ACommandThatHoldsJobsWithItGivesHelpWhereItStandsAlone) {
  const auto alone = parse("mjobctl", {"-h"});
  ASSERT_TRUE(alone);
  EXPECT_TRUE(alone->general.help);
  EXPECT_TRUE(parsed("mjobctl", {"-h", "a"}).has("h"));
}

TEST(ArgumentsTest, OptionsOfTablesNameColumnsAndRows) {
  const auto invocation = parse(
      "showq", {"--columns", "name,procs", "--sort=-procs,name", "--limit", "5", "--watch=2"});
  ASSERT_TRUE(invocation) << invocation.error().what;
  const auto& options = invocation->general;
  EXPECT_EQ(options.table.columns, (std::vector<std::string>{"name", "procs"}));
  ASSERT_EQ(options.table.sort.size(), 2u);
  EXPECT_EQ(options.table.sort[0].member, "procs");
  EXPECT_TRUE(options.table.sort[0].descending);
  EXPECT_FALSE(options.table.sort[1].descending);
  EXPECT_EQ(options.table.limit, 5u);
  EXPECT_EQ(options.watch, 2);
  EXPECT_TRUE(parse("showq", {"--columns", "help"})->general.table.list_columns);
}

TEST(ArgumentsTest, OptionsOfTablesThatMakeNoSenseAreRefused) {
  EXPECT_EQ(refused("showq", {"--limit=-1"}),
            "showq: --limit: invalid value '-1': expected a number from 0 to 1000000000");
  EXPECT_EQ(refused("showq", {"--watch", "0"}),
            "showq: --watch: invalid value '0': expected a number from 1 to 86400");
  EXPECT_EQ(refused("showq", {"--columns="}),
            "showq: --columns: expected names of columns, or help");
  EXPECT_EQ(refused("showq", {"--sort=,"}), "showq: --sort: expected names, as in -procs,name");
}

TEST(UsageTest, StaysWithinEightyColumns) {
  for (const auto& spec : command_specs()) {
    std::istringstream text(usage(spec));
    for (std::string line; std::getline(text, line);)
      EXPECT_LE(line.size(), 80u) << spec.name << ": " << line;
  }
}

TEST(UsageTest, NamesEveryFlagOfEveryCommand) {
  for (const auto& spec : command_specs()) {
    const auto text = usage(spec);
    EXPECT_EQ(text.rfind("Usage: " + std::string(spec.name), 0), 0u);
    for (const auto& flag : spec.flags)
      EXPECT_NE(text.find("\n  " + flag_form(flag)), std::string::npos)
          << spec.name << " " << flag_form(flag);
    for (const auto& option : general_options())
      EXPECT_NE(text.find("--" + std::string(option.name)), std::string::npos) << option.name;
    for (char letter = 'A'; letter <= 'z'; ++letter) {
      const std::string line = std::string("\n  -") + letter;
      const auto first = text.find(line + ","), alone = text.find(line + " ");
      EXPECT_TRUE(first == text.npos ||
                  (alone == text.npos && text.find(line + ",", first + 1) == text.npos))
          << spec.name << " lists -" << letter << " twice";
    }
  }
}

}  // namespace
}  // namespace maui
