// The codec against what real servers and clients said, byte for byte.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "pbs/dis.h"
#include "pbs/packet.h"
#include "pbs/reply.h"
#include "pbs/request.h"
#include "pbs/vectors.h"

namespace maui::pbs {
namespace {

using test::families;
using test::from_hex;
using test::read_vectors;

std::string dis(std::int64_t number) { return DisWriter().number(number).take(); }

TEST(DisTest, ANumberHasTheCountOfItsDigitsBeforeItsSign) {
  EXPECT_EQ(dis(5), "+5");
  EXPECT_EQ(dis(0), "+0");
  EXPECT_EQ(dis(42), "2+42");
  EXPECT_EQ(dis(-15001), "5-15001");
  EXPECT_EQ(dis(1795165920), "210+1795165920");
}

TEST(DisTest, WrittenNumbersReadBack) {
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{9}, std::int64_t{-10},
                                   std::int64_t{1} << 62, -(std::int64_t{1} << 62)}) {
    const auto bytes = dis(value);
    DisReader reader(bytes);
    EXPECT_EQ(reader.number(), value);
    EXPECT_TRUE(reader.good() && reader.at_end());
    DisReader cut(std::string_view(bytes).substr(0, bytes.size() - 1));
    cut.number();
    EXPECT_EQ(cut.state(), DisReader::State::incomplete);
  }
}

TEST(DisTest, ReportsMalformedNumbers) {
  for (const auto* bytes : {"x", "+x", "0+5", "1+5", "2+-5", "299+5", "9999999999999999999+1"}) {
    DisReader reader(bytes);
    reader.number();
    EXPECT_EQ(reader.state(), DisReader::State::malformed) << bytes;
  }
}

TEST(DisTest, ATextMayHoldAnyBytes) {
  const auto bytes = DisWriter().text("caf\xe9 \"x\"+5").take();
  DisReader reader(bytes);
  EXPECT_EQ(reader.text(), "caf\xe9 \"x\"+5");
}

/// The job that an exchange is about, and the place where it is to start.
struct Said {
  std::string job, place;
};

/// Requests by the names that exchanges have; what differs from run to run comes from the bytes.
std::string request_of(const std::string& name, const Said& said, Dialect dialect) {
  using enum RequestCode;
  const Requests root("root");
  const auto job_is = [&](RequestCode code, std::vector<Attribute> attributes) {
    return root.manage(code, Command::set, ObjectKind::job, said.job, attributes);
  };
  const auto node_is = [&](const char* node, Op op) {
    const std::vector<Attribute> state{{"state", "", "offline", op}};
    return root.manage(manager, Command::set, ObjectKind::node, node, state);
  };
  const auto asked = [&](std::vector<std::string_view> wanted) {
    return root.status(status_job, said.job, wanted);
  };
  const auto removed = [&] {
    if (framed(dialect)) return root.delete_jobs(std::vector<std::string>{said.job});
    return root.manage(delete_job, Command::remove, ObjectKind::job, said.job, {});
  };
  if (name == "Connect") return root.connect();
  if (name.starts_with("Disconnect")) return root.disconnect();
  if (name.starts_with("RegisterSched")) return root.register_scheduler("default");
  if (name == "StatusServer") return root.status(status_server);
  if (name == "StatusQueue") return root.status(status_queue);
  if (name == "StatusNode" || name == "StatusNode with jobs" ||
      name == "StatusNode unauthenticated")
    return root.status(status_node);
  if (name == "StatusNode offline") return root.status(status_node, "n02");
  if (name == "StatusNode one attribute asked")
    return root.status(status_node, "", std::vector<std::string_view>{"state"});
  if (name == "StatusJob one job, three attributes")
    return asked({"job_state", "Resource_List", "comment"});
  if (name == "StatusJob held") return asked({"job_state", "Hold_Types"});
  if (name == "StatusJob suspended") return asked({"job_state", "substate"});
  if (name.starts_with("StatusJob")) return asked({});
  if (name == "HoldJob s") return job_is(hold_job, {{"Hold_Types", "", "s"}});
  if (name == "ReleaseJob s") return job_is(release_job, {{"Hold_Types", "", "s"}});
  if (name == "ModifyJob comment")
    return job_is(modify_job, {{"comment", "", "waiting: no idle nodes"}});
  if (name == "ModifyJob Priority") return job_is(modify_job, {{"Priority", "", "100"}});
  if (name == "ModifyJob walltime")
    return job_is(modify_job, {{"Resource_List", "walltime", "00:06:00"}});
  if (name == "ModifyJob neednodes")
    return job_is(modify_job, {{"Resource_List", "neednodes", "n03:ppn=2+n04:ppn=2"}});
  if (name == "ModifyJob unknown attribute") return job_is(modify_job, {{"bogus", "", "1"}});
  if (name.starts_with("RunJob")) return root.run(run_job, said.job, said.place);
  if (name == "AsyncRunJobAck") return root.run(async_run_job_answered, said.job, said.place);
  if (name.starts_with("AsyncRunJob")) return root.run(async_run_job, said.job, said.place);
  if (name == "Rerun") return root.rerun(said.job);
  if (name.starts_with("SignalJob"))
    return root.signal(said.job, name.ends_with("bad name") ? "SIGBOGUS" : name.substr(10));
  if (name == "Manager node offline") return node_is("n02", Op::add);
  if (name == "Manager node offline cleared") return node_is("n02", Op::remove);
  if (name == "Manager unknown node") return node_is("nosuch", Op::add);
  if (name.starts_with("Manager set server scheduling")) {
    const std::vector<Attribute> on{{"scheduling", "", "True"}};
    return root.manage(manager, Command::set, ObjectKind::server, "", on);
  }
  if (name.starts_with("Delete")) return removed();
  return {};
}

