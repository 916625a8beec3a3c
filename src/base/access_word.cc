#include "base/access_word.h"

#include "base/text.h"

namespace maui {

AccessWord parse_access_word(std::string_view word) {
  AccessWord out;
  if (word.starts_with('!')) {
    out.negated = true;
    word.remove_prefix(1);
  }
  for (bool more = true; more && !word.empty();) {
    switch (word.back()) {
      case '*':
        out.required = true;
        break;
      case '+':
        out.affinity = Affinity::positive;
        break;
      case '=':
        out.affinity = Affinity::neutral;
        break;
      case '-':
        out.affinity = Affinity::negative;
        break;
      default:
        more = false;
    }
    if (more) word.remove_suffix(1);
  }
  out.name = names_all(word) ? "ALL" : word;
  return out;
}

}  // namespace maui
