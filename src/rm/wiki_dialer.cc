#include <chrono>
#include <deque>
#include <memory>

#include "net/tcp_question.h"
#include "proto/frame.h"
#include "rm/wiki_link.h"

namespace maui {
namespace {

// Limits simultaneous calls, so that many starts do not overload a small server.
constexpr int kMostCalls = 16;

// Holds the waiting requests; shared with the calls, which may outlive the link.
class Dialer : public std::enable_shared_from_this<Dialer> {
 public:
  Dialer(boost::asio::io_context& io, WikiLinkOptions options, const Clock& clock)
      : io_(io), options_(std::move(options)), clock_(clock) {}

  void ask(std::string body, std::function<void(WikiAnswer)> done) {
    waiting_.emplace_back(std::move(body), std::move(done));
    next();
  }

 private:
  void next() {
    if (open_ >= kMostCalls || waiting_.empty()) return;
    ++open_;
    auto [body, done] = std::move(waiting_.front());
    waiting_.pop_front();
    auto answered = [self = shared_from_this(), done = std::move(done)](WikiAnswer answer) {
      --self->open_;
      // If the server does not answer one call, the waiting requests fail, too.
      const auto lost = answer.reply ? decltype(waiting_)() : std::exchange(self->waiting_, {});
      const auto why = answer.reply ? std::string() : answer.reply.error().what;
      done(std::move(answer));
      for (const auto& question : lost) question.second({Error{why}, false, std::nullopt});
      self->next();
    };
    call(wiki_frame(body, options_.seal, clock_.now()), std::move(answered));
  }

  void call(std::string frame, std::function<void(WikiAnswer)> answered) {
    struct Coming {
      FrameDecoder decoder{kMaxMessage};
      std::string content;
    };
    auto coming = std::make_shared<Coming>();
    TcpQuestion question;
    question.host = options_.host.empty() ? "127.0.0.1" : options_.host;
    question.port = options_.port;
    question.timeout = std::chrono::seconds(std::max<std::int64_t>(1, options_.timeout.raw()));
    question.text = std::move(frame);
    question.take = [coming](std::string_view bytes) -> Result<bool> {
      coming->decoder.feed(bytes);
      auto whole = coming->decoder.next();
      if (!whole) return whole.error();
      if (*whole) coming->content = std::move(**whole);
      return whole->has_value();
    };
    question.done = [coming, seal = options_.seal, answered = std::move(answered)](Status status,
                                                                                   bool sent) {
      if (!status) return answered({status.error(), sent, std::nullopt});
      const auto message = open_wiki(coming->content, seal);
      if (!message) return answered({message.error(), sent, std::nullopt});
      answered({read_wiki_reply(message->body), true, message->sent});
    };
    ask_over_tcp(io_, std::move(question));
  }

  boost::asio::io_context& io_;
  WikiLinkOptions options_;
  const Clock& clock_;
  int open_ = 0;
  std::deque<std::pair<std::string, std::function<void(WikiAnswer)>>> waiting_;
};

class WikiDialer final : public WikiLink {
 public:
  explicit WikiDialer(std::shared_ptr<Dialer> dialer) : dialer_(std::move(dialer)) {}
  void ask(const WikiRequest& request, std::function<void(WikiAnswer)> done) override {
    dialer_->ask(write_wiki(request), std::move(done));
  }

 private:
  std::shared_ptr<Dialer> dialer_;
};

}  // namespace

std::unique_ptr<WikiLink> make_wiki_dialer(boost::asio::io_context& io, WikiLinkOptions options,
                                           const Clock& clock) {
  return std::make_unique<WikiDialer>(std::make_shared<Dialer>(io, std::move(options), clock));
}

}  // namespace maui