Said said_in(const std::string& bytes, Dialect dialect) {
  DisReader from(framed(dialect) ? (*first_packet(bytes))->payload : std::string_view(bytes));
  from.number();
  from.number();
  const auto code = static_cast<RequestCode>(from.number());
  from.text();
  const bool manages = code >= RequestCode::delete_job && code <= RequestCode::release_job;
  for (int i = code == RequestCode::delete_jobs ? 1 : manages ? 2 : 0; i > 0; --i) from.number();
  Said said;
  said.job = from.text();
  said.place = from.text();
  return said;
}

TEST(RequestTest, RequestsAreThoseOfRealClients) {
  for (const auto& family : families()) {
    int compared = 0;
    for (const auto& exchange : read_vectors(family)) {
      const std::string name = exchange["name"];
      if (!exchange.contains("c2s") || name.starts_with("authenticate") ||
          name.starts_with("SelStat"))
        continue;
      const auto bytes = from_hex(exchange["c2s"][0].get<std::string>());
      const auto made = request_of(name, said_in(bytes, family.dialect), family.dialect);
      EXPECT_EQ(packet(made, family.dialect), bytes) << family.file << ": " << name;
      ++compared;
    }
    EXPECT_GE(compared, 34) << family.file;
  }
}

TEST(RequestTest, AConnectionIsVouchedForAsRealClientsDo) {
  const Requests root("root");
  EXPECT_EQ(root.vouch_bare(52756), "+2+22+49+4root5+52756+0");
  EXPECT_EQ(root.vouch_framed(48948), "+2+22+95+4root+8+8resvport+05+48948+0");
}

// As qmsg -E has it.
TEST(RequestTest, AMessageGoesToTheStandardErrorOfTheJob) {
  EXPECT_EQ(Requests("root").message("7.pbshead", "hi"), "+2+22+10+4root+97.pbshead+2+2hi+0");
}

TEST(RequestTest, AUsersStartIsAnsweredAsTheRegisteredSchedulerDoes) {
  EXPECT_EQ(Requests("root").answer_scheduling(11, "7.pbshead", 0, ""),
            "+2+22+80+4root2+11+97.pbshead+0+0+0");
}

