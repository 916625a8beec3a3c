// Runs sstat and parses its output.
#pragma once
#include "slurm/controller.h"

namespace maui::slurm {

class Sstat final : public Meter {
 public:
  Result<Usage> measure(const std::vector<std::uint32_t>& jobs) override;
};

}  // namespace maui::slurm
