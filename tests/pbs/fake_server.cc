#include "pbs/fake_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/write.hpp>
#include <cstring>
#include <ctime>
#include <deque>

namespace maui::pbs::test {
namespace {

using boost::system::error_code;
using std::chrono::milliseconds;
using Wall = std::chrono::steady_clock;

constexpr std::string_view kMark{"PKTV1\0", 6};
constexpr milliseconds kTick{10}, kEventPause{250}, kLaunch{20};

std::string packed(std::string_view payload) {
  std::string bytes(kMark);
  bytes += 'e';  // stale garbage, as the real one leaves it there
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes += static_cast<char>((payload.size() >> shift) & 255U);
  return bytes.append(payload);
}

std::vector<std::string> parted(const std::string& text, char mark) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(mark, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::string clock_text(long long seconds) {
  return fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

long long seconds_of(const std::string& clock) {
  long long sum = 0;
  for (const auto& part : parted(clock, ':')) sum = sum * 60 + std::stoll("0" + part);
  return sum;
}

}  // namespace

struct FakePbs::Visit {
  explicit Visit(tcp::socket visitor) : socket(std::move(visitor)) {}
  tcp::socket socket;
  std::array<char, 65536> buffer{};
  std::string in;
  std::deque<std::string> out;
  int peer_port = 0;
  bool hands_over = false;  // a credential comes next
};

FakePbs::FakePbs(boost::asio::io_context& io, Kind kind, int port)
    : io_(io), kind_(kind), port_(port), timer_(io) {
  start();
  tick();
}

FakePbs::~FakePbs() {
  *alive_ = false;
  die();
}

void FakePbs::start() {
  const tcp::endpoint at(boost::asio::ip::address_v4::loopback(),
                         static_cast<unsigned short>(port_));
  acceptor_ = std::make_unique<tcp::acceptor>(io_, at, true);
  port_ = acceptor_->local_endpoint().port();
  accept();
}

void FakePbs::die() {
  acceptor_.reset();
  for (const auto& weak : visits_)
    if (const auto visit = weak.lock()) {
      error_code ignored;
      visit->socket.close(ignored);
    }
  visits_.clear();
  vouched_.clear();
}

void FakePbs::accept() {
  acceptor_->async_accept([this, alive = alive_](error_code error, tcp::socket socket) {
    if (error || !*alive) return;
    ++connections;
    auto visit = std::make_shared<Visit>(std::move(socket));
    visit->peer_port = visit->socket.remote_endpoint(error).port();
    visits_.push_back(visit);
    read(visit);
    accept();
  });
}

void FakePbs::read(const std::shared_ptr<Visit>& visit) {
  visit->socket.async_read_some(boost::asio::buffer(visit->buffer),
                                [this, alive = alive_, visit](error_code error, std::size_t size) {
                                  if (!*alive) return;
                                  if (error) return leave(visit);
                                  visit->in.append(visit->buffer.data(), size);
                                  take(visit);
                                  read(visit);
                                });
}

// With one of its connections the registered scheduler is gone.
void FakePbs::leave(const std::shared_ptr<Visit>& visit) {
  vouched_.erase(visit->peer_port);
  if (visit != primary_.lock() && visit != secondary_.lock()) return;
  primary_.reset();
  secondary_.reset();
}

void FakePbs::take(const std::shared_ptr<Visit>& visit) {
  while (!visit->in.empty()) {
    std::size_t used = 0;
    if (torque()) {
      if (!take_one(visit, visit->in, used)) return;
      visit->in.clear();  // what was sent behind a request is dropped
      continue;
    }
    if (visit->in.size() < 11) {
      ++halves;
      return;
    }
    if (visit->in.compare(0, 6, kMark) != 0) {
      ++strange;
      return visit->socket.close();
    }
    std::size_t size = 0;
    for (std::size_t i = 7; i < 11; ++i)
      size = size * 256 + static_cast<unsigned char>(visit->in[i]);
    if (visit->in.size() < 11 + size) {
      ++halves;
      return;
    }
    const auto payload = visit->in.substr(11, size);
    const bool is_credential = visit->in[6] == 1;
    visit->in.erase(0, 11 + size);
    if (is_credential || visit->hands_over) {
      const bool good =
          is_credential && std::exchange(visit->hands_over, false) && payload == credential + '\0';
      if (good) vouched_.insert(visit->peer_port);
      auto answer = packed(good ? std::string(1, '\0') : "credential is not good");
      answer[6] = good ? 3 : 2;
      write(visit, std::move(answer));
      continue;
    }
    if (visit == secondary_.lock() && payload == "+0") {
      event_sent_ = false;
      continue;
    }
    take_one(visit, payload, used);
  }
}

bool FakePbs::take_one(const std::shared_ptr<Visit>& visit, std::string_view payload,
                       std::size_t& used) {
  try {
    Taker taker(payload);
    if (taker.number() != 2 || taker.number() != 2) throw Garbage();
    const int code = static_cast<int>(taker.number());
    const auto user = taker.text();
    std::string extension;
    const Reply reply = answer(visit, code, user, taker, extension);
    used = taker.at();
    if (!reply.silent && !faults.no_answers) {
      if (reply.delay.count() == 0) {
        send(visit, reply);
      } else {
        auto later = std::make_shared<boost::asio::steady_timer>(io_, reply.delay);
        later->async_wait([this, alive = alive_, visit, reply, later](error_code) {
          if (*alive) send(visit, reply);
        });
      }
    }
    return true;
  } catch (const NotWhole&) {
    ++halves;
    return false;
  } catch (const Garbage&) {
    ++strange;
    // The real ones say nothing more on that connection.
    visit->in.clear();
    return false;
  }
}

FakePbs::Reply FakePbs::answer(const std::shared_ptr<Visit>& visit, int code,
                               const std::string& user, Taker& body, std::string& extension) {
  std::string name, place, word;
  Items items;
  int command = 0, kind = 2;
  std::vector<std::string> names;
  // All of a request must have come before any of it is done.
  switch (code) {
    case 0:
    case 59:
      break;
    case 19:
    case 20:
    case 21:
    case 58:
      name = body.text();
      items = body.items();
      break;
    case 15:
    case 23:
    case 97:
      name = body.text();
      place = body.text();
      body.number();
      break;
    case 6:
    case 7:
    case 9:
    case 11:
    case 13:
      command = static_cast<int>(body.number());
      kind = static_cast<int>(body.number());
      name = body.text();
      items = body.items();
      break;
    case 14:
    case 98:
      name = body.text();
      break;
    case 10:
      name = body.text();
      body.number();
      word = body.text();
      break;
    case 18:
      name = body.text();
      word = body.text();
      break;
    case 49:
      kind = static_cast<int>(body.number());
      break;
    case 61:
      kind = static_cast<int>(body.number());
      word = body.text();
      break;
    case 95:
      body.number();
      word = body.text();
      body.number();
      kind = static_cast<int>(body.number());
      break;
    case 80:
      body.number();
      name = body.text();
      body.number();
      if (body.number() == 1) word = body.text();
      break;
    case 100:
      names.resize(static_cast<std::size_t>(body.number()));
      for (auto& id : names) id = body.text();
      break;
    default:
      throw Garbage();
  }
  if (body.number() == 1) extension = body.text();
  asked.push_back(std::to_string(code));
  for (const auto& field : {name, place, word})
    if (!field.empty()) asked.back() += " " + field;
  for (const auto& id : names) asked.back() += " " + id;

  if (code == 59) {
    error_code ignored;
    visit->socket.close(ignored);
    Reply nothing;
    nothing.silent = true;
    return nothing;
  }
  if (code == 0) return torque() ? refused(15019, "Invalid credential") : Reply{};
  if (code == 61) {
    if (word != credential || kind != visit->peer_port) return refused(15019, "Invalid credential");
    vouched_.insert(kind);
    return {};
  }
  if (code == 95 && word == "munge") {
    if (credential.empty()) return refused(15019, "Invalid credential");
    visit->hands_over = true;
    return {};
  }
  if (code == 49 || code == 95) {
    if (visit->peer_port >= 1024) return refused(15019, "Invalid credential");
    vouched_.insert(kind);
    return {};
  }
  if (trust == Trust::vouched && !vouched_.contains(visit->peer_port))
    return refused(15019, "Invalid credential");
  if (faults.busy > 0 && faults.busy--) return {15134, "Server is too busy"};
  static_cast<void>(command);
  const bool changes = code != 19 && code != 20 && code != 21 && code != 58 && code != 98;
  if (changes && !operators.contains(user)) return {15007, "Unauthorized Request"};
  switch (code) {
    case 98:
      if (primary_.expired()) {
        primary_ = visit;
      } else if (secondary_.expired()) {
        secondary_ = visit;
        event_sent_ = true;
        Reply both;
        both.behind = packed(number_bytes(6));
        return both;
      } else {
        return {15230, "Scheduler already connected"};
      }
      return {};
    case 80:
      return {};
    case 15:
    case 23:
    case 97: {
      auto reply = run(name, place);
      if (reply.code == 0 && faults.silent_starts > 0) {
        --faults.silent_starts;
        reply.silent = true;
      }
      if (code == 23 && !torque()) reply.silent = true;
      return reply;
    }
    case 6:
    case 100: {
      Reply reply;
      if (code == 100) reply.not_done.emplace();
      if (code == 6) return remove(name);
      for (const auto& id : names)
        if (const auto each = remove(id); each.code != 0) {
          reply.code = each.code;
          reply.not_done->emplace_back(id, each.code);
        }
      if (faults.lost_deletes > 0 && faults.lost_deletes--) reply.silent = true;
      return reply;
    }
    case 10:
      if (!jobs.contains(name) || jobs[name].state != 'R')
        return refused(15016, "Request invalid for state of job");
      return {};
    case 14:
      return rerun(name);
    case 18:
      return signal(name, word);
    case 7:
    case 9:
    case 11:
    case 13: {
      if (code == 13 && faults.lost_releases > 0 && faults.lost_releases--) {
        Reply lost;
        lost.silent = true;
        return lost;
      }
      auto reply = manage(code, name, items, kind);
      if (code == 7 && faults.lost_holds > 0 && faults.lost_holds--) reply.silent = true;
      return reply;
    }
    default: {
      auto reply = status(code, name, items, extension);
      if (code == 19 && !name.empty() && faults.lost_looks > 0 && faults.lost_looks--)
        reply.silent = true;
      return reply;
    }
  }
}

FakePbs::Reply FakePbs::status(int code, const std::string& name, const Items& wanted,
                               const std::string& extension) {
  if (!wanted.empty() && refuses_wanted) return refused(15061, "Undefined attribute");
  Reply reply;
  auto& objects = reply.objects.emplace();
  const auto add = [&](int kind, const std::string& id, Items items) {
    if (!wanted.empty() && code == 19)
      std::erase_if(items, [&](const Item& item) {
        return std::none_of(wanted.begin(), wanted.end(), [&](const Item& other) {
          return std::get<0>(other) == std::get<0>(item);
        });
      });
    objects.push_back(number_bytes(kind) + text_bytes(id) + items_bytes(items));
  };
  if (code == 21)
    add(0, "srv",
        {{"pbs_version", "", version.empty() ? torque() ? "6.1.3" : "23.06.06" : version, 0},
         {"job_history_enable", "", keeps_history ? "True" : "False", 0}});
  if (code == 20) {
    Items items;
    for (const auto& [what, value] : queue) items.emplace_back(what, "", value, 0);
    add(1, "batch", items);
  }
  if (code == 58) {
    if (nodes.empty()) return refused(15064, "Server has no node list");
    for (const auto& [id, node] : nodes)
      if (name.empty() || name == id) add(3, id, describe(id, node));
    if (!name.empty() && objects.empty()) return refused(15062, "Unknown node ");
  }
  if (code == 19) {
    for (const auto& [id, job] : jobs)
      if (name.empty() || name == id) add(2, id, describe(job));
    if (extension.find('x') != std::string::npos && !torque())
      for (const auto& [id, job] : past)
        if (name.empty() || name == id) add(2, id, describe(job));
    if (!name.empty() && objects.empty()) return {15001, "Unknown Job Id"};
  }
  return reply;
}

Items FakePbs::describe(const std::string& name, const FakeNode& node) const {
  int used = 0, slot = 0, busy = 0;
  std::string in_slots, running;
  for (const auto& [job, count] : node.slots) {
    used += count;
    if (jobs.at(job).state == 'R') busy += count;
    if (torque()) {
      in_slots += fmt::format("{}{}", in_slots.empty() ? "" : ",", slot);
      if (count > 1) in_slots += fmt::format("-{}", slot + count - 1);
      in_slots += "/" + job;
    } else {
      for (int i = 0; i < count; ++i)
        in_slots += fmt::format("{}{}/{}", in_slots.empty() ? "" : ", ", job, slot + i);
    }
    slot += count;
    running += (running.empty() ? "" : " ") + job;
  }
  std::string state;
  if (node.down) state = torque() ? "down" : "state-unknown,down";
  if (node.offline) state += state.empty() ? "offline" : ",offline";
  if (used >= node.np)
    state += (state.empty() ? "" : ",") + std::string(torque() ? "job-exclusive" : "job-busy");
  if (state.empty()) state = "free";
  if (!torque()) {
    Items items{{"Mom", "", name, 0}, {"ntype", "", "PBS", 0}, {"state", "", state, 0}};
    if (!in_slots.empty()) items.emplace_back("jobs", "", in_slots, 0);
    items.emplace_back("resources_available", "host", name, 0);
    items.emplace_back("resources_available", "mem", "24684096kb", 0);
    items.emplace_back("resources_available", "ncpus", std::to_string(node.np), 0);
    for (const auto& property : parted(node.properties, ','))
      if (!property.empty()) items.emplace_back("resources_available", property, "True", 0);
    for (const auto& [what, value] : available)
      if (what.starts_with(name + " "))
        items.emplace_back("resources_available", what.substr(name.size() + 1), value, 0);
    return items;
  }
  Items items{{"state", "", state, 0}, {"np", "", std::to_string(node.np), 0}};
  if (!node.properties.empty()) items.emplace_back("properties", "", node.properties, 0);
  items.emplace_back("ntype", "", "cluster", 0);
  if (!in_slots.empty()) items.emplace_back("jobs", "", in_slots, 0);
  items.emplace_back(
      "status", "",
      fmt::format("opsys=linux,uname=Linux {},nsessions=1,totmem=24684096kb,availmem=22331260kb,"
                  "physmem=24684096kb,ncpus=2,loadave={}.00,gres=,varattr= ,rectime={},jobs={}",
                  name, busy, std::time(nullptr), running),
      0);
  if (node.gpus > 0) items.emplace_back("gpus", "", std::to_string(node.gpus), 0);
  return items;
}

Items FakePbs::describe(const FakeJob& job) const {
  Items items;
  const auto add = [&](const std::string& name, const std::string& value) {
    items.emplace_back(name, "", value, 0);
  };
  add("Job_Name", "STDIN");
  add("Job_Owner", "amy@srv");
  const bool has_run = !job.exec_host.empty();
  if (has_run && job.state != 'Q') {
    const auto ran =
        job.state == 'R'
            ? job.ran + std::chrono::duration_cast<milliseconds>(Wall::now() - job.began)
            : job.ran;
    items.emplace_back("resources_used", "cput", clock_text(ran.count() / 1000), 0);
    items.emplace_back("resources_used", "mem", "7428kb", 0);
    items.emplace_back("resources_used", "walltime", clock_text(ran.count() / 1000), 0);
  }
  char state = job.state;
  if (state == 'Q' && !job.holds.empty()) state = 'H';
  add("job_state", std::string(1, state));
  add("queue", "batch");
  add("server", "srv");
  add("ctime", std::to_string(job.submitted));
  if (has_run && job.state != 'Q') {
    add("exec_host", job.exec_host);
    if (!torque()) add("exec_vnode", job.exec_vnode);
  }
  add("Hold_Types", job.holds.empty() ? "n" : job.holds);
  add("qtime", std::to_string(job.submitted));
  if (!job.others.contains("Rerunable")) add("Rerunable", "True");
  for (const auto& [name, value] : job.asked) items.emplace_back("Resource_List", name, value, 0);
  if (!torque() && job.asked.contains("select")) add("schedselect", job.asked.at("select"));
  add("substate", std::to_string(job.substate));
  if (!job.others.contains("euser")) add("euser", "amy");
  add("egroup", "phys");
  add("queue_type", "E");
  if (job.state == 'Q' && job.holds.empty()) add("etime", std::to_string(job.submitted));
  if (job.started > 0) add(torque() ? "start_time" : "stime", std::to_string(job.started));
  if (job.state == 'F') {
    add("Exit_status", std::to_string(job.exit_status));
    add("mtime", std::to_string(job.completed));
  }
  if (job.state == 'C') {
    add("exit_status", std::to_string(job.exit_status));
    add("comp_time", std::to_string(job.completed));
  }
  for (const auto& [name, value] : job.others) add(name, value);
  return items;
}

// "n01:ppn=2+n02", or "(n01:ncpus=2)+(n02:ncpus=1)".
FakePbs::Reply FakePbs::run(const std::string& id, const std::string& place) {
  const auto at = jobs.find(id);
  if (at == jobs.end()) return {15001, "Unknown Job Id"};
  FakeJob& job = at->second;
  if (job.state != 'Q') return refused(15016, "Request invalid for state of job");
  if (queue["started"] != "True" && torque()) return {15004, "Invalid request"};
  std::map<std::string, int> wanted;
  std::string host, vnode;
  for (auto where : parted(place, '+')) {
    std::erase_if(where, [](char c) { return c == '(' || c == ')'; });
    const auto words = parted(where, ':');
    int procs = 1;
    for (const auto& word : words)
      if (word.starts_with("ppn=") || word.starts_with("ncpus="))
        procs = std::stoi(word.substr(word.find('=') + 1));
    const auto node = nodes.find(words.front());
    if (node == nodes.end()) return refused(15062, "Unknown node ");
    if (torque() && node->second.offline) return refused(15044, "Resource temporarily unavailable");
    if (node->second.down) return refused(torque() ? 15041 : 15070, "mom is down");
    wanted[words.front()] += procs;
    int used = wanted[words.front()];
    for (const auto& [other, count] : node->second.slots) used += count;
    if (torque() && used > node->second.np) return refused(15062, "Unknown node ");
    const auto mark = host.empty() ? "" : "+";
    host += torque() ? fmt::format("{}{}/0{}", mark, words.front(),
                                   procs > 1 ? fmt::format("-{}", procs - 1) : "")
                     : fmt::format("{}{}/0*{}", mark, words.front(), procs);
    vnode += fmt::format("{}({})", mark, where);
  }
  for (const auto& [node, procs] : wanted) nodes[node].slots[id] = procs;
  job.slots = wanted;
  job.exec_host = host;
  job.exec_vnode = vnode;
  job.state = 'R';
  if (!torque()) job.others["comment"] = "Job run at ... on " + vnode;
  job.substate = 41;
  job.began = Wall::now();
  job.started = std::time(nullptr);
  job.ran = milliseconds(0);
  ++job.start_count;
  started.push_back(id);
  Reply reply;
  reply.delay = faults.start_delay;
  return reply;
}

FakePbs::Reply FakePbs::remove(const std::string& id) {
  const auto at = jobs.find(id);
  if (at == jobs.end() || at->second.state == 'C')
    return {15001, "Unknown Job Id Error MSG=cannot locate job"};
  for (const auto& [node, slots] : at->second.slots)
    if (nodes[node].down) return refused(15070, "Server could not connect to MOM");
  Reply reply;
  if (torque() && faults.lost_deletes > 0 && faults.lost_deletes--) reply.silent = true;
  end(id, 271);
  return reply;
}

FakePbs::Reply FakePbs::signal(const std::string& id, const std::string& word) {
  const auto at = jobs.find(id);
  if (at == jobs.end()) return {15001, "Unknown Job Id"};
  FakeJob& job = at->second;
  Reply reply;
  if (word == "suspend") {
    if (job.state != 'R') return refused(15016, "Request invalid for state of job");
    job.ran += std::chrono::duration_cast<milliseconds>(Wall::now() - job.began);
    job.state = 'S';
    reply.delay = faults.suspend_delay;
  } else if (word == "resume") {
    if (job.state != 'S') return refused(15016, "Request invalid for state of job");
    job.state = 'R';
    job.began = Wall::now();
  } else {
    return refused(15013, "Unknown/illegal signal name");
  }
  return reply;
}

FakePbs::Reply FakePbs::rerun(const std::string& id) {
  const auto at = jobs.find(id);
  if (at == jobs.end()) return {15001, "Unknown Job Id"};
  FakeJob& job = at->second;
  if (job.state != 'R' && job.state != 'S')
    return refused(15016, "Request invalid for state of job");
  free_slots(job);
  job.state = 'Q';
  job.substate = 10;
  job.started = 0;
  note_event(1);
  return {};
}

FakePbs::Reply FakePbs::manage(int code, const std::string& name, const Items& items, int kind) {
  if (code == 9 && kind == 3) {
    const auto node = nodes.find(name);
    if (node == nodes.end()) return refused(15062, "Unknown node ");
    for (const auto& [what, resource, value, op] : items)
      if (what == "state" && value == "offline") node->second.offline = op != 3;
    return {};
  }
  if (code == 9) return {};
  const auto at = jobs.find(name);
  if (at == jobs.end()) return {15001, "Unknown Job Id"};
  FakeJob& job = at->second;
  for (const auto& [what, resource, value, op] : items) {
    if (code == 11 && what == "Resource_List") job.asked[resource] = value;
    if (code == 11 && what == "comment") job.others["comment"] = value;
    if (code == 11 && what != "Resource_List" && what != "comment")
      return {15002, "Undefined attribute "};
    for (const char c : value)
      if (code == 7 && job.holds.find(c) == std::string::npos) job.holds += c;
    if (code == 13) release(name, value);
  }
  if (code == 7 && checkpoints && job.state == 'R') job.substate = 60;  // until its moms are done
  return {};
}

void FakePbs::release(const std::string& id, const std::string& holds) {
  for (const char c : holds) std::erase(jobs.at(id).holds, c);
  note_event(1);
}

void FakePbs::free_slots(FakeJob& job) {
  for (const auto& [node, procs] : job.slots) nodes[node].slots.erase(job.id);
  job.slots.clear();
}

FakeJob& FakePbs::submit(std::map<std::string, std::string> wanted,
                         std::map<std::string, std::string> others) {
  const auto id = fmt::format("{}.srv", next_++);
  FakeJob& job = jobs[id];
  job.id = id;
  job.asked = std::move(wanted);
  job.asked.emplace("walltime", "01:00:00");
  job.others = std::move(others);
  job.submitted = std::time(nullptr);
  note_event(1);
  return job;
}

void FakePbs::end(const std::string& id, int exit_status) {
  FakeJob& job = jobs.at(id);
  free_slots(job);
  if (job.state == 'R')
    job.ran += std::chrono::duration_cast<milliseconds>(Wall::now() - job.began);
  job.state = 'C';
  job.substate = 59;
  job.exit_status = exit_status;
  job.completed = std::time(nullptr);
  job.ended = Wall::now();
  note_event(2);
  if (torque()) return;
  job.state = 'F';
  if (keeps_history) past.insert(*jobs.find(id));
  jobs.erase(id);
}

void FakePbs::tick() {
  const auto now = Wall::now();
  std::vector<std::pair<std::string, int>> over;
  for (auto& [id, job] : jobs) {
    if (job.state != 'R') continue;
    const auto ran = job.ran + (now - job.began);
    if (job.substate == 41 && ran > kLaunch) job.substate = 42;
    if (ran > std::chrono::seconds(seconds_of(job.asked.at("walltime")) + 5))
      over.emplace_back(id, 271);
    else if (ran > job.runs)
      over.emplace_back(id, job.exit_status);
  }
  for (const auto& [id, status] : over) end(id, status);
  std::erase_if(jobs, [&](const auto& job) {
    return job.second.state == 'C' && now - job.second.ended > keep_completed;
  });
  if (event_ != 0 && now >= next_event_) send_event();
  timer_.expires_after(kTick);
  timer_.async_wait([this, alive = alive_](error_code error) {
    if (!error && *alive) tick();
  });
}

// Counts all that happens within a moment as one event.
void FakePbs::note_event(int number) {
  event_ = number;
  next_event_ = std::max(next_event_, Wall::now() + milliseconds(20));
}

void FakePbs::ask_to_run(const std::string& job) {
  if (const auto visit = secondary_.lock(); visit && !std::exchange(event_sent_, true))
    write(visit, packed(number_bytes(11) + text_bytes(job)));
}

void FakePbs::send_event() {
  if (!acceptor_) return;
  if (!torque()) {
    const auto visit = secondary_.lock();
    if (!visit || std::exchange(event_sent_, true)) return;
    write(visit, packed(number_bytes(std::exchange(event_, 0))));
    return;
  }
  next_event_ = Wall::now() + kEventPause;
  const int number = std::exchange(event_, 0);
  if (event_port == 0) return;
  auto socket = std::make_shared<tcp::socket>(io_);
  const tcp::endpoint to(boost::asio::ip::address_v4::loopback(),
                         static_cast<unsigned short>(event_port));
  socket->async_connect(to, [socket, number](error_code error) {
    if (error) return;  // dropped, as the real one does
    const std::array<char, 4> bytes{0, 0, 0, static_cast<char>(number)};
    boost::asio::write(*socket, boost::asio::buffer(bytes), error);
    socket->close(error);
  });
}

std::string FakePbs::head(const Reply& reply, int choice, bool more) const {
  return number_bytes(2) + number_bytes(2) + number_bytes(reply.code) + number_bytes(0) +
         number_bytes(choice) + (torque() ? "" : number_bytes(more ? 1 : 0));
}

void FakePbs::send(const std::shared_ptr<Visit>& visit, const Reply& reply) {
  std::string bytes;
  const auto finish = [&](std::string payload) {
    bytes += torque() ? std::move(payload) : packed(payload);
  };
  if (faults.garbage) {
    bytes = *std::exchange(faults.garbage, std::nullopt);
  } else if (reply.not_done) {
    std::string payload = head(reply, 11, false);
    payload += number_bytes(static_cast<long long>(reply.not_done->size()));
    for (const auto& [name, code] : *reply.not_done)
      payload += text_bytes(name) + number_bytes(code);
    finish(std::move(payload));
  } else if (reply.objects) {
    const auto& all = *reply.objects;
    std::size_t at = 0;
    do {
      const auto count = torque() ? all.size() : std::min(part, all.size() - at);
      std::string payload = head(reply, 6, at + count < all.size());
      payload += number_bytes(static_cast<long long>(count));
      for (std::size_t i = 0; i < count; ++i) payload += all[at + i];
      finish(std::move(payload));
      at += count;
    } while (at < all.size());
  } else {
    finish(reply.text.empty() ? head(reply, 1, false)
                              : head(reply, 7, false) + text_bytes(reply.text));
  }
  if (faults.closes_mid_reply > 0 && bytes.size() > 20) {
    --faults.closes_mid_reply;
    error_code ignored;
    boost::asio::write(visit->socket, boost::asio::buffer(bytes.data(), bytes.size() / 2), ignored);
    visit->socket.close(ignored);
    return;
  }
  write(visit, std::move(bytes) + reply.behind);
}

void FakePbs::write(const std::shared_ptr<Visit>& visit, std::string bytes) {
  const bool idle = visit->out.empty();
  if (faults.byte_by_byte)
    for (const char c : bytes) visit->out.emplace_back(1, c);
  else
    visit->out.push_back(std::move(bytes));
  if (!idle) return;
  const auto next = std::make_shared<std::function<void()>>();
  *next = [visit, weak = std::weak_ptr(next)] {
    boost::asio::async_write(visit->socket, boost::asio::buffer(visit->out.front()),
                             [visit, again = weak.lock()](error_code error, std::size_t) {
                               if (error) return visit->out.clear();
                               visit->out.pop_front();
                               if (!visit->out.empty()) (*again)();
                             });
  };
  if (!visit->out.empty()) (*next)();
}

}  // namespace maui::pbs::test
