// Handwriting by people who do not exist: 62 characters, 28 × 28, grey.
//
//   const data::Handwriting handwriting({.users = 1000, .seed = 7});
//   const auto examples = handwriting.Writer(17);
//
// Every writer has a hand of their own (hand.h). How much each wrote, and of
// what, varies as in EMNIST grouped by writer: about 200 examples, some writers
// with many more, half of them digits, some characters missing. A writer
// depends on the seed and their number alone, never on who else is made, and is
// the same to the byte on every machine.
//
// Letterforms: the Hershey Fonts (src/base/hershey/LICENSE) and our
// own.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/file.h"
#include "data/dataset.h"
#include "data/dataset_writer.h"
#include "data/generate/glyph_set.h"

namespace sfumato::data {

struct HandwritingOptions {
  std::uint64_t users = 100;
  std::uint64_t seed = 1;
  double mean_examples = 200;  // per writer; every writer has at least one
};

class Handwriting {
 public:
  // Raised whenever the same options would give other bytes.
  static constexpr int kVersion = 1;

  struct Examples {
    std::vector<std::uint8_t> pixels;  // [example, 28, 28], ink is 255
    std::vector<std::int32_t> labels;  // [example], into kCharacters
  };

  // Throws BadInput when an option is out of range.
  explicit Handwriting(const HandwritingOptions& options);

  // The examples of one writer. `writer` may be any number; a dataset has
  // those below options.users. Safe to call from several threads.
  Examples Writer(std::uint64_t writer) const;

  // What a dataset of these writers says about itself.
  DatasetInfo Info(const std::string& name) const;

 private:
  HandwritingOptions options_;
  GlyphSet glyphs_;
};

// "writer_000017".
std::string WriterId(std::uint64_t writer);

// Writes a dataset of options.users writers to the new folder `out`. An empty
// `name` means the folder's. Throws BadInput when `out` exists.
DatasetSummary MakeHandwriting(const HandwritingOptions& options,
                               const base::Path& out,
                               const std::string& name = "");

}  // namespace sfumato::data
