// A WIKI server that misbehaves as a file says, which may change between two connections.
//
// Usage: bad_rm PORT FILE     FILE holds one of: fine closing silent slow half rubbish flood
// hostile
//                             names COUNT, once COUNT, lists COUNT, kinds COUNT, jobs COUNT
// names: so many nodes at once, ever new ones, with features that no other has; once: the same the
// first time, and nothing ill from then on; lists: so many nodes, each unlike the others, and jobs
// that each exclude nearly all of them; kinds: so many nodes, and jobs that ask for dozens of kinds
// each; jobs: so many plain jobs of user nobody; hostile: jobs whose names and owners are made to
// harm whoever reads them
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>

namespace {

bool write_all(int peer, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(peer, bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string frame(const std::string& body) {
  std::array<char, 16> size{};
  std::snprintf(size.data(), size.size(), "%08zu\n", body.size());
  return size.data() + body;
}

std::string new_nodes(int count) {
  static std::atomic<int> told{0};
  std::string answer = "SC=0 ARG=" + std::to_string(count);
  for (int i = 0; i < count; ++i) {
    const auto number = std::to_string(told++);
    answer += "#new" + number + ":STATE=Down;CPROC=2;FEATURE=only" + number + ";";
  }
  return answer;
}

std::string listed_nodes(int count) {
  std::string answer = "SC=0 ARG=" + std::to_string(count);
  for (int i = 0; i < count; ++i) {
    const auto number = std::to_string(i);
    answer += "#l" + number + ":STATE=Down;CPROC=2;FEATURE=f" + number + ";";
  }
  return answer;
}

std::string jobs_with_lists(int nodes) {
  constexpr int kJobs = 400;
  std::string answer = "SC=0 ARG=" + std::to_string(kJobs);
  for (int i = 0; i < kJobs; ++i)
    answer += "#lists" + std::to_string(i) +
              ":STATE=Idle;WCLIMIT=600;TASKS=1;QUEUETIME=1;UNAME=nobody;GNAME=nobody;"
              "EXCLUDE_HOSTLIST=l[" +
              std::to_string(i) + "-" + std::to_string(nodes - 2) + "];";
  return answer;
}

std::string plain_nodes(int count) {
  std::string answer = "SC=0 ARG=" + std::to_string(count);
  for (int i = 0; i < count; ++i)
    answer += "#k" + std::to_string(i) + ":STATE=Idle;CPROC=8;CMEMORY=64000;";
  return answer;
}

std::string jobs_of_many_kinds() {
  constexpr int kJobs = 300, kKinds = 40;
  std::string answer = "SC=0 ARG=" + std::to_string(kJobs);
  for (int i = 0; i < kJobs; ++i) {
    answer += "#kinds" + std::to_string(i) +
              ":STATE=Idle;WCLIMIT=600;TASKS=9999;QUEUETIME=1;UNAME=nobody;GNAME=nobody;";
    for (int k = 1; k < kKinds; ++k) {
      const auto number = std::to_string(k);
      answer += "TASKS." + number + "=" + number + ";DPROCS." + number + "=" +
                std::to_string(1 + k % 8) + ";DMEM." + number + "=" + std::to_string(i + k) + ";";
    }
  }
  return answer;
}

std::string plain_jobs(int count) {
  std::string answer = "SC=0 ARG=" + std::to_string(count);
  for (int i = 0; i < count; ++i)
    answer += "#job." + std::to_string(i) +
              ":STATE=Idle;WCLIMIT=600;TASKS=1;QUEUETIME=1;UNAME=nobody;GNAME=nogroup;";
  return answer;
}

std::string hostile_jobs() {
  static std::atomic<int> told{0};
  const std::string terms =
      ":UPDATETIME=1;STATE=Idle;WCLIMIT=600;TASKS=1;QUEUETIME=1;UNAME=root;GNAME=root;";
  const std::string names[] = {"\x1b]0;title\x07\x1b[2J",
                               "../../../etc/passwd",
                               "$(reboot)`reboot`",
                               "a\tb\rc",
                               "\xff\xfe\xe2\x80\xae",
                               "%s%n%20",
                               "ALL",
                               "-h",
                               "x:q*",
                               std::string(60'000, 'n'),
                               std::string(1, '\0') + "zero",
                               "new" + std::to_string(told++)};
  std::string answer = "SC=0 ARG=" + std::to_string(std::size(names) + 3);
  for (const auto& name : names) answer += "#" + name + terms;
  answer += "#owner:STATE=Idle;WCLIMIT=600;TASKS=1;QUEUETIME=1;UNAME=\x1b[31m" +
            std::string(5'000, 'u') + ";GNAME=%0A;ACCOUNT=..;";
  answer +=
      "#most:STATE=Idle;WCLIMIT=99999999999999999999;TASKS=2147483647;RMEM=9223372036854775807;"
      "QUEUETIME=99999999999999;UNAME=root;GNAME=root;";
  answer += "#comment:STATE=Idle;WCLIMIT=600;TASKS=1;QUEUETIME=1;UNAME=root;GNAME=root;COMMENT=\"" +
            std::string(20'000, '?') + "HOSTLIST:n[1-999999999]\";";
  return answer;
}

std::string answer_to(const std::string& question, const std::string& mode, int count) {
  static std::atomic<bool> told{false};
  if (question.find("CMD=GETNODES") != question.npos) {
    if (mode == "names" || (mode == "once" && !told.exchange(true))) return frame(new_nodes(count));
    if (mode == "lists") return frame(listed_nodes(count));
    if (mode == "kinds") return frame(plain_nodes(count));
    return frame("SC=0 ARG=1#bad1:STATE=Idle;CPROC=2;");
  }
  const bool of_jobs = question.find("CMD=GETJOBS") != question.npos;
  if (of_jobs && mode == "lists") return frame(jobs_with_lists(count));
  if (of_jobs && mode == "kinds") return frame(jobs_of_many_kinds());
  if (of_jobs && mode == "jobs") return frame(plain_jobs(count));
  if (mode == "hostile") return frame(hostile_jobs());
  return frame("SC=0 ARG=0#");
}

void serve(int peer, const std::string& mode, int count) {
  std::array<char, 4096> buffer{};
  const auto size = ::read(peer, buffer.data(), buffer.size());
  const auto answer =
      answer_to({buffer.data(), static_cast<std::size_t>(std::max(size, ssize_t{0}))}, mode, count);
  if (mode == "fine" || mode == "names" || mode == "once" || mode == "hostile" || mode == "lists" ||
      mode == "kinds" || mode == "jobs")
    write_all(peer, answer);
  if (mode == "half") write_all(peer, answer.substr(0, answer.size() / 2));
  if (mode == "rubbish") write_all(peer, "HTTP/1.1 400 Bad Request\r\n\r\n");
  if (mode == "slow")
    for (std::size_t i = 0; i < answer.size() && write_all(peer, answer.substr(i, 1)); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
  if (mode == "flood") {
    const std::string much(1 << 16, 'x');
    if (write_all(peer, "99999999\n"))
      while (write_all(peer, much)) {
      }
  }
  while (mode == "silent" && ::read(peer, buffer.data(), buffer.size()) > 0) {
  }
  ::close(peer);
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  ::signal(SIGPIPE, SIG_IGN);
  const int server = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(static_cast<unsigned short>(std::atoi(words[1])));
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(server, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0 || ::listen(server, 16) != 0)
    return 1;
  while (true) {
    const int peer = ::accept(server, nullptr, nullptr);
    if (peer < 0) return 1;
    std::string mode;
    int nodes = 0;
    std::ifstream(words[2]) >> mode >> nodes;
    std::thread(serve, peer, mode, nodes).detach();
  }
}
