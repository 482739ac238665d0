// A picture as characters, for people who sit at a terminal.
//
//   ShowPicture(grid);  // on stderr, if that is a terminal
//   std::string text = TerminalPicture(grid, {.columns = 100});
//
// With colour a character is two pixels, one above the other: the upper half
// block ▀ in the upper pixel's colour on the lower one's, of the 256 colours
// that terminals have (24 greys among them). Without colour it is one sign for
// the two: the lighter, the denser, as on a dark terminal.

#pragma once

#include <string>

#include "base/image.h"

namespace sfumato::report {

struct TerminalPictureOptions {
  int columns = 80;    // wider pictures are made smaller
  bool colour = true;  // and half blocks; false: signs of growing density
  bool utf8 = true;    // without it there is no half block: signs
};

// One line for two rows of pixels, each ending with a line break; nothing for a
// picture without pixels. REQUIRES: columns > 0.
std::string TerminalPicture(const base::Image& image,
                            const TerminalPictureOptions& options = {});

// Draws it on stderr where that is a terminal and the program may talk; the
// environment's NO_COLOR takes the colour away. Does nothing elsewhere.
void ShowPicture(const base::Image& image);

}  // namespace sfumato::report
