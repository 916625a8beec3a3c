// The kernel refuses to watch a descriptor, for want of memory or because of the user's limit
// (/proc/sys/fs/epoll/max_user_watches): what needs it fails, and the scheduler goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "daemon/programs/helper_link.h"
#include "daemon/programs/munge_reader.h"
#include "daemon/programs/program_runner.h"
#include "daemon/temporary_directory.h"
#include "daemon/test_client.h"
#include "programs/adopt.h"
#include "programs/inquiry.h"

namespace {

int watches_until_refusal = -1;  // -1: none is refused
bool was_refused = false;

}  // namespace

extern "C" int epoll_ctl(int epoll, int deed, int descriptor, struct epoll_event* event) noexcept {
  if (deed == EPOLL_CTL_ADD && watches_until_refusal >= 0 && watches_until_refusal-- == 0) {
    was_refused = true;
    errno = ENOMEM;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_epoll_ctl, epoll, deed, descriptor, event));
}

namespace maui {
namespace {

using testing::HasSubstr;

std::ptrdiff_t open_descriptors() {
  namespace fs = std::filesystem;
  return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator());
}

class RefusedWatchesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(program()) << "#!/bin/bash\nIFS= read -r line\necho OK 1 17 x\n";
    ASSERT_EQ(::chmod(program().c_str(), 0700), 0);
  }
  ~RefusedWatchesTest() override { watches_until_refusal = -1; }
  std::string program() const { return home_ / "program"; }

  /// Refuses the first, the second and so on of the watches that `run` adds, until none is left:
  /// the refusal of each of the first `needed` is the reason of its failure. `run` makes its own
  /// loop, and returns the reason of its failure.
  void refuse_each(int needed, const std::function<std::string()>& run) {
    const auto open = open_descriptors();
    int refused = 0;
    do {
      was_refused = false;
      refuse_ = refused;
      const std::string why = run();
      watches_until_refusal = -1;
      if (was_refused && refused < needed) {
        EXPECT_THAT(why, HasSubstr("Cannot allocate memory")) << refused;
      }
      EXPECT_EQ(open_descriptors(), open) << refused;
      EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
    } while (was_refused && ++refused < 20);
    EXPECT_GE(refused, needed);
  }
  /// Begins to count.
  void count_from_here() { watches_until_refusal = refuse_; }

  TemporaryDirectory home_;

 private:
  int refuse_ = 0;
};

TEST_F(RefusedWatchesTest, WhatCannotBeAdoptedIsClosed) {
  boost::asio::io_context io(1);
  boost::asio::posix::stream_descriptor owner(io);
  boost::asio::local::stream_protocol::socket socket(io);
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  watches_until_refusal = 0;
  EXPECT_FALSE(adopt(socket, ends[0], boost::asio::local::stream_protocol()));
  EXPECT_EQ(::close(ends[0]), -1);
  EXPECT_TRUE(adopt(owner, ends[1]));
}

TEST_F(RefusedWatchesTest, AnInquiryFails) {
  refuse_each(3, [this] {
    boost::asio::io_context io(1);
    const boost::asio::posix::stream_descriptor first(io);  // the loop has its own watches
    ProgramOutcome outcome;
    run_program(io, {.path = program()}, "question\n", {},
                [&](ProgramOutcome made) { outcome = std::move(made); });
    count_from_here();
    io.run();
    return outcome.failure;
  });
}

TEST_F(RefusedWatchesTest, AProgramOfTheSiteFails) {
  refuse_each(2, [this] {
    boost::asio::io_context io(1);
    const boost::asio::posix::stream_descriptor first(io);  // the loop has its own watches
    std::string why = "never ended";
    ProgramRunner runner(io, {}, [&why](const ProgramEnd& end) { why = end.failure; });
    count_from_here();
    EXPECT_TRUE(runner.run(program(), {}));
    io.run();
    return why;
  });
}

TEST_F(RefusedWatchesTest, AHelperIsNotStarted) {
  refuse_each(2, [this] {
    boost::asio::io_context io(1);
    const boost::asio::posix::stream_descriptor first(io);  // the loop has its own watches
    HelperOptions options;
    options.program = program();
    options.timeout = Seconds(30);
    options.pause = std::chrono::milliseconds(1);
    options.log = [](int, std::string_view) {};
    auto link = make_helper_link(io, std::move(options));
    std::string why = "never answered";
    count_from_here();
    link->ask({"GETJOBS", "0:ALL", {}}, [&why](const WikiAnswer& answer) {
      why = answer.reply ? answer.reply->text : answer.reply.error().what;
    });
    while (why == "never answered" && io.run_one() > 0) {
    }
    link.reset();
    io.restart();
    io.run();  // what has ended is waited for
    return why;
  });
}

TEST_F(RefusedWatchesTest, ACredentialIsRefused) {
  refuse_each(1, [this] {
    boost::asio::io_context io(1);
    const boost::asio::posix::stream_descriptor first(io);  // the loop has its own watches
    auto reader = std::make_unique<MungeReader>(
        io, MungeReaderOptions{program(), "", std::chrono::seconds(20), std::chrono::seconds(0)},
        [](int, std::string_view) {});
    std::string why = "never answered";
    count_from_here();
    reader->read("a", "MUNGE:1", [&why](const Result<Voucher>& read) {
      why = read ? std::string() : read.error().what;
    });
    while (why == "never answered" && io.run_one() > 0) {
    }
    reader.reset();
    io.restart();
    io.run();
    return why;
  });
}

}  // namespace
}  // namespace maui
