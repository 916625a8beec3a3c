#include "pbs/link.h"

#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "pbs/amounts.h"
#include "pbs/comments.h"
#include "pbs/job_record.h"
#include "pbs/known_jobs.h"
#include "pbs/node_record.h"
#include "pbs/registration.h"
#include "pbs/session.h"
#include "pbs/steps.h"
#include "pbs/wanted.h"
#include "rm/wiki_attributes.h"

namespace maui::pbs {
namespace {

using OnAnswer = std::function<void(WikiAnswer)>;

constexpr std::size_t kMostComments = 20;  // changed after a poll
constexpr std::size_t kMostEnds = 500;     // whose end is requested after a poll
constexpr std::size_t kJobsAtOnce = 500;   // read at once, in some milliseconds

// A session outlives its link while it connects; the registration may be gone by then.
Task<Status> register_connection(std::shared_ptr<Registration> registration,
                                 std::shared_ptr<Connection> connection) {
  if (!registration) co_return Error{"the connection to the server is not needed any more"};
  co_return co_await registration->make(std::move(connection));
}

WikiAnswer answer_of(WikiRecords records) {
  return {WikiReply{kWikiDone, {}, true}, true, std::nullopt,
          std::make_shared<const WikiRecords>(std::move(records))};
}

// State that the handlers share with the link, because they may outlive it.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(boost::asio::io_context& io, LinkOptions options)
      : options_(std::move(options)),
        server_(std::make_shared<Server>(Server{io, options_.server, {}, false, {}, 0, {}})),
        registration_(std::make_shared<Registration>(
            server_, Registration::Handlers{options_.ring,
                                            [this](const std::string& job) { decline(job); }})),
        looks_(server_),
        starts_(server_),
        others_(server_) {
    server_->introduce =
        [all = std::weak_ptr(registration_)](std::shared_ptr<Connection> connection) {
          return register_connection(all.lock(), std::move(connection));
        };
  }

  void ask(const WikiRequest& request, OnAnswer done);
  std::string kind() const;
  void close() {
    closed_ = true;
    registration_->close();
  }

 private:
  using Objects = std::function<void(std::vector<Object>)>;
  using WantedAttributes = std::span<const std::string_view>;
  WantedAttributes wanted(Dialect dialect) const;
  void status(RequestCode code, std::string_view extension, bool some, OnAnswer failed,
              Objects then);
  void get_nodes(const OnAnswer& done);
  void get_queues(const OnAnswer& done);
  void report_nodes(const OnAnswer& done);
  void get_jobs(const OnAnswer& done);
  void report_jobs(std::vector<Object> jobs, JobNames began, const OnAnswer& done);
  /// The ends of jobs that ran but are no longer reported, to be added to the records.
  struct Ends {
    WikiRecords records;
    std::vector<WikiJob> jobs;
    OnAnswer done;
    std::size_t next = 0, asked = 0;
  };
  void report_ends(const std::shared_ptr<Ends>& all);
  void ask_history(const std::shared_ptr<Ends>& all);
  void jobs_reported(Ends& all);
  /// A command whose requests are sent one after the other.
  struct Course {
    WikiRequest request;
    std::vector<Step> steps;
    OnAnswer done;
    std::size_t next = 0;
    std::optional<WikiAnswer> failure = {};  // the first one
  };
  void follow(const std::shared_ptr<Course>& course);
  void go_on(const std::shared_ptr<Course>& course, const Session::Answer& answer);
  std::optional<WikiAnswer> failure_of(const WikiRequest& request, const Step& step,
                                       const Session::Answer& answer) const;
  void decline(const std::string& job);
  void may_run(const WikiRequest& start);
  void comment(const std::string& job, const std::string& words);
  void release_again();
  void note_release(const std::string& job, const Session::Answer& answer);
  Session& session_for(const WikiRequest& request);
  Session& others();
  Family family() const { return family_of(server_->dialect.value_or(Dialect::bare), version_); }

