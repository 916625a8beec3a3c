// diagnose -u, -c and -Q print the columns of release 3.3.
#include "render/golden.h"

namespace maui {
namespace {

CredentialDiagnosis named(const std::string& name, std::int64_t priority, double target) {
  CredentialDiagnosis row;
  row.name = name;
  row.priority = priority;
  row.target = target;
  return row;
}

bool has_line(const CredentialsReply& reply, const std::string& line) {
  return render(reply, Format::text).find("\n" + line + "\n") != std::string::npos;
}

TEST(CredentialsText, OwnersHaveALineEachAsInTheTranscripts) {
  auto amy = named("amy", 100, 30), bob = named("bob", 0, 10), phys = named("phys", 0, 0);
  bob.limits = {{"MAXJOB", 3, 3, 2}};
  phys.default_qos = "high";
  phys.qos_list = {"high", "low"};
  phys.limits = {{"MAXPROC", 24, 24, 20}, {"MAXIJOB", 2, 4, -1}};
  const CredentialsReply reply{"user", false, "DEFAULT", {amy, bob, phys}};
  EXPECT_TRUE(has_line(reply,
                       "Name         Priority        Flags         QDef      QOSList*        "
                       "PartitionList Target  Limits"));
  EXPECT_TRUE(has_line(reply,
                       "amy               100       [NONE]       [NONE]       [NONE]         "
                       "       [NONE]  30.00  [NONE]"));
  EXPECT_TRUE(has_line(reply,
                       "bob                 0       [NONE]       [NONE]       [NONE]         "
                       "       [NONE]  10.00  MAXJOB=3"));
  EXPECT_TRUE(has_line(reply,
                       "phys                0       [NONE]         high     high:low         "
                       "       [NONE]   0.00  MAXPROC=24 MAXIJOB=2,4"));
}

TEST(CredentialsText, VerboseShowsTheUseOfALimit) {
  auto bob = named("bob", 0, 10);
  bob.limits = {{"MAXJOB", 3, 3, 2}};
  EXPECT_NE(render(CredentialsReply{"user", true, "DEFAULT", {bob}}, Format::text)
                .find("MAXJOB=3 (U: 2)\n"),
            std::string::npos);
}

TEST(CredentialsText, ClassesAndQosHaveColumnsOfTheirOwn) {
  EXPECT_TRUE(has_line({"class", false, "DEFAULT", {named("inter", 50, 0)}},
                       "inter                50 [NONE]       [NONE]             [NONE]  [NONE]     "
                       "           0.00  [NONE]"));
  auto high = named("high", 1000, 0);
  high.queue_time_weight = 2;
  high.queue_time_target = 1;
  high.xfactor_target = 5;
  high.groups = {"phys", "chem", "astro"};
  EXPECT_TRUE(has_line({"qos", false, "DEFAULT", {high}},
                       "high                      1000        2        1        0     5.00     "
                       "[NONE]     [NONE] [NONE]\n  Groups:    phys chem astro"));
  CredentialDiagnosis scavenge = named("scavenge_whatever_is_left", -1000, 0);
  scavenge.job_flags = {"PREEMPTEE", "NORESERVATION"};
  EXPECT_TRUE(has_line({"qos", false, "DEFAULT", {scavenge}},
                       "scavenge_whatever_is_left      -1000        0        0        0     0.00  "
                       "   [NONE] PREEMPTEE:NORESERVATION [NONE]"))
      << "a blank is between all columns, however long their entries are";
}

}  // namespace
}  // namespace maui
