#include "base/markup.h"

#include <gtest/gtest.h>

namespace maui {
namespace {

TEST(Markup, NoCharacterOfTextIsTakenForMarkup) {
  EXPECT_EQ(markup_escaped("a<b>&\"c\"'d'"), "a&lt;b&gt;&amp;&quot;c&quot;&#39;d&#39;");
  EXPECT_EQ(markup_escaped("gr\xC3\xB6\xC3\x9F"
                           "e"),
            "gr\xC3\xB6\xC3\x9F"
            "e");
}

}  // namespace
}  // namespace maui
