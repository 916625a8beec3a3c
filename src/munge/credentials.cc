#include "munge/credentials.h"

#include <fmt/format.h>

#include <memory>

#ifdef MAUI_HAS_MUNGE

#include <munge.h>

#include <cstdlib>
#include <ctime>

namespace maui::munge {
namespace {

class Context {
 public:
  explicit Context(const std::string& socket)
      : context_(::munge_ctx_create(), &::munge_ctx_destroy) {
    if (context_ && !socket.empty()) set(MUNGE_OPT_SOCKET, socket.c_str());
  }
  munge_ctx_t get() const { return context_.get(); }
  template <class T>
  void set(munge_opt_t option, T value) {
    ::munge_ctx_set(context_.get(), option, value);
  }
  template <class T>
  T value_of(munge_opt_t option) const {
    T value{};
    ::munge_ctx_get(context_.get(), option, &value);
    return value;
  }
  Error error(munge_err_t what) const {
    const char* detail = ::munge_ctx_strerror(context_.get());
    return Error{fmt::format("munge: {}", detail != nullptr ? detail : ::munge_strerror(what))};
  }

 private:
  std::unique_ptr<munge_ctx, decltype(&::munge_ctx_destroy)> context_;
};

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

Result<std::string> encode(const Context& context, const std::string& content) {
  char* made = nullptr;
  const auto status =
      ::munge_encode(&made, context.get(), content.data(), static_cast<int>(content.size()));
  const std::unique_ptr<char, Free> owner(made);
  if (status != EMUNGE_SUCCESS) return context.error(status);
  return std::string(made);
}

}  // namespace

Result<std::string> make_credential(const std::string& socket, const std::string& key,
                                    uid_t reader) {
  Context context(socket);
  if (context.get() == nullptr) return Error{"munge: no memory"};
  // Anybody who could read the key could change the request, so credentials are always encrypted,
  // whatever the site's default is.
  context.set(MUNGE_OPT_CIPHER_TYPE, static_cast<int>(MUNGE_CIPHER_AES256));
  context.set(MUNGE_OPT_UID_RESTRICTION, reader);
  return encode(context, credential_content(key));
}

Result<std::string> make_plain_credential(const std::string& socket, const std::string& content) {
  Context context(socket);
  if (context.get() == nullptr) return Error{"munge: no memory"};
  return encode(context, content);
}

Result<Voucher> read_credential(const std::string& socket, const std::string& credential) {
  Context context(socket);
  if (context.get() == nullptr) return Error{"munge: no memory"};
  void* content = nullptr;
  int size = 0;
  Voucher found;
  const auto status =
      ::munge_decode(credential.c_str(), context.get(), &content, &size, &found.user, nullptr);
  const std::unique_ptr<void, Free> owner(content);
  if (status != EMUNGE_SUCCESS) return context.error(status);
  if (context.value_of<int>(MUNGE_OPT_CIPHER_TYPE) == MUNGE_CIPHER_NONE)
    return Error{"its credential was sent without encryption"};
  const auto key = key_in({static_cast<const char*>(content), static_cast<std::size_t>(size)});
  if (!key) return Error{"its credential was made for something else than a request to maui"};
  found.made = context.value_of<std::time_t>(MUNGE_OPT_ENCODE_TIME);
  found.key = *key;
  return found;
}

}  // namespace maui::munge

#else  // without libmunge

namespace maui::munge {
namespace {

const Error kMissing{"this program was built without libmunge (Debian: libmunge-dev)"};

}  // namespace

Result<std::string> make_credential(const std::string&, const std::string&, uid_t) {
  return kMissing;
}

Result<std::string> make_plain_credential(const std::string&, const std::string&) {
  return kMissing;
}

Result<Voucher> read_credential(const std::string&, const std::string&) { return kMissing; }

}  // namespace maui::munge

#endif
