// The outlook of a job by Slurm's own reason for not starting it.
#pragma once
#include <string_view>

namespace maui::slurm {

enum class Outlook : unsigned char {
  open,    // it may start yet
  failed,  // it does not start as it was told to
  passes,  // what is in the way passes by itself, but not at once
  stays,   // it does not start before somebody changes something
};

/// `reason`: as squeue shows it, "Resources", "QOSMaxJobsPerUserLimit".
Outlook outlook(std::string_view reason);

/// True for limits of accounting: of a QOS, an association, or of each account.
bool is_limit(std::string_view reason);

/// True if a dependency of the job has failed: of several any of which would do, another may yet be
/// met.
bool dependency_failed(std::string_view reason);

}  // namespace maui::slurm
