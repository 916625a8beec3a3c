// Adds what JOBATTRIBUTEPROGRAM has said of a job to what the job asks for.
#pragma once
#include <string>

#include "engine/actions/site_words.h"

namespace maui {

struct EngineTools;
struct JobReport;

/// Adds the words to what the job asks for, and notes them in `of_jobs`.  Words that cannot be used
/// are logged and leave the job without any, like an empty text.
void give_site_words(const EngineTools& tools, const std::string& words, JobReport& report,
                     SiteWords::ByJob& of_jobs);

}  // namespace maui