  LinkOptions options_;
  std::shared_ptr<Server> server_;
  std::shared_ptr<Registration> registration_;
  Session looks_, starts_, others_;
  std::string version_;                // of the server; empty: unknown
  bool can_select_attributes_ = true;  // supports requests for selected attributes
  bool keeps_history_ = false;         // supports requests for ended jobs (OpenPBS)
  bool asked_for_past_ = false;        // all ended jobs have been requested
  bool closed_ = false;
  Surroundings all_;
  KnownJobs jobs_;
  JobNames starting_;    // start requested since the last report of jobs
  JobNames taken_;       // starts accepted since jobs were last requested
  unsigned losses_ = 0;  // of connections, at the last report of jobs
  Comments comments_;
  JobNames unreleased_;  // holds of ours for checkpoints, whose release is not confirmed
};

std::string Exchange::kind() const {
  if (!server_->dialect || version_.empty()) return "PBS";
  return fmt::format("PBS ({} {})", family() == Family::torque ? "TORQUE" : "OpenPBS", version_);
}

// Returns the attributes of jobs to request; empty: all.
Exchange::WantedAttributes Exchange::wanted(Dialect dialect) const {
  if (!can_select_attributes_) return {};
  if (framed(dialect)) return kWantedOfOpenPbs;
  const bool knows_all = family() == Family::torque && major_version(version_) >= 6;
  return WantedAttributes(kWantedOfTorque).first(kWantedOfTorque.size() - (knows_all ? 0 : 1));
}

void Exchange::status(RequestCode code, std::string_view extension, bool some, OnAnswer failed,
                      Objects then) {
  const auto make = [this, code, extension = std::string(extension), some](const Requests& requests,
                                                                           Dialect dialect) {
    return requests.status(code, "", some ? wanted(dialect) : WantedAttributes(), extension);
  };
  looks_.ask(make, [self = shared_from_this(), code, extension = std::string(extension), some,
                    failed = std::move(failed), then = std::move(then)](Session::Answer answer) {
    if (self->closed_) return;
    if (!answer.reply) {
      self->version_.clear();
      return failed({answer.reply.error(), answer.sent, std::nullopt});
    }
    const bool none =
        code == RequestCode::status_node && says_no_nodes(*answer.reply, self->family());
    if (answer.reply->code == 0 || none) return then(std::move(answer.reply->objects));
    // Some servers refuse a request that names an unknown attribute, but answer it without names.
    if (some && self->can_select_attributes_)
      return self->status(code, extension, false, failed,
                          [exchange = self.get(), then](std::vector<Object> objects) {
                            exchange->can_select_attributes_ = false;
                            then(std::move(objects));
                          });
    failed({refusal(*answer.reply, self->family()), true, std::nullopt});
  });
}

void Exchange::get_nodes(const OnAnswer& done) {
  if (!version_.empty()) return get_queues(done);
  status(RequestCode::status_server, "", false, done,
         [this, done](const std::vector<Object>& servers) {
           const Object server = servers.empty() ? Object() : servers.front();
           version_ = server.get("pbs_version");
           if (version_.empty()) version_ = "of unknown version";
           keeps_history_ = framed(server_->dialect.value_or(Dialect::bare)) &&
                            is_true(server.get("job_history_enable"));
           options_.log(1, fmt::format("connected to {} at {}", kind(), server_->host));
           get_queues(done);
         });
}

void Exchange::get_queues(const OnAnswer& done) {
  status(RequestCode::status_queue, "", false, done,
         [this, done](const std::vector<Object>& queues) {
           all_.queues = read_queues(queues);
           report_nodes(done);
         });
}

void Exchange::report_nodes(const OnAnswer& done) {
  status(RequestCode::status_node, "", false, done, [this, done](const std::vector<Object>& nodes) {
    all_.nodes.clear();
    all_.features.clear();
    WikiRecords records;
    records.records.reserve(nodes.size());
    for (const NodeReport& node : node_reports(nodes, all_.queues, jobs_.suspended())) {
      all_.nodes.insert(node.node.name);
      all_.features.insert(node.features.begin(), node.features.end());
      records.add(write_wiki_node(node));
    }
    done(answer_of(std::move(records)));
  });
}

// The first answer includes jobs that ended before, because an earlier scheduler may have known
// them; if a long history makes the request fail, the next request omits it.
void Exchange::get_jobs(const OnAnswer& done) {
  const bool past = keeps_history_ && !std::exchange(asked_for_past_, true);
  const std::string_view extension = family() == Family::torque ? "exec_queue_only"
                                     : past                     ? "tx"
                                                                : "t";
  JobNames began = std::exchange(taken_, {});
  began.merge(jobs_.starting());
  jobs_.asked();
  status(RequestCode::status_job, extension, true, done,
         [this, done, began = std::move(began)](std::vector<Object> jobs) mutable {
           report_jobs(std::move(jobs), std::move(began), done);
         });
}

// A job that ran and is no longer reported has ended, even if its server has no record of the end.
void Exchange::report_jobs(std::vector<Object> jobs, JobNames began, const OnAnswer& done) {
  all_.now = options_.now();
  starting_.clear();
  if (std::exchange(losses_, server_->losses) != server_->losses) jobs_.server_was_lost();
  jobs_.begin(std::move(jobs), std::move(began), all_);
  in_slices(
      options_.later,
      [self = shared_from_this()] { return self->closed_ || self->jobs_.read(kJobsAtOnce); },
      [self = shared_from_this(), done] {
        if (self->closed_) return;
        auto report = self->jobs_.take_report();
        self->report_ends(
            std::make_shared<Ends>(Ends{std::move(report.records), std::move(report.gone), done}));
      });
}

// Requests the ends in sequence from the server's history, if it has one, while the server answers.
void Exchange::report_ends(const std::shared_ptr<Ends>& all) {
  for (; all->next < all->jobs.size(); ++all->next) {
    WikiJob& job = all->jobs[all->next];
    if (keeps_history_ && all->next < kMostEnds && all->asked == all->next) {
      ++all->asked;
      return ask_history(all);
    }
    const bool known = job.ended();
    if (!known) job.state = job.exit_code < 0 ? WikiState::removed : WikiState::completed;
    job.report.job.ended = std::min(job.report.job.ended, all_.now);
    job.report.waits_for.clear();
    all->records.add(write_wiki_job(job));
  }
  jobs_reported(*all);
}

void Exchange::ask_history(const std::shared_ptr<Ends>& all) {
  const std::string name = all->jobs[all->next].report.name;
  looks_.ask(
      [this, name](const Requests& requests, Dialect dialect) {
        return requests.status(RequestCode::status_job, name, wanted(dialect), "x");
      },
      [self = shared_from_this(), all](const Session::Answer& answer) {
        if (self->closed_) return;
        if (answer.reply && answer.reply->code == 0 && !answer.reply->objects.empty()) {
          const Object& past = answer.reply->objects.front();
          auto reported = reported_job(past, wish_of(past), self->all_);
          if (reported && reported->ended()) all->jobs[all->next] = *std::move(reported);
        }
        // Each further question would wait as long.
        if (!answer.reply) all->asked = all->jobs.size();
        self->report_ends(all);
      });
}

void Exchange::jobs_reported(Ends& all) {
  all.done(answer_of(std::move(all.records)));
  registration_->cycle_over();
  release_again();
  const auto does = [this](const std::string& name) {
    return starting_.contains(name) ? Comments::Does::start
           : jobs_.waits(name)      ? Comments::Does::wait
                                    : Comments::Does::neither;
  };
  for (const auto& [job, words] : comments_.changes(kMostComments, does)) comment(job, words);
}

// A hold that stayed would keep the job from ever running again.
void Exchange::release_again() {
  for (const std::string& job : std::exchange(unreleased_, {}))
    others().ask(release_of(job), [self = shared_from_this(), job](const Session::Answer& answer) {
      if (!self->closed_) self->note_release(job, answer);
    });
}

void Exchange::note_release(const std::string& job, const Session::Answer& answer) {
  const bool released = answer.reply && (answer.reply->code == 0 || says_no_job(*answer.reply));
  if (!released) unreleased_.insert(job);
}

// Ignores failures.
void Exchange::comment(const std::string& job, const std::string& words) {
  others().ask(
      [job, words](const Requests& requests, Dialect) {
        const std::array<Attribute, 1> change{{{"comment", "", words}}};
        return requests.manage(RequestCode::modify_job, Command::set, ObjectKind::job, job, change);
      },
      [](const Session::Answer&) {});
}

// Answers a user's qrun, which would otherwise wait forever.  Only the scheduler's own order
// decides when jobs start; its own commands can change that order.
void Exchange::decline(const std::string& job) {
  constexpr int kRunThis = 11, kNotNow = 15044;
  looks_.ask(
      [job](const Requests& requests, Dialect) {
        return requests.answer_scheduling(
            kRunThis, job, kNotNow,
            "maui starts jobs in its own order; runjob starts a job at once");
      },
      [](const Session::Answer&) {});
}

// The registered scheduler of OpenPBS sends all requests on one connection.  For other servers,
// slow requests have a session of their own, so that they delay neither starts nor polls.
Session& Exchange::session_for(const WikiRequest& request) {
  const bool is_one = server_->dialect == Dialect::parts;
  return request.command == "STARTJOB" && !is_one ? starts_ : others();
}

Session& Exchange::others() { return server_->dialect == Dialect::parts ? looks_ : others_; }

// OpenPBS replaces the comment when a job starts; TORQUE would keep the one about its wait.
void Exchange::may_run(const WikiRequest& start) {
  if (!comments_.forget(start.argument).empty() && family() == Family::torque)
    comment(start.argument, start.generation == 0
                                ? "maui: started"
                                : fmt::format("maui: started (generation {})", start.generation));
  jobs_.may_run(start, options_.now());
}

void Exchange::follow(const std::shared_ptr<Course>& course) {
  const Step& step = course->steps.at(course->next);
  session_for(course->request)
      .ask(step.make, [self = shared_from_this(), course](const Session::Answer& answer) {
        if (!self->closed_) self->go_on(course, answer);
      });
}

std::optional<WikiAnswer> Exchange::failure_of(const WikiRequest& request, const Step& step,
                                               const Session::Answer& answer) const {
  if (!answer.reply) return WikiAnswer{answer.reply.error(), answer.sent, std::nullopt};
  if (!is_done(request, *answer.reply))
    return WikiAnswer{refusal(*answer.reply, family()), true, std::nullopt};
  std::string why = step.failure ? step.failure(*answer.reply) : std::string();
  if (why.empty()) return std::nullopt;
  return WikiAnswer{WikiReply{kWikiRefused, std::move(why), false}, true, std::nullopt};
}

void Exchange::go_on(const std::shared_ptr<Course>& course, const Session::Answer& answer) {
  const WikiRequest& request = course->request;
  const auto& steps = course->steps;
  if (steps[course->next].undoes) note_release(request.argument, answer);
  auto failure = failure_of(request, steps[course->next++], answer);
  if (request.command == "STARTJOB" && answer.sent && (!answer.reply || !failure)) {
    may_run(request);
    if (answer.reply) taken_.insert(request.argument);
  }
  // A job is cancelled whether or not its message was written.
  if (request.command == "CANCELJOB" && course->next < steps.size()) failure.reset();
  if (!course->failure) course->failure = std::move(failure);
  const auto passes_over = [&](const Step& step) {
    return step.undoes ? !step.undoes() : course->failure.has_value();
  };
  while (course->next < steps.size() && passes_over(steps[course->next])) ++course->next;
  if (course->next < steps.size()) return follow(course);
  if (course->failure) return course->done(*std::move(course->failure));
  if (request.command == "SUSPENDJOB" || request.command == "RESUMEJOB")
    jobs_.note_suspended(request.argument, request.command == "SUSPENDJOB");
  course->done({WikiReply{kWikiDone, "done", false}, true, std::nullopt});
}

void Exchange::ask(const WikiRequest& request, OnAnswer done) {
  if (request.command == "GETNODES") return get_nodes(done);
  if (request.command == "GETJOBS") return get_jobs(done);
  if (request.command == "NOTEJOBS") {
    comments_.take(request);
    return boost::asio::post(server_->io, [done = std::move(done)] {
      done({WikiReply{kWikiDone, "noted", false}, false, std::nullopt});
    });
  }
  if (request.command == "STARTJOB")
    if (auto why = jobs_.kept_back_by_queue(request.argument); !why.empty())
      return boost::asio::post(server_->io, [done = std::move(done), why = std::move(why)] {
        done({WikiReply{kWikiNotNow, why, false}, false, std::nullopt});
      });
  if (request.command == "STARTJOB") starting_.insert(request.argument);
  auto steps = steps_of(request, jobs_.wish_of(request.argument), family());
  if (steps)
    return follow(
        std::make_shared<Course>(Course{request, *std::move(steps), std::move(done), 0, {}}));
  boost::asio::post(server_->io, [done = std::move(done), why = steps.error().what] {
    done({WikiReply{kWikiRefused, why, false}, false, std::nullopt});
  });
}

}  // namespace

void describe_pbs(WikiManagerOptions& options) {
  options.type = "PBS";
  options.checkpoints = options.node_states = true;
  options.introduce = options.changes = false;
  options.in_order = true;
  options.on_its_way = std::chrono::seconds(60);  // it may still do what it read before
}

std::unique_ptr<WikiLink> make_link(boost::asio::io_context& io, LinkOptions options) {
  return std::make_unique<ExchangeLink<Exchange>>(
      std::make_shared<Exchange>(io, std::move(options)));
}

}  // namespace maui::pbs
