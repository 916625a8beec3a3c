#include "proto/error_json.h"

#include "proto/json_writer.h"

namespace maui {

std::string error_as_json(int status, std::string_view message) {
  JsonWriter json;
  json.begin_object();
  json.key("error");
  json.begin_object();
  json.member("status", status);
  json.member("message", message);
  json.end_object();
  json.end_object();
  return json.take() + "\n";
}

}  // namespace maui
