// Classifies the reasons that Slurm gives for not starting a job.
#pragma once
#include <string_view>

namespace maui::slurm {

enum class Outlook : unsigned char {
  open,    // the job may still start
  failed,  // the requested start failed
  passes,  // the obstacle passes by itself, but not at once
  stays,   // the job does not start until somebody changes something
};

/// `reason`: as squeue shows it, for example "Resources" or "QOSMaxJobsPerUserLimit".
Outlook outlook(std::string_view reason);

/// Returns true for an accounting limit: of a QOS, of an association, or per account.
bool is_limit(std::string_view reason);

/// Returns true if a dependency of the job has failed.  If any one of several dependencies
/// suffices, another may still be met.
bool dependency_failed(std::string_view reason);

}  // namespace maui::slurm
