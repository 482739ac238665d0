// What tests of commands share.

#pragma once

#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "base/folder_testing.h"

namespace sfumato::app {

inline std::vector<std::string> Words(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

using CommandTest = base::FolderTest;

}  // namespace sfumato::app
