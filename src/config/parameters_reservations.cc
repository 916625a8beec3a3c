// Standing reservations: SRCFG, and the older forms that say one attribute each (guide 7.1.5).
#include "config/parameters.h"

namespace maui::config {

std::vector<Parameter> reservation_parameters() {
  using enum Index;
  using enum Change;
  std::vector<Parameter> rows;
  const auto add = [&](std::string name, ValueType type, std::string fallback, std::string help) {
    rows.push_back({std::move(name), "", either, std::move(type), std::move(fallback), at_runtime,
                    Landed::no, std::move(help)});
  };
  add("SRNAME", text("a name"), "[NONE]", "Name of the standing reservation.");
  add("SRACCESS", choice("DEDICATED SHARED"), "DEDICATED",
      "Whether it may take what other reservations already hold.");
  add("SRACCOUNTLIST", list("names of accounts", " ,:"), "[NONE]", "Accounts that have access.");
  add("SRCHARGEACCOUNT", text("an account"), "[NONE]",
      "Account that pays for what stays idle in it.");
  add("SRCLASSLIST", list("names of classes", " ,:"), "[NONE]", "Classes that have access.");
  add("SRDAYS", weekdays(), "[ALL]", "Days of the week on which it is active.");
  add("SRDEPTH", integer(0, 10000), "2", "For how many periods ahead it is created.");
  add("SRSTARTTIME", duration(), "00:00:00", "Time of the day at which it begins.");
  add("SRENDTIME", duration(), "24:00:00", "Time of the day at which it ends.");
  add("SRWSTARTTIME", duration(), "0:00:00:00", "Time of the week at which it begins.");
  add("SRWENDTIME", duration(), "7:00:00:00", "Time of the week at which it ends.");
  add("SRFEATURES", list("node features", " ,:"), "[NONE]", "Features that its nodes must have.");
  add("SRFLAGS", reservation_flags(), "[NONE]", "Special attributes of it.");
  add("SRGROUPLIST", list("names of groups, or [ALL]", " ,:"), "[ALL]", "Groups that have access.");
  add("SRHOSTLIST", list("host names, or [ALL]", " "), "[ALL]", "Hosts that it may be on.");
  add("SRMAXTIME", duration(true), "-1",
      "How far a job may reach into it; -1: jobs have no access by time.");
  add("SRPARTITION", text("a partition"), "[ALL]", "Partition that it is in.");
  add("SRPERIOD", choice("DAY WEEK INFINITY"), "DAY", "How often it recurs.");
  add("SRQOSLIST", list("names of QOS", " ,:"), "[NONE]", "QOS that have access.");
  add("SRRESOURCES", task_resources(), "PROCS=-1", "What one task of it consists of.");
  add("SRTASKCOUNT", integer(0), "0", "How many tasks it reserves; 0: all of its hosts.");
  add("SRTIMELOGIC", choice("AND OR"), "OR",
      "How SRMAXTIME goes together with the lists of those with access.");
  add("SRTPN", integer(0), "0", "How many tasks its nodes must offer each; 0: any number.");
  add("SRUSERLIST", list("names of users", " ,:"), "[NONE]", "Users who have access.");
  rows.push_back({"SRCFG",
                  "",
                  name,
                  {},
                  "[NONE]",
                  at_runtime,
                  Landed::no,
                  "Attributes of one standing reservation.",
                  {},
                  &standing_reservation_attributes()});
  return rows;
}

}  // namespace maui::config
