// The fake PBS server as a program, for scripts:
//   fake_pbs serve torque|openpbs PORT EVENTPORT NODES PROCS [vouched]
//                          listens until it is killed; vouched: trusts only the connections that
//                          one from a reserved port vouches for
//   fake_pbs COMMAND...                                        tells it something
// Commands go through the socket that FAKE_PBS_SOCKET names:
//   submit NAME=VALUE...   a job; RUNS (milliseconds), HOLDS, EXIT, X and else a resource
//   jobs, nodes, asked, started   lists them
//   end JOB STATUS, release JOB HOLDS, node NAME up|down
//   fault NAME COUNT       silent_starts, lost_deletes, busy, closes_mid_reply, byte_by_byte,
//                          no_answers, start_delay, suspend_delay
//   die, start             connections end, and nobody is heard until the start
#include <fmt/format.h>

#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "pbs/fake_server.h"

namespace {

using boost::asio::local::stream_protocol;
using maui::pbs::test::FakeJob;
using maui::pbs::test::FakePbs;
using std::chrono::milliseconds;

std::string submit(FakePbs& server, std::istringstream& words) {
  std::map<std::string, std::string> asked, others;
  FakeJob like;
  for (std::string word; words >> word;) {
    const auto mark = word.find('=');
    const auto name = word.substr(0, mark), value = word.substr(mark + 1);
    if (name == "RUNS")
      like.runs = milliseconds(std::stol(value));
    else if (name == "HOLDS")
      like.holds = value;
    else if (name == "EXIT")
      like.exit_status = std::stoi(value);
    else if (name == "X")
      others["x"] = value;
    else if (name == "USER")
      others["euser"] = value;
    else
      asked[name] = value;
  }
  FakeJob& job = server.submit(asked, others);
  job.runs = like.runs;
  job.holds = like.holds;
  job.exit_status = like.exit_status;
  return job.id;
}

std::string jobs(const FakePbs& server) {
  std::string text;
  for (const auto& [id, job] : server.jobs)
    text += fmt::format("{} {} starts={} exit={} on={}\n", id, job.state, job.start_count,
                        job.exit_status, job.exec_host);
  return text;
}

std::string nodes(const FakePbs& server) {
  std::string text;
  for (const auto& [name, node] : server.nodes) {
    int used = 0;
    for (const auto& [job, slots] : node.slots) used += slots;
    text += fmt::format("{} {}{} used={}/{}\n", name, node.down ? "down" : "up",
                        node.offline ? ",offline" : "", used, node.np);
  }
  return text;
}

std::string fault(FakePbs& server, const std::string& name, int count) {
  auto& faults = server.faults;
  if (name == "silent_starts") faults.silent_starts = count;
  if (name == "lost_deletes") faults.lost_deletes = count;
  if (name == "busy") faults.busy = count;
  if (name == "closes_mid_reply") faults.closes_mid_reply = count;
  if (name == "byte_by_byte") faults.byte_by_byte = count != 0;
  if (name == "no_answers") faults.no_answers = count != 0;
  if (name == "start_delay") faults.start_delay = milliseconds(count);
  if (name == "suspend_delay") faults.suspend_delay = milliseconds(count);
  return "done";
}

std::string follow(FakePbs& server, const std::string& line) {
  std::istringstream words(line);
  std::string command, name, what;
  words >> command;
  if (command == "submit") return submit(server, words);
  if (command == "jobs") return jobs(server);
  if (command == "nodes") return nodes(server);
  if (command == "asked" || command == "started") {
    std::string all;
    for (const auto& entry : command == "asked" ? server.asked : server.started)
      all += entry + "\n";
    return all;
  }
  words >> name >> what;
  if (command == "die") server.die();
  if (command == "start") server.start();
  if (command == "end") server.end(name, std::stoi(what));
  if (command == "release") server.release(name, what);
  if (command == "node") server.nodes[name].down = what == "down";
  if (command == "fault") return fault(server, name, std::stoi(what));
  return "done";
}

void serve_commands(boost::asio::io_context& io, stream_protocol::acceptor& acceptor,
                    FakePbs& server) {
  acceptor.async_accept([&](boost::system::error_code error, stream_protocol::socket socket) {
    if (error) return;
    std::string line;
    boost::asio::read_until(socket, boost::asio::dynamic_buffer(line), '\n', error);
    const auto answer = follow(server, line);
    boost::asio::write(socket, boost::asio::buffer(answer + "\n"), error);
    serve_commands(io, acceptor, server);
  });
}

int serve(const char* path, char** words, bool vouched) {
  boost::asio::io_context io;
  const bool torque = std::string_view(words[0]) == "torque";
  FakePbs server(io, torque ? FakePbs::Kind::torque : FakePbs::Kind::openpbs, std::atoi(words[1]));
  server.event_port = std::atoi(words[2]);
  if (vouched) server.trust = FakePbs::Trust::vouched;
  for (int i = 1; i <= std::atoi(words[3]); ++i) {
    auto& node = server.nodes[fmt::format("n{:02}", i)];
    node.np = std::atoi(words[4]);
    node.properties = i % 2 == 1 ? "odd" : "even";
  }
  stream_protocol::acceptor acceptor(io, stream_protocol::endpoint(path));
  serve_commands(io, acceptor, server);
  io.run();
  return 0;
}

int send_command(const char* path, int count, char** words) {
  boost::asio::io_context io;
  stream_protocol::socket socket(io);
  socket.connect(stream_protocol::endpoint(path));
  std::string line;
  for (int i = 0; i < count; ++i) line += (i == 0 ? "" : " ") + std::string(words[i]);
  boost::asio::write(socket, boost::asio::buffer(line + "\n"));
  std::string answer;
  boost::system::error_code end;
  boost::asio::read(socket, boost::asio::dynamic_buffer(answer), end);
  while (answer.ends_with('\n')) answer.pop_back();
  std::cout << answer << '\n';
  return 0;
}

}  // namespace

int main(int count, char** words) {
  const char* path = std::getenv("FAKE_PBS_SOCKET");
  if (count < 2 || path == nullptr) return 2;
  if (std::string_view(words[1]) == "serve")
    return count == 7 || count == 8 ? serve(path, words + 2, count == 8) : 2;
  return send_command(path, count - 1, words + 1);
}
