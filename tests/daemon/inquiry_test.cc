// Inquiries: questions that programs answer on their standard output.
#include "programs/inquiry.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "daemon/temporary_directory.h"

namespace maui {
namespace {

// The loop is busy until the program has ended, and finds its end together with its output.
TEST(Inquiry, NothingIsLostOfAnAnswerThatIsReadAfterTheEndOfItsProgram) {
  TemporaryDirectory folder;
  const std::string path = folder / "chat", marker = folder / "ended";
  std::ofstream(path) << "#!/bin/sh\nhead -c 150000 /dev/zero | tr '\\0' x\n: >" << marker << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  for (const bool leaves : {true, false}) {
    boost::asio::io_context io;
    ProgramOutcome outcome;
    run_program(io, {.path = path, .leaves_some_behind = leaves}, "", {},
                [&outcome](ProgramOutcome made) { outcome = std::move(made); });
    io.run_one();
    while (!std::filesystem::exists(marker))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::filesystem::remove(marker);
    io.run();
    EXPECT_EQ(outcome.failure, "");
    EXPECT_EQ(outcome.output.size(), 150'000U) << leaves;
  }
}

}  // namespace
}  // namespace maui
