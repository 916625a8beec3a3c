// A look at the network for a scheduler that is there already: who stands by listens to nobody.
#pragma once
#include <string>

namespace maui {

/// Returns the first of the places in SERVERHOST at which somebody takes connections; empty: nobody
/// does within two seconds.  `port`: where none is named.  Before this scheduler listens itself.
std::string place_that_answers(const std::string& places, int port);

}  // namespace maui
