// A PBS server for tests, TORQUE or OpenPBS, whose nodes and jobs behave like real ones, and which
// can inject faults.  Its replies have the form of the recorded exchanges.
#pragma once
#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pbs/other_codec.h"

namespace maui::pbs::test {

struct FakeNode {
  int np = 4;
  std::string properties;  // separated by commas
  int gpus = 0;
  bool offline = false, down = false;
  std::map<std::string, int> slots;  // by job
};

struct FakeJob {
  std::string id;
  char state = 'Q';
  int substate = 10;
  std::string holds;                          // "sou"; empty: none
  std::map<std::string, std::string> asked;   // Resource_List
  std::map<std::string, std::string> others;  // attributes that are reported verbatim
  std::string exec_host, exec_vnode;
  std::chrono::milliseconds runs{3'600'000};  // run time
  std::chrono::steady_clock::time_point began, ended;
  std::chrono::milliseconds ran{0};  // before it was suspended
  long long submitted = 0, started = 0, completed = 0;
  int exit_status = 0, start_count = 0;
  bool suspended = false;
  std::map<std::string, int> slots;  // by node
};

struct FakeFaults {
  int silent_starts = 0;  // starts that take effect but are not answered
  int lost_deletes = 0;   // deletes likewise
  int lost_holds = 0;     // holds likewise
  int lost_releases = 0;  // releases that do not even take effect
  int lost_looks = 0;     // questions about one job that are not answered
  int busy = 0;           // requests to answer with "too busy"
  int closes_mid_reply = 0;
  bool byte_by_byte = false;
  bool no_answers = false;  // accepts requests but answers none
  std::chrono::milliseconds suspend_delay{0};
  std::chrono::milliseconds start_delay{0};
  std::optional<std::string> garbage;  // sent instead of the next reply
};

class FakePbs {
 public:
  using tcp = boost::asio::ip::tcp;
  enum class Kind : std::uint8_t { torque, openpbs };
  enum class Trust : std::uint8_t { vouched, all };

  FakePbs(boost::asio::io_context& io, Kind kind, int port = 0);
  ~FakePbs();
  int port() const { return port_; }

  std::map<std::string, FakeNode> nodes;
  std::map<std::string, FakeJob> jobs;
  bool keeps_history = false;           // job_history_enable (OpenPBS)
  std::map<std::string, FakeJob> past;  // ended jobs, if keeps_history
  FakeFaults faults;
  Trust trust = Trust::all;
  std::set<std::string> operators{"root"};  // users who may start jobs
  std::string credential;  // the accepted credential of munge; empty: munge is unknown
  std::map<std::string, std::string>
      available;  // resources of OpenPBS nodes beside the usual ones: "n01 switch"
  std::map<std::string, std::string> queue{{"queue_type", "Execution"}, {"started", "True"}};
  std::chrono::seconds keep_completed{300};
  int event_port = 0;      // where TORQUE's scheduler listens for events; 0: none
  std::size_t part = 500;  // objects in a part of a reply (OpenPBS)
  bool refuses_wanted = false;
  std::string version;       // empty: a recent one
  bool checkpoints = false;  // a held job leaves its nodes

  /// The requests received, in order: "19", "23 1.srv n01:ppn=2".
  std::vector<std::string> asked;
  std::vector<std::string> started;  // jobs, once per start
  int connections = 0;               // total ever accepted
  int halves = 0;                    // times that a request arrived only in part
  int strange = 0;                   // invalid requests, or requests of another version

  FakeJob& submit(std::map<std::string, std::string> asked,
                  std::map<std::string, std::string> others = {});
  void end(const std::string& job, int exit_status);
  /// Simulates a user's qrun (OpenPBS).
  void ask_to_run(const std::string& job);
  void release(const std::string& job, const std::string& holds);
  /// Trusts the connection from this port, as if trqauthd had vouched for it.
  void vouch(int port) { vouched_.insert(port); }
  /// Acts like kill -9: closes connections and accepts none until start().
  void die();
  void start();

 private:
  struct Visit;
  struct Reply {
    int code = 0;
    std::string text;
    std::optional<std::vector<std::string>> objects = std::nullopt;
    std::optional<std::vector<std::pair<std::string, int>>> not_done = std::nullopt;
    std::chrono::milliseconds delay{0};
    bool silent = false;
    std::string behind = {};  // sent after it in the same write
  };
  bool torque() const { return kind_ == Kind::torque; }
  int error(int number) const { return torque() && number > 15007 ? number + 2 : number; }
  Reply refused(int number, std::string text) const { return {error(number), std::move(text)}; }

  void accept();
  void read(const std::shared_ptr<Visit>& visit);
  void leave(const std::shared_ptr<Visit>& visit);
  void take(const std::shared_ptr<Visit>& visit);
  bool take_one(const std::shared_ptr<Visit>& visit, std::string_view payload, std::size_t& used);
  Reply answer(const std::shared_ptr<Visit>& visit, int code, const std::string& user, Taker& body,
               std::string& extension);
  void send(const std::shared_ptr<Visit>& visit, const Reply& reply);
  void write(const std::shared_ptr<Visit>& visit, std::string bytes);
  std::string head(const Reply& reply, int choice, bool more) const;

  Reply status(int code, const std::string& name, const Items& wanted,
               const std::string& extension);
  Reply run(const std::string& job, const std::string& place);
  Reply manage(int code, const std::string& name, const Items& items, int kind);
  Reply remove(const std::string& job);
  Reply signal(const std::string& job, const std::string& word);
  Reply rerun(const std::string& job);
  Items describe(const FakeJob& job) const;
  Items describe(const std::string& name, const FakeNode& node) const;
  void free_slots(FakeJob& job);
  void tick();
  void note_event(int number);
  void send_event();

  boost::asio::io_context& io_;
  Kind kind_;
  int port_ = 0, next_ = 1;
  std::unique_ptr<tcp::acceptor> acceptor_;
  std::list<std::weak_ptr<Visit>> visits_;
  std::set<int> vouched_;  // ports
  std::weak_ptr<Visit> primary_, secondary_;
  bool event_sent_ = false;  // true until the cycle ends
  int event_ = 0;
  std::chrono::steady_clock::time_point next_event_{};
  boost::asio::steady_timer timer_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace maui::pbs::test
