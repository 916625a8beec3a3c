#include "bank/allocation_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "daemon/temporary_directory.h"

namespace maui::test {
namespace {

AllocationVerdict ask(AllocationFile& file, const AllocationRequest& request) {
  auto verdict = AllocationVerdict::failed;
  file.ask(request, [&](const AllocationAnswer& answer) { verdict = answer.verdict; });
  return verdict;
}
AllocationVerdict ask(AllocationFile& file, const std::string& job) {
  AllocationRequest request;
  request.job = job;
  return ask(file, request);
}

AllocationRequest debit(const std::string& job, int start, int end) {
  AllocationRequest request;
  request.deed = AllocationDeed::debit;
  request.job = job;
  request.start = request.began = Time(start);
  request.when = Time(end);
  request.duration = request.when - request.start;
  return request;
}

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return (std::stringstream() << in.rdbuf()).str();
}

TEST(AllocationFile, EveryRequestIsGrantedAndAddsItsLine) {
  TemporaryDirectory folder;
  const auto path = folder / "stats/allocations";
  {
    AllocationFile file(path);
    EXPECT_EQ(ask(file, "a"), AllocationVerdict::granted);
    EXPECT_EQ(text_of(path), "RESERVE TIME=0 JOB=a START=0 PROCS=0 SECONDS=0 AMOUNT=0\n")
        << "it is there at once";
  }
  AllocationFile again(path);
  EXPECT_EQ(ask(again, "b"), AllocationVerdict::granted);
  EXPECT_NE(text_of(path).find("JOB=a"), std::string::npos);
  EXPECT_NE(text_of(path).find("JOB=b"), std::string::npos);
}

int lines_of(const std::string& path) {
  const auto text = text_of(path);
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

TEST(AllocationFile, ADebitThatAKilledSchedulerHasWrittenIsNotWrittenAgain) {
  TemporaryDirectory folder;
  const auto path = folder / "allocations";
  AllocationFile killed(path);
  ask(killed, debit("a", 100, 200));
  ask(killed, debit("a", 200, 300));
  AllocationFile next(path);
  EXPECT_EQ(ask(next, debit("a", 102, 200)), AllocationVerdict::granted);
  EXPECT_EQ(ask(next, debit("a", 200, 300)), AllocationVerdict::granted);
  EXPECT_EQ(lines_of(path), 2);
  ask(next, debit("a", 300, 400));
  ask(next, debit("b", 100, 200));
  EXPECT_EQ(lines_of(path), 4) << "another run, and another job";
}

TEST(AllocationFile, EachRecordedDebitMatchesOneRequest) {
  TemporaryDirectory folder;
  const auto path = folder / "allocations";
  AllocationFile killed(path);
  ask(killed, debit("a", 100, 200));
  AllocationFile next(path);
  ask(next, debit("a", 100, 200));
  ask(next, debit("a", 100, 200));
  EXPECT_EQ(lines_of(path), 2);
}

TEST(AllocationFile, NorIsARelease) {
  TemporaryDirectory folder;
  const auto path = folder / "allocations";
  const auto request = [](AllocationDeed deed, int start) {
    AllocationRequest made = debit("a", start, start);
    made.deed = deed;
    return made;
  };
  AllocationFile killed(path);
  ask(killed, request(AllocationDeed::reserve, 100));
  ask(killed, request(AllocationDeed::release, 100));
  for (int i = 0; i < 3; ++i) {
    AllocationFile next(path);
    EXPECT_EQ(ask(next, request(AllocationDeed::release, 100)), AllocationVerdict::granted);
    EXPECT_EQ(lines_of(path), 2);
  }
  AllocationFile last(path);
  ask(last, request(AllocationDeed::release, 101));
  EXPECT_EQ(lines_of(path), 3) << "another run";
  ask(last, request(AllocationDeed::reserve, 100));
  ask(last, request(AllocationDeed::release, 100));
  EXPECT_EQ(lines_of(path), 5) << "another lien";
  AllocationFile after(path);
  ask(after, debit("a", 100, 100));
  EXPECT_EQ(lines_of(path), 6) << "no release";
}

TEST(AllocationFile, ALineThatWasCutOffIsWrittenWhole) {
  TemporaryDirectory folder;
  const auto path = folder / "allocations";
  AllocationFile killed(path);
  ask(killed, debit("a", 100, 200));
  ask(killed, debit("b", 100, 200));
  const auto whole = text_of(path);
  std::filesystem::resize_file(path, whole.size() - 5);
  AllocationFile next(path);
  ask(next, debit("a", 100, 200));
  ask(next, debit("b", 100, 200));
  EXPECT_EQ(text_of(path), whole);
}

TEST(AllocationFile, RequestsFailUntilTheFileCanBeWritten) {
  TemporaryDirectory folder;
  const auto path = folder / "allocations";
  std::filesystem::create_directory(path);
  AllocationFile file(path);
  EXPECT_EQ(ask(file, "a"), AllocationVerdict::failed);
  std::filesystem::remove(path);
  EXPECT_EQ(ask(file, "a"), AllocationVerdict::granted);
}

}  // namespace
}  // namespace maui::test
