#include "bank/allocation_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "daemon/temporary_directory.h"

namespace maui::test {
namespace {

AllocationVerdict ask(AllocationFile& file, const std::string& job) {
  AllocationRequest request;
  request.job = job;
  auto verdict = AllocationVerdict::failed;
  file.ask(request, [&](const AllocationAnswer& answer) { verdict = answer.verdict; });
  return verdict;
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

TEST(AllocationFile, WhatCannotBeWrittenFailsUntilItCan) {
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
