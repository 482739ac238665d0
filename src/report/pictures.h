// The pictures of a page, small enough to travel in it.
//
//   const Pictures pictures =
//       Pictures::Read(folder, findings, {.most_bytes = 700'000});
//   page += pictures.Image("pictures/a_0400.png", "What model a1 draws");
//   page += Escaped(pictures.note());  // what was given up for size
//
// Pictures that are too large together are first drawn without enlargement,
// then with fewer levels of grey, then some steps of the slider are left out;
// the newest one stays to the end. A picture that is missing is named, and
// nothing stands in its place.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "report/findings.h"

namespace sfumato::report {

struct PictureOptions {
  bool samples = true;               // false: no picture at all
  std::size_t most_bytes = 780'000;  // of all pictures, as text
};

class Pictures {
 public:
  // Throws Corrupt when a name leads out of the folder, or a file is not a PNG.
  static Pictures Read(const base::Path& folder, const Findings& findings,
                       const PictureOptions& options = {});

  // The steps of the slider, oldest first; empty when there are none to show.
  const std::vector<runs::GridStep>& steps() const { return steps_; }
  // Examples of the data themselves, which simulations may show.
  const std::vector<std::pair<std::string, std::string>>& examples() const {
    return examples_;  // words and file
  }
  bool Has(const std::string& name) const { return sources_.contains(name); }
  // An <img>; attributes (HTML) are put into it. Empty when there is none.
  std::string Image(const std::string& name, std::string_view alt,
                    std::string_view attributes = "") const;
  const std::string& note() const { return note_; }
  const std::vector<std::string>& missing() const { return missing_; }

 private:
  std::vector<runs::GridStep> steps_;
  std::vector<std::pair<std::string, std::string>> examples_;
  std::map<std::string, std::string> sources_;  // attributes of its <img>
  std::string note_;
  std::vector<std::string> missing_;
};

}  // namespace sfumato::report
