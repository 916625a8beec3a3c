#include "pbs/link.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "pbs/arrays.h"
#include "pbs/comments.h"
#include "pbs/deeds.h"
#include "pbs/job_record.h"
#include "pbs/node_record.h"
#include "pbs/registration.h"
#include "pbs/session.h"
#include "rm/wiki_attributes.h"

namespace maui::pbs {
namespace {

using Told = std::function<void(WikiAnswer)>;

constexpr std::size_t kMostComments = 20;  // that are changed after a poll

// Attributes that are asked of jobs; the rest, above all their environment, would be ten times as
// much.
constexpr std::array<std::string_view, 29> kJobAttributes{"Job_Name",
                                                          "Job_Owner",
                                                          "resources_used",
                                                          "job_state",
                                                          "queue",
                                                          "Account_Name",
                                                          "ctime",
                                                          "depend",
                                                          "exec_host",
                                                          "Hold_Types",
                                                          "mtime",
                                                          "qtime",
                                                          "Rerunable",
                                                          "Resource_List",
                                                          "substate",
                                                          "euser",
                                                          "egroup",
                                                          "group_list",
                                                          "queue_type",
                                                          "etime",
                                                          "exit_status",
                                                          "Execution_Time",
                                                          "x",
                                                          "start_time",
                                                          "comp_time",
                                                          "node_exclusive",
                                                          "interactive",
                                                          "job_array_id",
                                                          "start_count"};
constexpr std::array<std::string_view, 29> kOpenPbsJobAttributes{
    "Job_Name",   "Job_Owner",    "resources_used",  "job_state",
    "queue",      "Account_Name", "ctime",           "depend",
    "exec_host",  "exec_vnode",   "Hold_Types",      "mtime",
    "qtime",      "Rerunable",    "Resource_List",   "schedselect",
    "stime",      "substate",     "euser",           "egroup",
    "group_list", "queue_type",   "etime",           "Execution_Time",
    "array",      "array_id",     "max_run_subjobs", "array_indices_remaining",
    "Exit_status"};

WikiAnswer answer_of(WikiRecords told) {
  return {WikiReply{kWikiDone, {}, true}, true, std::nullopt,
          std::make_shared<const WikiRecords>(std::move(told))};
}

// State that handlers share with the link, which may be gone before them.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(boost::asio::io_context& io, LinkOptions options)
      : options_(std::move(options)),
        server_(std::make_shared<Server>(Server{io, options_.server, {}, false, {}, {}})),
        registration_(std::make_shared<Registration>(
            server_, Registration::Handlers{options_.ring,
                                            [this](const std::string& job) { decline(job); }})),
        looks_(server_),
        starts_(server_),
        others_(server_) {
    server_->introduce = [all = std::weak_ptr(registration_)](std::shared_ptr<Connection> one) {
      return all.lock()->make(std::move(one));
    };
  }

  void ask(const WikiRequest& request, Told done);
  std::string kind() const;
  void close() {
    closed_ = true;
    registration_->close();
  }

 private:
  using Objects = std::function<void(std::vector<Object>)>;
  void status(RequestCode code, std::string_view extension, bool some, Told failed, Objects told);
  void get_nodes(const Told& done);
  void get_queues(const Told& done);
  void tell_nodes(const Told& done);
  void get_jobs(const Told& done);
  void tell_jobs(std::vector<Object> jobs, const Told& done);
  void follow(const WikiRequest& request, std::vector<MakeRequest> steps, std::size_t next,
              Told done);
  void decline(const std::string& job);
  std::string kept_back_by_queue(const WikiJob& job) const;
  void note_active(const std::string& name, WikiJob job);
  void may_run(const WikiRequest& start);
  void comment(const std::string& job, const std::string& words);
  Session& session_for(const WikiRequest& request);
  Session& others();
  Family family() const { return family_of(server_->dialect.value_or(Dialect::bare), version_); }

