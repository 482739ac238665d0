// Work on the parts of something long, on all cores.
//
//   ForEachPart(values.size(), [&](const Part& part) {
//     for (std::size_t i = part.begin; i < part.end; ++i) values[i] *= 2;
//   });
//
// What is shorter than two parts is done by the caller's thread alone, and so
// is a call while another one has the workers. Parts are the same on every
// machine, so what is computed for each of them is too. The first exception of
// the work is thrown again when no part is being worked on any more.

#pragma once

#include <cstddef>
#include <functional>

namespace sfumato::base {

inline constexpr std::size_t kPartSize = std::size_t{1} << 16;

struct Part {
  std::size_t index = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

inline std::size_t PartCount(std::size_t size) {
  return (size + kPartSize - 1) / kPartSize;
}

void ForEachPart(std::size_t size,
                 const std::function<void(const Part& part)>& work);

}  // namespace sfumato::base