void expect_value(const nlohmann::json& exchange, const Reply& reply, const std::string& name) {
  if (exchange.contains("error")) {
    EXPECT_EQ(reply.code, exchange["error"]["code"].get<int>()) << name;
    EXPECT_EQ(reply.text, exchange["error"]["text"].get<std::string>()) << name;
    return;
  }
  EXPECT_EQ(reply.code, 0) << name;
  const auto& value = exchange["value"];
  if (!value.is_array()) return;
  ASSERT_EQ(reply.objects.size(), value.size()) << name;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const Object& object = reply.objects[i];
    EXPECT_EQ(object.kind, value[i][0].get<int>()) << name;
    EXPECT_EQ(object.name, value[i][1].get<std::string>()) << name;
    ASSERT_EQ(object.attributes.size(), value[i][2].size()) << name;
    for (std::size_t k = 0; k < object.attributes.size(); ++k) {
      const auto& fields = value[i][2][k];
      const Attribute expected{fields[0], fields[1].is_null() ? "" : fields[1].get<std::string>(),
                               fields[2], static_cast<Op>(fields[3].get<int>())};
      EXPECT_EQ(object.attributes[k], expected) << name;
    }
  }
}

// However the bytes come: as a whole, and one by one.
TEST(ReplyTest, RepliesAreReadAsRealServersMeantThem) {
  for (const auto& family : families()) {
    for (const auto& exchange : read_vectors(family)) {
      if (!exchange.contains("s2c") || exchange["s2c"].empty()) continue;
      const auto bytes = from_hex(exchange["s2c"][0].get<std::string>());
      const std::string name = family.file + ": " + exchange["name"].get<std::string>();
      ReplyReader whole(family.dialect), slow(family.dialect);
      whole.feed(bytes);
      const auto reply = whole.next();
      ASSERT_TRUE(reply && *reply) << name;
      expect_value(exchange, **reply, name);
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        slow.feed(bytes.substr(i, 1));
        const auto so_far = slow.next();
        ASSERT_TRUE(so_far) << name;
        ASSERT_EQ(so_far->has_value(), i + 1 == bytes.size()) << name;
        if (*so_far) {
          EXPECT_EQ(**so_far, **reply) << name;
        }
      }
    }
  }
}

std::string part(bool more, std::string_view job) {
  DisWriter to;
  to.number(2).number(2).number(0).number(0).number(6).number(more ? 1 : 0).number(1);
  to.number(2).text(job).number(0);
  auto bytes = packet(to.take(), Dialect::parts);
  bytes[6] = 'e';  // stale garbage, as servers leave it there
  return bytes;
}

TEST(ReplyTest, JoinsAReplyThatComesInParts) {
  ReplyReader reader(Dialect::parts);
  reader.feed(part(true, "1.srv"));
  EXPECT_FALSE(*reader.next());
  reader.feed(part(false, "2.srv") + part(false, "3.srv"));
  const auto reply = reader.next();
  ASSERT_TRUE(reply && *reply);
  ASSERT_EQ((*reply)->objects.size(), 2u);
  EXPECT_EQ((*reply)->objects[1].name, "2.srv");
  EXPECT_EQ((**reader.next()).objects[0].name, "3.srv");
}

TEST(ReplyTest, GarbageIsRefused) {
  for (const auto dialect : {Dialect::bare, Dialect::packets, Dialect::parts})
    for (const auto* bytes : {"HTTP/1.1 400", "+3+2+0+0+1", "PKTV2", "+2+2+0+0+9", "+2+2x"}) {
      ReplyReader reader(dialect);
      reader.feed(bytes);
      EXPECT_FALSE(reader.next()) << bytes;
    }
}

TEST(DialectTest, TheFirstReplyShowsWhetherRepliesComeInParts) {
  EXPECT_EQ(*dialect_of("+2+2+0+0+1"), Dialect::packets);
  EXPECT_EQ(*dialect_of("+2+2+0+0+1+0"), Dialect::parts);
  EXPECT_FALSE(dialect_of("+2+2+0+0"));
  EXPECT_FALSE(dialect_of("rubbish"));
}

TEST(PacketTest, APacketIsTakenOnlyAsAWhole) {
  const auto bytes = packet("abc", Dialect::parts);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    EXPECT_FALSE(*first_packet(std::string_view(bytes).substr(0, i)));
  EXPECT_EQ((*first_packet(bytes + "x"))->payload, "abc");
  EXPECT_FALSE(first_packet(std::string("PKTV1\0e\xff\xff\xff\xff", 11)));
}

}  // namespace
}  // namespace maui::pbs
