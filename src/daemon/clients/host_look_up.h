// Looks up hosts while the loop goes on.
#pragma once
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace maui {

/// Returns the addresses of a host; none if the name is not found.  May take minutes.
std::vector<std::string> addresses_of(const std::string& name);

/// Looks up names in a thread of its own, so that nothing else waits for a name server that does
/// not answer: neither connections to resource managers, which are looked up in turn, nor the end
/// of the program.
class HostLookUp {
 public:
  /// Called in the loop for each name, perhaps without addresses.
  using Found = std::function<void(const std::string& name, std::vector<std::string> addresses)>;
  using Addresses = std::function<std::vector<std::string>(const std::string& name)>;

  HostLookUp(boost::asio::io_context& io, Found found, Addresses look_up = addresses_of);
  ~HostLookUp();
  HostLookUp(const HostLookUp&) = delete;
  HostLookUp& operator=(const HostLookUp&) = delete;

  /// Looks up the names one after the other, after those that are under way.
  void begin(std::vector<std::string> names);

 private:
  struct Shared;
  void has_ended();

  std::shared_ptr<Shared> shared_;
  Found found_;
  Addresses look_up_;
  bool under_way_ = false;
  std::vector<std::string> next_;
};

}  // namespace maui
