// The demo's page: one file, no network, no script.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace sfumato::app {

struct DemoFacts {
  std::size_t writers = 0;
  std::size_t images = 0;
  std::uint64_t writers_affected = 0;
  std::size_t rows = 0;  // writers in the pictures, the same in both
  std::uint64_t seed = 0;
  std::string before_png_base64;
  std::string after_png_base64;
};

std::string DemoPage(const DemoFacts& facts);

}  // namespace sfumato::app
