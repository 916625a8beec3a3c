#include "bank/allocation_file.h"

#include <utility>

#include "bank/allocation_lines.h"
#include "base/take_one.h"
#include "base/text.h"

namespace maui {
namespace {

// More than is ever written between two checkpoints, or since the checkpoint before the last.
constexpr std::size_t kTail = std::size_t{8} << 20;

}  // namespace

AllocationFile::AllocationFile(std::string path) : path_(std::move(path)) {}

void AllocationFile::ask(const AllocationRequest& request, Answer done) {
  const Status written = write(allocation_line(request));
  if (written) return done({});
  done({AllocationVerdict::failed, written.error().what});
}

// Appends a line, unless it is a debit or release that the file already contains.
Status AllocationFile::write(const std::string& line) {
  if (!file_.is_open() || !file_.in_place())
    if (auto status = file_.open(path_); !status) return status;
  if (!std::exchange(read_, true)) read_tail();
  return known(line) ? Done{} : file_.append(line + '\n');
}

void AllocationFile::read_tail() {
  const std::string tail = file_.tail(kTail);
  for (const auto line : split(tail, '\n')) {
    const auto run = run_in(line);
    if (!run) continue;
    if (run->deed == AllocationDeed::reserve)
      forget_releases(*run);
    else
      settled_.emplace(run->identity.job, line);
  }
}

void AllocationFile::forget_releases(const AllocatedRun& lien) {
  AllocatedRun release = lien;
  release.deed = AllocationDeed::release;
  while (take(release)) {
  }
}

bool AllocationFile::take(const AllocatedRun& run) {
  return take_one(settled_, std::string(run.identity.job),
                  [&](const std::string& written) { return run_in(written)->same_as(run); });
}

bool AllocationFile::known(std::string_view line) {
  const auto run = settled_.empty() ? std::nullopt : run_in(line);
  if (!run) return false;
  if (run->deed != AllocationDeed::reserve) return take(*run);
  forget_releases(*run);
  return false;
}

}  // namespace maui
