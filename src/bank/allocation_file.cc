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

// Appends a line, unless it is a debit that the file already contains.
Status AllocationFile::write(const std::string& line) {
  if (!file_.is_open() || !file_.in_place())
    if (auto status = file_.open(path_); !status) return status;
  if (!std::exchange(read_, true)) read_debits();
  return known(line) ? Done{} : file_.append(line + '\n');
}

void AllocationFile::read_debits() {
  const std::string tail = file_.tail(kTail);
  for (const auto line : split(tail, '\n'))
    if (const auto debit = debit_in(line)) debits_.emplace(debit->job, line);
}

bool AllocationFile::known(std::string_view line) {
  const auto debit = debits_.empty() ? std::nullopt : debit_in(line);
  return debit && take_one(debits_, std::string(debit->job), [&](const std::string& written) {
           return debit_in(written)->same_as(*debit);
         });
}

}  // namespace maui
