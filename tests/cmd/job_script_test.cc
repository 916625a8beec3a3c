#include "cmd/facts/job_script.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace maui::test {
namespace {

constexpr std::uint64_t kMostHosts = 1000;

JobScript read(const std::string& text) {
  auto script = read_job_script(text, kMostHosts);
  if (!script) ADD_FAILURE() << text << ": " << script.error().what;
  return script ? *std::move(script) : JobScript{};
}
std::string why_not(const std::string& text) {
  const auto script = read_job_script(text, kMostHosts);
  return script ? "(read)" : script.error().what;
}
Requirement first(const JobScript& script) { return script.asked.request.requirements.front(); }

TEST(JobScriptTest, SlurmsTasksNodesAndTime) {
  const auto script = read(
      "#!/bin/bash\n"
      "#SBATCH --job-name=test -o out.%j\n"
      "#SBATCH -N 2 --ntasks-per-node=4 --cpus-per-task 3\n"
      "# a comment\n"
      "\n"
      "#SBATCH --time=1-02:30 # a day and a bit\n"
      "#SBATCH -A chem --qos=high -p batch --constraint='fast&big' --exclusive\n"
      "srun ./it\n"
      "#SBATCH --nonsense\n");
  EXPECT_TRUE(script.unknown.empty());
  EXPECT_EQ(first(script).tasks, 8);
  EXPECT_EQ(first(script).tasks_per_node, 4);
  EXPECT_EQ(first(script).nodes, 2);
  EXPECT_EQ(first(script).least_nodes, 2);
  EXPECT_EQ(first(script).per_task, Resources(3));
  EXPECT_EQ(script.asked.request.limit, Seconds(86400 + 2 * 3600 + 30 * 60));
  EXPECT_EQ(script.asked.account, "chem");
  EXPECT_EQ(script.asked.qos, "high");
  EXPECT_EQ(script.asked.job_class, "batch");
  EXPECT_EQ(script.asked.features, (std::vector<std::vector<std::string>>{{"fast", "big"}}));
  EXPECT_EQ(script.asked.job.access_asked, NodeAccess::dedicated);
}

TEST(JobScriptTest, SlurmsFormsOfTime) {
  const auto limit = [](const std::string& text) {
    return read("#SBATCH -t " + text).asked.request.limit.raw();
  };
  EXPECT_EQ(limit("90"), 90 * 60);
  EXPECT_EQ(limit("90:30"), 90 * 60 + 30);
  EXPECT_EQ(limit("2:00:00"), 7200);
  EXPECT_EQ(limit("1-12"), 36 * 3600);
  EXPECT_EQ(limit("1-12:30"), 36 * 3600 + 30 * 60);
  EXPECT_EQ(limit("1-12:30:05"), 36 * 3600 + 30 * 60 + 5);
  EXPECT_EQ(read("#SBATCH -n 1").asked.request.limit, Seconds(0)) << "it names none";
}

TEST(JobScriptTest, MemoryIsPartedAmongTasks) {
  EXPECT_EQ(first(read("#SBATCH -N 2 -n 8 --mem=8G")).per_task.memory(), 2048);
  EXPECT_EQ(first(read("#SBATCH -n 100000000 --mem=2100000000M")).per_task.memory(), 21);
  EXPECT_EQ(first(read("#SBATCH -n 8 -c 2 --mem-per-cpu=500M")).per_task.memory(), 1000);
  EXPECT_EQ(first(read("#PBS -l nodes=2:ppn=4,pmem=1gb")).per_task.memory(), 1024);
  EXPECT_EQ(first(read("#PBS -l nodes=2:ppn=4 -l mem=8gb")).per_task.memory(), 1024);
}

TEST(JobScriptTest, PbsNodesAndChunks) {
  const auto torque =
      read("#PBS -N it\n#PBS -l nodes=2:ppn=4:fast,walltime=1:30:00 -q batch@host\n");
  EXPECT_EQ(first(torque).tasks, 8);
  EXPECT_EQ(first(torque).tasks_per_node, 4);
  EXPECT_EQ(torque.asked.features.front(), std::vector<std::string>{"fast"});
  EXPECT_EQ(torque.asked.request.limit, Seconds(5400));
  EXPECT_EQ(torque.asked.job_class, "batch");
  const auto select = read("#PBS -l select=2:ncpus=4:mem=8gb+1:ncpus=2:ngpus=1:mpiprocs=2");
  ASSERT_EQ(select.asked.request.requirements.size(), 2U);
  EXPECT_EQ(first(select).tasks, 2);
  EXPECT_EQ(first(select).per_task, Resources(4, 8192));
  EXPECT_EQ(select.asked.request.requirements[1].per_task, Resources(2));
  EXPECT_EQ(select.asked.generic[1], (std::vector<std::pair<std::string, int>>{{"gpu", 1}}));
  EXPECT_TRUE(select.unknown.empty());
}

TEST(JobScriptTest, IgnoredOptionsAreNamed) {
  EXPECT_EQ(read("#SBATCH --licenses=matlab -n 2 --reservation big -p a,b").unknown,
            (std::vector<std::string>{"--licenses=matlab", "--reservation",
                                      "all partitions but the first"}));
  EXPECT_EQ(first(read("#SBATCH --reservation big -n 2")).tasks, 2);
  EXPECT_EQ(read("#PBS -l software=x -W depend=afterok:1").unknown,
            (std::vector<std::string>{"-l software=x", "-W"}));
}

TEST(JobScriptTest, ErrorsNameTheLine) {
  EXPECT_EQ(why_not("echo\n#SBATCH -n 1"),
            "no line begins with #SBATCH or #PBS before the first command");
  EXPECT_EQ(why_not("#!/bin/sh\n#SBATCH -n many"),
            "line 2: -n: invalid value 'many': expected a whole number from 1 to 100000000");
  EXPECT_EQ(why_not("#SBATCH --time=soon"),
            "line 1: --time: invalid value 'soon': expected a time above zero");
  EXPECT_EQ(why_not("#SBATCH -t 99999999999999999999"),
            "line 1: -t: invalid value '99999999999999999999': expected a time above zero");
  EXPECT_EQ(why_not("#SBATCH --mem=lots"),
            "line 1: --mem: invalid value 'lots': expected an amount of memory such as 4G");
  EXPECT_EQ(why_not("#SBATCH --ntasks"), "line 1: --ntasks must be followed by a value");
  EXPECT_EQ(why_not("#SBATCH --comment=\"a"), "line 1: unclosed quotation mark");
  EXPECT_EQ(why_not("#SBATCH -N 4-2"),
            "line 1: -N: invalid value '2': expected a whole number from 4 to 100000000");
  EXPECT_EQ(why_not("#PBS -l nodes=0"),
            "line 1: -l: invalid value '0': expected a number of nodes");
  EXPECT_EQ(why_not("#SBATCH -n 100000000 -c 100000000"), "too many tasks or processors requested");
  EXPECT_EQ(why_not("#PBS -l nodes=100000000:ppn=100000000"),
            "line 1: -l: '100000000:ppn=100000000' requests too many tasks");
  EXPECT_EQ(why_not("#SBATCH --constraint=[a|b]"),
            "line 1: --constraint: invalid value '[a|b]': expected features joined by &");
}

TEST(JobScriptTest, ItsListsNameNoMoreHostsThanThereAre) {
  EXPECT_EQ(read("#SBATCH -w n[1-600] -x n[601-1000]\n").asked.host_list.size(), 600U);
  EXPECT_THAT(why_not("#SBATCH -w n[1-600]\n#SBATCH -x n[1-401]\n"),
              testing::HasSubstr("line 2: -x: it names 401 hosts: expected at most 400"));
  std::string many = "#SBATCH -w ";  // gigabytes of names, which are not made
  for (int i = 0; i < 4000; ++i) many += fmt::format("a{}x[0-999999],", i);
  EXPECT_THAT(why_not(many + "\n"), testing::HasSubstr("it names 4000000000 hosts"));
}

TEST(JobScriptTest, ARangeOfNodesOfPbsIsEachOfThem) {
  EXPECT_EQ(read("#PBS -l nodes=n[1-2]:ppn=4+m3\n").asked.host_list,
            (std::vector<std::string>{"n1", "n2", "m3"}));
  EXPECT_THAT(why_not("#PBS -l nodes=n[1-600]+m[1-401]\n"), testing::HasSubstr("401 hosts"));
}

}  // namespace
}  // namespace maui::test
