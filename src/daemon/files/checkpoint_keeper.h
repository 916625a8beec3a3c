// Keeps the checkpoint up to date while the scheduler runs, and what is requested of resource
// managers since (appendix F: CHECKPOINTFILE; docs/decisions/checkpoints.md).
//
// There is none in a simulation, which is repeated, and in TEST mode, which has no state to keep.
#pragma once
#include <chrono>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "daemon/files/checkpoint_file.h"
#include "daemon/files/records.h"
#include "daemon/files/request_journal.h"
#include "daemon/logging/lasting_failure.h"
#include "engine/engine.h"

namespace maui {

/// Facts about the scheduler that ran before, from its checkpoint.
struct EarlierScheduler {
  Seconds clock_set{0};     // since then; 0: unknown
  Time end_of_messages{0};  // as Checkpoint::end_of_messages
};

class CheckpointKeeper {
 public:
  using Moment = std::chrono::steady_clock::time_point;

  /// The parts of the daemon that it needs; all must outlive it.
  struct Surroundings {
    Engine& engine;
    Records& records;
    /// Returns the clock by which the engine dates.
    std::function<ClockReference()> clock;
    /// Has that clock measure steps as an earlier scheduler's would have: adjustments since then
    /// are a step once they have added up.
    std::function<void(const ClockReference&)> go_on_from;
    /// Returns Checkpoint::end_of_messages as far as this scheduler knows.
    std::function<Time()> end_of_messages;
    /// Writes what the checkpoint assumes to be written besides the records; it stays as it was if
    /// this fails.
    std::function<Status()> save_others;
    std::function<void(int level, std::string_view text)> log;
    /// Tells people that the checkpoint is not written.
    std::function<void(const std::string& why)> failed;
  };

  /// Why nothing is started or kept while lost() is true.
  static constexpr const char* kLoss =
      "no checkpoint can be read: nothing is started or saved until schedctl -r";

  CheckpointKeeper(CheckpointFile file, Surroundings surroundings);

  /// Restores the engine from the checkpoint; lost() is true if there are files, but none can be
  /// used, or if `left_behind` (checkpoint_left_behind()) tells of others elsewhere.
  void restore(const std::optional<std::string>& left_behind);
  bool lost() const { return lost_; }
  /// Returns what the checkpoint tells that restore() found; nullopt: it found none.
  const std::optional<EarlierScheduler>& earlier() const { return earlier_; }
  /// True if another checkpoint must follow the one that restore() used before anything is written
  /// or requested: either the clock was set in between, or that one says that the files of
  /// fairshare agree with it.
  bool must_be_followed() const { return must_be_followed_; }
  /// Tells that restore() could not use the newest checkpoint, but an older one; otherwise empty.
  const std::string& older() const { return older_; }
  /// An administrator has accepted the loss.
  void accept_loss();

  /// When the next checkpoint is to be written.
  Moment due() const { return due_; }
  void write_soon() { due_ = std::chrono::steady_clock::now(); }
  /// The engine has decided what only a checkpoint remembers.
  void outdated();
  /// A run of that job has been accounted, which a line of its next start does not tell.
  void run_accounted(const std::string& job) { accounted_.insert(job); }
  /// Why a checkpoint is written: because it is due, because a change must be on the disk before
  /// anybody is told of it or asked for it, or because the scheduler ends in good order.
  enum class Occasion { due, change, end };
  Status write(Occasion occasion);
  /// Writes down what resource managers are about to be asked for.  If that fails, they are asked
  /// all the same, as other decisions of the scheduler's own are carried out then.
  void keep_requests(const Cluster& cluster, const std::vector<CheckpointedJob>& jobs);

  /// Succeeds if the change that a command is about to make can be saved afterwards.
  Status can_keep();
  /// Succeeds if a checkpoint can be written to another file.
  Status can_move_to(const CheckpointFile& other) const;
  void move_to(CheckpointFile other);
  /// True if the last attempt to write a checkpoint, or to find room for one, failed.
  bool failing() const { return failing_; }
  /// How long it took to write the last one.
  std::chrono::steady_clock::duration took() const { return took_; }

 private:
  std::chrono::steady_clock::duration interval() const;
  /// Restores the checkpoint; `made`: when it was made, by the clock as it now stands.
  Status read(const std::string& text, Time& made);
  std::vector<CheckpointedJob> read_requests();
  Status save(bool in_good_order);
  std::size_t room() const;
  void note(const Status& kept);

  CheckpointFile file_;
  Surroundings around_;
  RequestJournal requests_;  // since the checkpoint
  LastingFailure requests_failure_{"starts are written down again"};
  bool lost_ = false;
  std::optional<EarlierScheduler> earlier_;
  bool must_be_followed_ = false;
  std::string older_;
  std::set<std::string> accounted_;  // jobs with a run that was accounted since the last one
  Moment due_;
  Moment free_;  // before it, none is written for decisions of the scheduler's own
  std::chrono::steady_clock::duration took_{};
  bool failing_ = false;
};

}  // namespace maui
