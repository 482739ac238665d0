// A text file that travels inside the program (cmake/EmbedFiles.cmake).

#pragma once

#include <string_view>

namespace sfumato::base {

struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};

}  // namespace sfumato::base