  LinkOptions options_;
  std::shared_ptr<Server> server_;
  std::shared_ptr<Registration> registration_;
  Session looks_, starts_, others_;
  std::string version_;     // of the server; empty: not known
  bool tells_some_ = true;  // it can be asked for some attributes alone
  bool closed_ = false;
  Surroundings all_;
  Wishes wishes_;
  JobNames suspended_;
  JobNames starting_;  // asked to start since jobs were told last
  Comments comments_;
  std::map<std::string, WikiJob> waiting_, active_;  // as told last, or started since
  struct Running {
    int jobs = 0;
    std::map<std::string, int> of_user;
  };
  std::map<std::string, Running> running_;  // by queue: how many are active
};

std::string Exchange::kind() const {
  if (!server_->dialect || version_.empty()) return "PBS";
  return fmt::format("PBS ({} {})", family() == Family::torque ? "TORQUE" : "OpenPBS", version_);
}

void Exchange::status(RequestCode code, std::string_view extension, bool some, Told failed,
                      Objects told) {
  const auto make = [this, code, extension = std::string(extension), some](const Requests& requests,
                                                                           Dialect dialect) {
    std::span<const std::string_view> wanted;
    if (some && tells_some_)
      wanted = framed(dialect) ? std::span<const std::string_view>(kOpenPbsJobAttributes)
                               : kJobAttributes;
    return requests.status(code, "", wanted, extension);
  };
  looks_.ask(make, [self = shared_from_this(), code, extension = std::string(extension), some,
                    failed = std::move(failed), told = std::move(told)](Session::Answer answer) {
    if (self->closed_) return;
    if (!answer.reply) {
      self->version_.clear();
      return failed({answer.reply.error(), answer.sent, std::nullopt});
    }
    if (answer.reply->code == 0) return told(std::move(answer.reply->objects));
    // Some servers refuse a request that names an attribute which they do not know.
    if (some && std::exchange(self->tells_some_, false))
      return self->status(code, extension, some, failed, told);
    failed({refusal(*answer.reply, self->family()), true, std::nullopt});
  });
}

void Exchange::get_nodes(const Told& done) {
  if (!version_.empty()) return get_queues(done);
  status(RequestCode::status_server, "", false, done,
         [this, done](const std::vector<Object>& servers) {
           version_ = servers.empty() ? "" : servers.front().get("pbs_version");
           if (version_.empty()) version_ = "of unknown version";
           options_.log(1, fmt::format("it is {} at {}", kind(), server_->host));
           get_queues(done);
         });
}

void Exchange::get_queues(const Told& done) {
  status(RequestCode::status_queue, "", false, done,
         [this, done](const std::vector<Object>& queues) {
           all_.queues = read_queues(queues);
           tell_nodes(done);
         });
}

void Exchange::tell_nodes(const Told& done) {
  status(RequestCode::status_node, "", false, done, [this, done](const std::vector<Object>& nodes) {
    all_.nodes.clear();
    all_.features.clear();
    WikiRecords told;
    told.records.reserve(nodes.size());
    for (const NodeReport& node : told_nodes(nodes, all_.queues, suspended_)) {
      all_.nodes.insert(node.node.name);
      all_.features.insert(node.features.begin(), node.features.end());
      told.records.push_back(write_wiki_node(node));
    }
    done(answer_of(std::move(told)));
  });
}

void Exchange::get_jobs(const Told& done) {
  const bool torque = family() == Family::torque;
  status(RequestCode::status_job, torque ? "exec_queue_only" : "t", true, done,
         [this, done](std::vector<Object> jobs) { tell_jobs(std::move(jobs), done); });
}

void Exchange::note_active(const std::string& name, WikiJob job) {
  Running& here = running_[job.report.job_class];
  ++here.jobs;
  ++here.of_user[job.report.user];
  active_.emplace(name, std::move(job));
}

// max_running and max_user_run: servers leave it to the scheduler to see to them.
std::string Exchange::kept_back_by_queue(const WikiJob& job) const {
  const auto found = all_.queues.find(job.report.job_class);
  if (found == all_.queues.end()) return {};
  const Queue& queue = found->second;
  if (queue.most_running <= 0 && queue.most_running_of_user <= 0) return {};
  const auto here = running_.find(found->first);
  if (here == running_.end()) return {};
  const int running = here->second.jobs;
  const auto own = here->second.of_user.find(job.report.user);
  const int of_user = own == here->second.of_user.end() ? 0 : own->second;
  if (queue.most_running > 0 && running >= queue.most_running)
    return fmt::format("queue {} runs {} jobs, and no more at once (max_running)", found->first,
                       running);
  if (queue.most_running_of_user > 0 && of_user >= queue.most_running_of_user)
    return fmt::format("queue {} runs {} jobs of user {}, and no more at once (max_user_run)",
                       found->first, of_user, job.report.user);
  return {};
}

// A job that ran and is told no longer has ended, if its server keeps nothing of the end.
void Exchange::tell_jobs(std::vector<Object> jobs, const Told& done) {
  auto tasks = waiting_tasks(jobs);
  std::move(tasks.begin(), tasks.end(), std::back_inserter(jobs));
  all_.now = options_.now();
  wishes_.clear();
  waiting_.clear();
  starting_.clear();
  suspended_.clear();
  running_.clear();
  auto before = std::exchange(active_, {});
  WikiRecords told;
  told.records.reserve(jobs.size());
  for (const Object& one : jobs) {
    auto wish = wish_of(one);
    auto job = told_job(one, wish, all_);
    if (!job) continue;
    before.erase(one.name);
    if (wish) wishes_.emplace(one.name, *std::move(wish));
    const bool runs = job->active() || job->state == WikiState::suspended;
    if (job->state == WikiState::suspended) suspended_.insert(one.name);
    if (runs || job->ended()) told.records.push_back(write_wiki_job(*job));
    if (runs) note_end(one, *job);
    if (runs)
      note_active(one.name, *std::move(job));
    else if (!job->ended())
      waiting_.emplace(one.name, *std::move(job));
  }
  for (const Object& one : jobs) {  // in the server's order: those that came first, first
    const auto waits = waiting_.find(one.name);
    if (waits == waiting_.end()) continue;
    WikiJob& job = waits->second;
    if (job.report.waits_for.empty()) job.report.waits_for = kept_back_by_queue(job);
    told.records.push_back(write_wiki_job(job));
  }
  for (auto& [name, job] : before) {
    job.state = job.exit_code < 0 ? WikiState::removed : WikiState::completed;
    job.report.job.ended = std::min(job.report.job.ended, all_.now);
    job.report.waits_for.clear();
    told.records.push_back(write_wiki_job(job));
  }
  done(answer_of(std::move(told)));
  registration_->cycle_over();
  const auto does = [this](const std::string& name) {
    return starting_.contains(name)  ? Comments::Does::start
           : waiting_.contains(name) ? Comments::Does::wait
                                     : Comments::Does::neither;
  };
  for (const auto& [job, words] : comments_.changes(kMostComments, does)) comment(job, words);
}

// Nobody minds if that was not possible.
void Exchange::comment(const std::string& job, const std::string& words) {
  others().ask(
      [job, words](const Requests& requests, Dialect) {
        const std::array<Attribute, 1> change{{{"comment", "", words}}};
        return requests.manage(RequestCode::modify_job, Command::set, ObjectKind::job, job, change);
      },
      [](const Session::Answer&) {});
}

// A user's qrun would wait for an answer for ever.  When jobs start the scheduler's own order says,
// and its own commands change.
void Exchange::decline(const std::string& job) {
  constexpr int kRunThis = 11, kNotNow = 15044;
  looks_.ask(
      [job](const Requests& requests, Dialect) {
        return requests.answer_scheduling(
            kRunThis, job, kNotNow, "maui starts jobs in its own order; runjob starts one at once");
      },
      [](const Session::Answer&) {});
}

// The registered scheduler of OpenPBS asks all on one connection.  Elsewhere what may take seconds
// holds up neither starts nor questions.
Session& Exchange::session_for(const WikiRequest& request) {
  const bool is_one = server_->dialect == Dialect::parts;
  return request.command == "STARTJOB" && !is_one ? starts_ : others();
}

Session& Exchange::others() { return server_->dialect == Dialect::parts ? looks_ : others_; }

// It may end before anybody is told that it ran.  OpenPBS writes a comment of its own then; TORQUE
// would leave what was said of its wait.
void Exchange::may_run(const WikiRequest& start) {
  if (!comments_.forget(start.argument).empty() && family() == Family::torque)
    comment(start.argument, "maui: started");
  auto job = waiting_.extract(start.argument);
  if (job.empty()) return;
  job.mapped().report.job.started = options_.now();
  job.mapped().task_list = wiki_list(start.option("TASKLIST"));
  note_active(start.argument, std::move(job.mapped()));
}

void Exchange::follow(const WikiRequest& request, std::vector<MakeRequest> steps, std::size_t next,
                      Told done) {
  const MakeRequest make = steps.at(next);
  session_for(request).ask(make, [self = shared_from_this(), request, steps = std::move(steps),
                                  next, done = std::move(done)](Session::Answer answer) {
    if (self->closed_) return;
    const bool refused = answer.reply && !is_done(request, *answer.reply);
    if (request.command == "STARTJOB" && answer.sent && !refused) self->may_run(request);
    if (!answer.reply) return done({answer.reply.error(), answer.sent, std::nullopt});
    if (!is_done(request, *answer.reply))
      return done({refusal(*answer.reply, self->family()), true, std::nullopt});
    if (next + 1 < steps.size()) return self->follow(request, steps, next + 1, done);
    if (request.command == "SUSPENDJOB") self->suspended_.insert(request.argument);
    if (request.command == "RESUMEJOB") self->suspended_.erase(request.argument);
    done({WikiReply{kWikiDone, "done", false}, true, std::nullopt});
  });
}

void Exchange::ask(const WikiRequest& request, Told done) {
  if (request.command == "GETNODES") return get_nodes(done);
  if (request.command == "GETJOBS") return get_jobs(done);
  if (request.command == "NOTEJOBS") {
    comments_.take(request);
    return boost::asio::post(server_->io, [done = std::move(done)] {
      done({WikiReply{kWikiDone, "noted", false}, false, std::nullopt});
    });
  }
  if (const auto job = waiting_.find(request.argument);
      request.command == "STARTJOB" && job != waiting_.end())
    if (auto why = kept_back_by_queue(job->second); !why.empty())
      return boost::asio::post(server_->io, [done = std::move(done), why = std::move(why)] {
        done({WikiReply{kWikiNotNow, why, false}, false, std::nullopt});
      });
  if (request.command == "STARTJOB") starting_.insert(request.argument);
  auto steps = steps_of(request, wishes_, family());
  if (steps) return follow(request, *std::move(steps), 0, std::move(done));
  boost::asio::post(server_->io, [done = std::move(done), why = steps.error().what] {
    done({WikiReply{kWikiRefused, why, false}, false, std::nullopt});
  });
}

}  // namespace

std::unique_ptr<WikiLink> make_link(boost::asio::io_context& io, LinkOptions options) {
  return std::make_unique<ExchangeLink<Exchange>>(
      std::make_shared<Exchange>(io, std::move(options)));
}

}  // namespace maui::pbs
