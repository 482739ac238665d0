// How the two sides look, everywhere the same: one colour, one shape and one
// sign each, and A stands to the left.
//
//   const SideLook& look = LookOf("b2");   // B; a second twin is hollow

#pragma once

#include <string>
#include <string_view>

#include "report/drawing.h"

namespace sfumato::report {

struct SideLook {
  std::string name;   // "A"
  std::string style;  // class in the page's style: "a"
  std::string sign;   // "●"
  std::string color;  // for charts, on light and on dark
  Shape shape = Shape::kDot;
  Shape hollow = Shape::kRing;
};

inline const SideLook& SideA() {
  static const SideLook look{"A",       "a",         "●",
                             "#3182c8", Shape::kDot, Shape::kRing};
  return look;
}
inline const SideLook& SideB() {
  static const SideLook look{"B",          "b", "■", "#dd7a1d", Shape::kSquare,
                             Shape::kFrame};
  return look;
}

// Models are named a1, a2, b1, b2.
inline const SideLook& LookOf(std::string_view model) {
  return model.starts_with("b") ? SideB() : SideA();
}
inline bool IsSecondTwin(std::string_view model) {
  return model.ends_with("2");
}

}  // namespace sfumato::report
